"""What holds for moving descriptions, whatever tool, docstring and text."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Declared
from adk_tool_lens.docstrings.model import Entry
from adk_tool_lens.docstrings.reader import read
from adk_tool_lens.ide.actions import fix_all
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.source.edits import Edit, apply
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
MOVABLE = {"Annotated", "Field", "Doc"}
"""Names that come or go with descriptions."""


@PROFILE
@given(case=written(plain=True))
def test_every_lost_description_reaches_the_model(case: Written, client_for: ClientFor) -> None:
    client = client_for("2.9.0")
    before = analysed(case.source, client, FILE)
    after = _checked(before, client, case)
    assert not _lost(after)
    for text in case.said.values():
        assert _words(text) in _words(_told(after)), _told(after)


@PROFILE
@given(case=written(plain=False))
def test_odd_descriptions_are_moved_whole_or_left(case: Written, client_for: ClientFor) -> None:
    client = client_for("2.9.0")
    before = analysed(case.source, client, FILE)
    after = _checked(before, client, case)
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
    gone = set(said) - {entry.name for entry in _entries(made.text, before)}
    assert _outside(made.text, gone) == _outside(case.source, gone)
    _check_places(case.source, made.action.edits[FILE])
    after = analysed(made.text, client, FILE)
    now = after.view(after.reports[0])
    moved = [name for name in said if now.docstring.entry(name) is None]
    assert moved
    for name in moved:
        assert now.sent_description(name).split() == said[name].split()
    assert next(pressed(after, "describe-in-field"), None) is None


def _checked(before: Analysis, client: DeclarationClient, case: Written) -> Analysis:
    """The analysis after the repair, of which everything that holds for all texts is asserted."""
    text = before.module.text
    edits = fix_all(before, only=LOST)
    fixed = apply(text, edits)
    assert _outside(fixed, set(case.said)) == _outside(text, set(case.said))
    _check_places(text, edits)
    after = analysed(fixed, client, FILE)
    assert not fix_all(after, only=LOST), "a second application does more"
    assert fixed.count("\r\n") == fixed.count("\n") or "\r\n" not in text
    return after


def _check_places(text: str, edits: Iterable[Edit]) -> None:
    """Edits are made in the header, the docstring and the imports only."""
    start = text.index("def tool")
    end = text.rindex('return {"a": 1}')  # what is said of a parameter may have `return {`, too
    imports = text.index("Doc", text.index("typing_extensions")) + len("Doc\r\n\r\n")
    for edit in edits:
        in_function = start <= edit.start and edit.end <= end
        assert in_function or edit.end <= imports, (edit, text)


def _entries(text: str, before: Analysis) -> tuple[Entry, ...]:
    """What a docstring says about parameters."""
    (node,) = [n for n in ast.walk(ast.parse(text)) if getattr(n, "name", "") == "tool"]
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    names = [parameter.name for parameter in before.reports[0].tool.parameters]
    return read(ast.get_docstring(node, clean=False) or "", names).entries


def _outside(text: str, touched: set[str]) -> str:
    """The syntax tree without what may change: imports of some names, docstring, touched annotations."""
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            node.names = [alias for alias in node.names if alias.name not in MOVABLE]
    tree.body = [n for n in tree.body if not isinstance(n, ast.ImportFrom) or n.names]
    for part in ast.walk(tree):
        if isinstance(part, ast.arg) and part.arg in touched:
            part.annotation = None
        if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(part) is not None:
            part.body = part.body[1:]
    return ast.dump(tree)


def _lost(analysis: Analysis) -> list:  # type: ignore[type-arg]
    return [finding for finding in analysis.findings if finding.rule in LOST]


def _told(analysis: Analysis) -> str:
    answer = analysis.reports[0].answer
    assert isinstance(answer, Declared), answer
    return str((answer.declaration or {}).get("description") or "")


def _words(text: str) -> str:
    return " ".join(text.split())
