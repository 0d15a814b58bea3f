"""Settings on the command line: what can be set, what is in effect, and what is wrong in them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from adk_tool_lens.cli.config import SETTINGS
from adk_tool_lens.project.settings import Settings, parse

from .conftest import Lens


def test_every_setting_is_listed_with_a_default_that_counts(lens: Lens) -> None:
    assert {each.field for each in SETTINGS} == {each.name for each in fields(Settings)} - {"folder"}
    listed = lens("config", "--output-format", "json", python=None).json
    assert [each["name"] for each in listed] == [each.name for each in SETTINGS]
    text = lens("config", python=None).out
    assert 'backend = "gemini"' in text
    lines = [f"{each.name} = {each.default}" for each in SETTINGS if isinstance(each.default, int | list)]
    assert parse("\n".join(["[tool.adk-tool-lens]", *lines])).problems == ()


def test_settings_in_effect(lens: Lens, project: Path) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.adk-tool-lens]\nselect = ["description"]\nbackend = "vertex"\ntoken-budget = 7\n', "utf-8"
    )
    facts = lens(
        "check", "--show-settings", "--ignore", "missing-description", "--output-format", "json"
    ).json
    assert Path(facts["file"]) == project / "pyproject.toml"
    assert facts["settings"]["backend"] == "vertex"
    assert facts["settings"]["token-budget"] == 7
    assert facts["settings"]["max-tools"] == 20
    assert facts["settings"]["ignore"] == ["missing-description"]
    assert "field-description-lost" in facts["rules"]
    assert "missing-description" not in facts["rules"]
    assert "declaration-fails" not in facts["rules"]
    text = lens("check", "--show-settings").out
    assert "token-budget = 7" in text
    assert "set explicitly" in text


def test_settings_choose_rules_and_files(lens: Lens, project: Path) -> None:
    rules = {row["rule"] for row in lens("check", "--output-format", "json").json}
    assert {"field-description-lost", "missing-description"} <= rules
    only = lens("check", "--select", "missing-description", "--output-format", "json").json
    assert {row["rule"] for row in only} == {"missing-description"}
    (project / "pyproject.toml").write_text('[tool.adk-tool-lens]\nexclude = ["shop/"]\n', "utf-8")
    assert lens("check", "--show-files").out == ""
    doctor = lens("doctor", "shop/agent.py", "--output-format", "json").json
    assert "`exclude`" in doctor["files"][0]["left_out"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.adk-tool-lens\n", "no TOML"),
        ("[tool.adk-tool-lens]\nbackand = 'vertex'\n", "Did you mean `backend`?"),
        ("[tool.adk-tool-lens]\nselect = 'all'\n", "must be a list"),
        ("[tool.adk-tool-lens]\nignore = ['missing-descripton']\n", "missing-description"),
    ],
)
@pytest.mark.parametrize("command", ["check", "show", "lock", "doctor"])
def test_broken_settings_are_named_with_their_place(
    lens: Lens, project: Path, command: str, text: str, words: str
) -> None:
    (project / "pyproject.toml").write_text(text, "utf-8")
    ran = lens(command, "shop")
    assert (ran.status, ran.out) == (2, "")
    assert "pyproject.toml:" in ran.err
    assert words in ran.err
    assert "Traceback" not in ran.err


def test_a_file_of_settings_that_is_not_there(lens: Lens, project: Path) -> None:
    ran = lens("check", "--config", "nowhere.toml")
    assert ran.status == 2
    assert "nowhere.toml" in ran.err


def test_each_package_has_its_own_settings(lens: Lens, project: Path) -> None:
    one = project / "one"
    one.mkdir()
    (one / "agent.py").write_bytes((project / "shop" / "agent.py").read_bytes())
    (one / "pyproject.toml").write_text('[tool.adk-tool-lens]\nselect = ["missing-description"]\n', "utf-8")
    rows = lens("check", "--output-format", "json").json
    of = {Path(row["path"]).parent.name for row in rows if row["rule"] == "field-description-lost"}
    assert "shop" in of
    assert "one" not in of
    assert Path(lens("check", "one/agent.py", "--show-settings", "--output-format", "json").json["file"]) == (
        one / "pyproject.toml"
    )
    (one / "pyproject.toml").write_text('[tool.adk-tool-lens]\nselect = ["missing"]\n', "utf-8")
    ran = lens("check")
    assert (ran.status, ran.out) == (2, "")
    assert f"{one / 'pyproject.toml'}:2:12: `missing` is no rule" in ran.err
    (one / "pyproject.toml").write_text('[tool.adk-tool-lens]\nexclude = ["agent.py"]\n', "utf-8")
    assert "one" not in lens("check", "--show-files").out


def test_what_is_excluded_registers_nothing(lens: Lens, project: Path) -> None:
    text = "from google.adk.agents import Agent\nfrom shop.agent import find_order\n"
    (project / "old").mkdir()
    (project / "old" / "agent.py").write_text(f"{text}a = Agent(name='old', tools=[find_order])\n", "utf-8")
    (project / "pyproject.toml").write_text("", "utf-8")
    found = {row["name"]: row["agents"] for row in lens("show", "shop", "--output-format", "json").json}
    assert found["find_order"] == ["shop", "old"]
    (project / "pyproject.toml").write_text('[tool.adk-tool-lens]\nexclude = ["old"]\n', "utf-8")
    found = {row["name"]: row["agents"] for row in lens("show", "shop", "--output-format", "json").json}
    assert found["find_order"] == ["shop"]
