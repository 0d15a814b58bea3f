"""What an editor shows of tools that are registered in another file."""

from __future__ import annotations

from pathlib import Path

import pytest

from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.ide.analysis import Analysis, analyse
from adk_tool_lens.ide.definition import definition
from adk_tool_lens.ide.hover import hover
from adk_tool_lens.ide.index import Index
from adk_tool_lens.ide.links import registered
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.rules.model import Facts

TOOLS = "def find(order: str) -> dict:\n    return {}\n"
AGENT = """
from google.adk.agents import Agent
from tools import find

root = Agent(name="root", tools=[find, load()])
"""


@pytest.fixture
def analysed(tmp_path: Path) -> dict[str, Analysis]:
    found: dict[str, Analysis] = {}
    for name, text in (("tools.py", TOOLS), ("agent.py", AGENT)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    workspace = Workspace((tmp_path,), memo=Memo())
    world = workspace.world()
    index = Index((tmp_path,))
    index.build(workspace, world)
    for name in ("tools.py", "agent.py"):
        path = tmp_path / name
        module = workspace.module_at(path)
        assert module is not None
        others = [workspace.module_at(other) for other in index.registering(path)]
        elsewhere = tuple(registered(other, world) for other in others if other is not None)
        found[name] = analyse(module, world, lambda _request: None, Facts(), elsewhere)
    return found


def test_a_tool_is_reported_where_it_is_defined(analysed: dict[str, Analysis]) -> None:
    (report,) = analysed["tools.py"].reports
    assert [(r.agent, r.place.path.name) for r in report.tool.registrations if r.place.path] == [
        ("root", "agent.py")
    ]
    assert analysed["agent.py"].reports == ()
    assert [report.tool.name for report in analysed["agent.py"].foreign] == ["find"]


def test_the_definition_says_which_agent_uses_it(analysed: dict[str, Analysis], tmp_path: Path) -> None:
    card = hover(analysed["tools.py"], TOOLS.index("find"))
    assert card is not None
    assert f"used by agent [`root`]({(tmp_path / 'agent.py').as_uri()}#L5)" in card.markdown


def test_an_entry_shows_the_tool_of_the_other_file_and_leads_to_it(analysed: dict[str, Analysis]) -> None:
    at = AGENT.index("find,")
    card = hover(analysed["agent.py"], at)
    target = definition(analysed["agent.py"], at)
    assert card is not None
    assert "**find**" in card.markdown
    assert target is not None
    assert target.path is not None
    assert (target.path.name, target.span.start) == ("tools.py", TOOLS.index("find"))


def test_the_card_of_an_agent_lists_its_tools_and_what_is_not_known(analysed: dict[str, Analysis]) -> None:
    card = hover(analysed["agent.py"], AGENT.index("Agent(") + 1)
    assert card is not None
    assert "1. `find` · function" in card.markdown
    assert "2. `load()` · unknown" in card.markdown


def test_a_callback_with_a_call_of_another_file_is_judged_where_it_is_given(tmp_path: Path) -> None:
    base = "class Base:\n    def __call__(self, first, second, third, fourth):\n        return None\n"
    text = """
from google.adk.agents import Agent
from base import Base


class Guard(Base):
    pass


root = Agent(name="root", before_tool_callback=Guard())
"""
    for name, written in (("base.py", base), ("agent.py", text)):
        (tmp_path / name).write_text(written, encoding="utf-8")
    workspace = Workspace((tmp_path,))
    module = workspace.module_at(tmp_path / "agent.py")
    assert module is not None
    found = analyse(module, workspace.world(), lambda _request: None, Facts()).findings
    (finding,) = [finding for finding in found if finding.rule == "callback-signature"]
    assert module.absolute(finding.place).start == text.index("Guard()")
