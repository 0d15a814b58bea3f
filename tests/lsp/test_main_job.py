"""The main job through the protocol: squiggle, hover, quick fix, from google-adk's own answer."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from adk_tool_lens.lsp import convert
from adk_tool_lens.source.edits import Edit, apply
from adk_tool_lens.source.rowtext import RowText

TOOLS = '''from typing import Annotated, Literal

from google.adk.agents import Agent
from pydantic import Field


def sprawdz_stan(sku: str, magazyn: Literal["WAW", "KRK"] = "WAW") -> dict:
    """Sprawdza stan magazynowy."""


def forecast(
    city: Annotated[str, Field(description="IATA city code, e.g. MUC")],
    days: Annotated[int, Field(description="How many days ahead", ge=1, le=14)] = 3,
) -> dict:
    """Weather forecast for a city."""
    return {"city": city, "days": days}


root_agent = Agent(name="a", model="gemini-2.5-flash", instruction="x", tools=[sprawdz_stan, forecast])
'''
STOCK = {
    "description": "Sprawdza stan magazynowy.",
    "name": "sprawdz_stan",
    "parameters_json_schema": {
        "properties": {
            "sku": {"title": "Sku", "type": "string"},
            "magazyn": {"default": "WAW", "enum": ["WAW", "KRK"], "title": "Magazyn", "type": "string"},
        },
        "required": ["sku"],
        "title": "sprawdz_stanParams",
        "type": "object",
    },
}


def block(markdown: str) -> Any:
    """The JSON block of a hover."""
    return json.loads(markdown.partition("```json\n")[2].partition("\n```")[0])


def applied(text: str, action: types.CodeAction, encoding: str = "utf-16") -> str:
    """A document's text after a code action."""
    edit = action.edit or types.WorkspaceEdit()
    found: list[types.TextEdit] = []
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        found += [e for e in change.edits if isinstance(e, types.TextEdit)]
    for edits in (edit.changes or {}).values():
        found += edits
    source = RowText.of(text)
    spans = [(convert.span_of(source, e.range, encoding), e.new_text) for e in found]
    return apply(text, [Edit(span.start, span.end, new) for span, new in spans])


@pytest.mark.parametrize("backend", ["gemini", "vertex"])
async def test_hover_is_what_google_adk_sends(connect: Any, tmp_path: Path, backend: str) -> None:
    editor = await connect(backend=backend)
    uri = (tmp_path / "agent.py").as_uri()
    editor.open(uri, TOOLS)
    card = await editor.hover_until(uri, 6, 6, "```json")
    response = {"response_json_schema": {"additionalProperties": True, "type": "object"}}
    assert block(card) == STOCK | (response if backend == "vertex" else {})
    assert "google-adk 2.9.0" in card
    assert ("Vertex AI" if backend == "vertex" else "Gemini API") in card
    assert "tokens" in card
    entry = await editor.hover(uri, 18, TOOLS.splitlines()[18].index("sprawdz_stan") + 2)
    assert block(entry) == block(card)


async def test_lost_descriptions_are_found_moved_and_arrive(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.9.0")
    uri = (tmp_path / "agent.py").as_uri()
    editor.open(uri, TOOLS)
    await editor.until("lost descriptions", lambda: editor.rules(uri).count("field-description-lost") == 2)
    lost = next(d for d in editor.shown(uri) if d.code == "field-description-lost")
    assert types.Range(types.Position(11, 25), types.Position(11, 70)) == lost.range
    assert "2.9.0" in lost.message
    assert lost.source == "adk-tool-lens"
    assert lost.severity == types.DiagnosticSeverity.Warning
    actions = await editor.actions(uri, lost.range)
    titles = [action.title for action in actions]
    assert "Move description of 'city' to docstring Args" in titles
    assert "Move 2 descriptions to docstring Args" in titles
    one = next(a for a in actions if a.title == "Move description of 'city' to docstring Args")
    assert one.is_preferred
    both = next(a for a in actions if a.title == "Move 2 descriptions to docstring Args")
    moved = applied(TOOLS, both)
    editor.change(uri, 2, moved)
    await editor.until("no lost description", lambda: "field-description-lost" not in editor.rules(uri))
    card = await editor.hover_until(uri, 10, 6, "IATA city code")
    assert "How many days ahead" in block(card)["description"]
    assert "Annotated[int, Field(ge=1, le=14)] = 3" in moved


async def test_newer_versions_send_the_description_and_nothing_is_reported(
    connect: Any, tmp_path: Path
) -> None:
    editor = await connect(adk="2.13.0")
    uri = (tmp_path / "agent.py").as_uri()
    editor.open(uri, TOOLS)
    card = await editor.hover_until(uri, 10, 6, "```json")
    assert block(card)["parameters_json_schema"]["properties"]["city"]["description"] == (
        "IATA city code, e.g. MUC"
    )
    assert "field-description-lost" not in editor.rules(uri)


async def test_fix_all_repairs_the_file_once(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.9.0")
    uri = (tmp_path / "agent.py").as_uri()
    editor.open(uri, TOOLS)
    await editor.until("lost descriptions", lambda: editor.rules(uri).count("field-description-lost") == 2)
    whole = types.Range(types.Position(0, 0), types.Position(19, 0))
    (action,) = await editor.actions(uri, whole, only=["source.fixAll.adk-tool-lens"])
    fixed = applied(TOOLS, action)
    editor.change(uri, 2, fixed)
    await editor.until("no lost description", lambda: "field-description-lost" not in editor.rules(uri))
    again = await editor.actions(uri, whole, only=["source.fixAll.adk-tool-lens"])
    assert [fixed for _ in again] == [applied(fixed, action) for action in again]


async def test_without_google_adk_it_says_so_and_lives_on(connect: Any, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    editor = await connect(interpreter=str(bare / "bin" / "python"))
    uri = (tmp_path / "agent.py").as_uri()
    editor.open(uri, TOOLS)
    await editor.until("a status", lambda: any(s.state == "no-adk" for s in editor.statuses))
    status = next(s for s in editor.statuses if s.state == "no-adk")
    assert "google-adk is not installed" in status.message
    card = await editor.hover_until(uri, 6, 6, "google-adk is not installed")
    assert "sprawdz_stan" in card
