"""What holds for moving descriptions, whatever tool, docstring and text."""

from __future__ import annotations

import ast
import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Declared
from adk_tool_lens.ide.actions import fix_all
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.source.edits import apply
from fixes.conftest import ClientFor
from fixes.generated import Written, written
from fixes.pressing import analysed, pressed

FILE = Path("/nowhere/agent.py")
LONG = os.environ.get("ADK_TOOL_LENS_TESTS") == "long"
EXAMPLES = int(os.environ.get("ADK_TOOL_LENS_EXAMPLES", "2000" if LONG else "40"))
PROFILE = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
LOST = ("field-description-lost",)


@PROFILE
@given(case=written(plain=True))
def test_every_lost_description_reaches_the_model(case: Written, client_for: ClientFor) -> None:
    client = client_for("2.9.0")
    before = analysed(case.source, client, FILE)
    after = _checked(before, client)
    assert not _lost(after)
    for text in case.said.values():
        assert _words(text) in _words(_told(after)), _told(after)


@PROFILE
@given(case=written(plain=False))
def test_odd_descriptions_are_moved_whole_or_left(case: Written, client_for: ClientFor) -> None:
    client = client_for("2.9.0")
    before = analysed(case.source, client, FILE)
    after = _checked(before, client)
    kept = {finding.message for finding in _lost(after)}
    for name, text in case.said.items():
        if not any(f"`{name}`" in message for message in kept):
            assert _words(text) in _words(_told(after)), (name, _told(after))


@PROFILE
@given(case=written(plain=True, forms=("{type}",)))
def test_descriptions_go_into_fields_and_reach_the_model(case: Written, client_for: ClientFor) -> None:
    client = client_for("2.13.0")
    before = analysed(case.source, client, FILE)
    view = before.view(before.reports[0])
    said = {entry.name: entry.description for entry in view.docstring.entries}
    made = next(pressed(before, "describe-in-field"), None)
    if made is None:
        return
    assert _outside(made.text) == _outside(case.source)
    after = analysed(made.text, client, FILE)
    now = after.view(after.reports[0])
    moved = [name for name in said if now.docstring.entry(name) is None]
    assert moved
    for name in moved:
        assert now.sent_description(name).split() == said[name].split()
    assert next(pressed(after, "describe-in-field"), None) is None


def _checked(before: Analysis, client: DeclarationClient) -> Analysis:
    """The analysis after the repair, of which everything that holds for all texts is asserted."""
    text = before.module.text
    edits = fix_all(before, only=LOST)
    fixed = apply(text, edits)
    assert _outside(fixed) == _outside(text)
    after = analysed(fixed, client, FILE)
    assert not fix_all(after, only=LOST), "a second application does more"
    assert fixed.count("\r\n") == fixed.count("\n") or "\r\n" not in text
    return after


def _outside(text: str) -> str:
    """The syntax tree without imports, docstring, annotations and the agent."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def _lost(analysis: Analysis) -> list:  # type: ignore[type-arg]
    return [finding for finding in analysis.findings if finding.rule in LOST]


def _told(analysis: Analysis) -> str:
    answer = analysis.reports[0].answer
    assert isinstance(answer, Declared), answer
    return str((answer.declaration or {}).get("description") or "")


def _words(text: str) -> str:
    return " ".join(text.split())
