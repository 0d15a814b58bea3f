"""An edit costs what it touches: as much in a file of sixty tools as in one of six."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Answer, Declared, Request
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.ide import analysis
from adk_tool_lens.ide.session import Session
from adk_tool_lens.rules.catalogue import Rule, catalogue
from adk_tool_lens.source import blocks
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.rowtext import RowText
from ide.test_incremental import project_at

TOOL = '''
def tool_{n}(sku: str, count: int = {n}) -> dict:
    """Does thing number {n} for an article.

    Args:
        sku: The article number.
    """
    return {{"status": "ok", "sku": sku}}

'''
PATH = Path("/nowhere/agent.py")
WORK = Counter[str]


def text_of(tools: int) -> str:
    """A file of so many tools and their agent."""
    names = ", ".join(f"tool_{n}" for n in range(tools))
    agent = f'\nroot_agent = Agent(name="a", model="gemini-2.5-flash", instruction="x", tools=[{names}])\n'
    head = "from google.adk.agents import Agent\n"
    return head + "".join(TOOL.format(n=n) for n in range(tools)) + agent


class Editing:
    """A session on one file that counts its work; the worker's answers are made up."""

    def __init__(self, tools: int) -> None:
        self.done: WORK = Counter()
        self.answers: dict[Request, Answer] = {}
        self.project = project_at(PATH.parent)
        self.project.workspace.memo = Memo()
        self.session = Session(lambda _path: self.project, lambda call: call())
        self.source = RowText.of(text_of(tools))

    def counting(self, monkeypatch: pytest.MonkeyPatch) -> Editing:
        """Effect: puts counters in place, and reads the file for the first time."""
        monkeypatch.setattr(blocks, "parsed", self._counted("blocks parsed", blocks.parsed))
        rules = {name: self._rule(rule) for name, rule in catalogue().items()}
        monkeypatch.setattr(analysis, "catalogue", lambda: rules)
        monkeypatch.setattr(DeclarationClient, "submit", lambda _client, request: self._submit(request))
        monkeypatch.setattr(DeclarationClient, "peek", lambda _client, request: self.answers.get(request))
        self._look()
        return self

    def after(self, old: str, new: str) -> WORK:
        """The work of replacing the last place of a text."""
        self.done.clear()
        at = self.source.text.rindex(old)
        self.source = self.source.after(Edit(at, at + len(old), new))
        self._look()
        return Counter(self.done)

    def _look(self) -> None:
        self.session.update("uri", PATH, self.source)
        self.session.fetch("uri", self._second_wave)

    def _second_wave(self, key: Any) -> None:
        self.session.refresh(key)

    def _submit(self, request: Request) -> Future[Answer]:
        self.done["worker requests"] += 1
        answer = Declared("FunctionTool", "tool", {"name": "tool", "description": "Does."})
        self.answers[request] = answer
        future: Future[Answer] = Future()
        future.set_result(answer)
        return future

    def _rule(self, rule: Rule) -> Rule:
        return replace(
            rule,
            check_tool=rule.check_tool and self._counted("rules run on tools", rule.check_tool),
            check_agent=rule.check_agent and self._counted("rules run on agents", rule.check_agent),
        )

    def _counted(self, what: str, function: Any) -> Any:
        def counted(*arguments: Any) -> Any:
            self.done[what] += 1
            return function(*arguments)

        return counted


@pytest.fixture
def edited(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Makes sessions on files of so many tools."""
    made: list[Editing] = []

    def make(tools: int) -> Editing:
        made.append(Editing(tools).counting(monkeypatch))
        return made[-1]

    yield make
    for each in made:
        each.project.close()


EDITS = {
    "a docstring": ("Does thing number 5", "Does the thing number 5"),
    "a signature": ("count: int = 5", "count: int = 55"),
    "a body": ('{"status": "ok", "sku": sku}\n\n\nroot', '{"status": "fine", "sku": sku}\n\n\nroot'),
    "a comment between tools": ("\n\nroot_agent", "\n# More.\nroot_agent"),
    "a blank line at the top": ("from google.adk.agents", "\nfrom google.adk.agents"),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_as_much_work_in_a_large_file(name: str, edited: Any) -> None:
    work = [edited(tools).after(*EDITS[name]) for tools in (6, 60)]
    assert work[0] == work[1]


def test_an_edit_of_a_docstring_is_one_block_and_one_tool(edited: Any) -> None:
    work = edited(30).after(*EDITS["a docstring"])
    about_tools = sum(1 for rule in catalogue().values() if rule.check_tool is not None)
    assert work["blocks parsed"] <= 1
    assert work["worker requests"] == 1
    assert 0 < work["rules run on tools"] <= 3 * about_tools, (
        "before the answer, with the old and with the new one"
    )


def test_what_no_tool_reads_runs_no_rule(edited: Any) -> None:
    work = edited(30).after(*EDITS["a blank line at the top"])
    assert work["rules run on tools"] == work["rules run on agents"] == work["worker requests"] == 0


def test_functions_that_are_no_tools_cost_an_edit_next_to_nothing() -> None:
    """Counts calls, which do not depend on the machine as times do."""
    few, many = (_calls_of_an_edit(functions) for functions in (20, 400))
    assert many < 3 * few


def _calls_of_an_edit(functions: int) -> int:
    """How many functions are called for an edit in a file with five tools and so many other functions."""
    project = project_at(PATH.parent)
    project.workspace.memo = Memo()
    session = Session(lambda _path: project, lambda call: call())
    source = RowText.of("".join(TOOL.format(n=n) for n in range(100, 100 + functions)) + text_of(5))
    session.update("uri", PATH, source)
    at = source.text.rindex("Does thing number 3")
    calls = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        session.update("uri", PATH, source.after(Edit(at, at, "x")))
    finally:
        sys.setprofile(None)
    project.close()
    return calls
