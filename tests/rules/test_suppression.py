"""Settings and comments on what the rules find."""

from __future__ import annotations

from pathlib import Path

import pytest

from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.ide.analysis import Analysis, analyse
from adk_tool_lens.project.settings import Settings
from adk_tool_lens.rules._selection import resolve
from adk_tool_lens.rules.model import Facts, Severity

HEAD = "from google.adk.agents import Agent\n"
PATH = Path("/shop/tests/agent.py")


def analysed(text: str, settings: Settings | None = None) -> Analysis:
    module = Module.of(HEAD + text, path=PATH)
    facts = Facts(selection=resolve(settings or Settings()))
    return analyse(module, World(find=lambda _n, _m: None), lambda _request: None, facts)


def rules(text: str, settings: Settings | None = None) -> list[str]:
    return [finding.rule for finding in analysed(text, settings).findings]


TWO = "Agent(name='a', tools=None{0}){1}\nAgent(name='b', temperature=1){2}\n"


def two(inside: str = "", first: str = "", second: str = "") -> str:
    return TWO.format(inside, first, second)


def test_without_comments_both_are_found() -> None:
    assert rules(two()) == ["tools-not-a-list", "unknown-agent-keyword"]


@pytest.mark.parametrize(
    "comment",
    [
        "  # adk-tool-lens: ignore",
        "  # adk-tool-lens: ignore[tools-not-a-list]",
        "  # adk-tool-lens:ignore[lambda-tool, tools-not-a-list]  # because",
        "  # noqa: E501  # adk-tool-lens: ignore[registration]",
    ],
)
def test_a_comment_suppresses_on_its_line(comment: str) -> None:
    assert "tools-not-a-list" not in rules(two(first=comment))


@pytest.mark.parametrize(
    "comment",
    [
        "  # adk-tool-lens: ignore[lambda-tool]",
        "  # please ignore",
        '; note = "# adk-tool-lens: ignore"',
    ],
)
def test_other_texts_suppress_nothing(comment: str) -> None:
    assert "tools-not-a-list" in rules(two(first=comment))


def test_a_comment_on_another_line_suppresses_nothing() -> None:
    assert "tools-not-a-list" in rules(two(second="  # adk-tool-lens: ignore"))


def test_a_file_can_be_left_alone() -> None:
    assert rules("# adk-tool-lens: ignore-file\n" + two()) == []
    assert rules(two() + 'x = "# adk-tool-lens: ignore-file"\n') != []


def test_what_suppresses_nothing_is_told() -> None:
    found = rules("x = 1  # adk-tool-lens: ignore\n" + two(first="  # adk-tool-lens: ignore[lambda-tool]"))
    assert found.count("unused-suppression") == 2
    quiet = Settings(ignore=("lambda-tool",))
    assert "unused-suppression" not in rules(two(first="  # adk-tool-lens: ignore[lambda-tool]"), quiet)


def test_settings_choose_rules_severities_and_files() -> None:
    assert rules(two(), Settings(ignore=("tools-not-a-list",))) == rules(two())[1:]
    graver = analysed(two(), Settings(severity=(("tools-not-a-list", "hint"),)))
    assert graver.findings[0].severity is Severity.HINT
    here = Settings(per_file_ignores=(("tests/", ("registration",)),), folder=Path("/shop"))
    assert rules(two(), here) == []
    elsewhere = Settings(per_file_ignores=(("src/**", ("ALL",)),), folder=Path("/shop"))
    assert rules(two(), elsewhere) == rules(two())
