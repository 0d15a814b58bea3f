"""Typing: what is shown moves at once, the truth follows, nothing outdated comes back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import client_capabilities

TEXT = '''from google.adk.agents import Agent


def first(x) -> dict:
    """First tool, returns a dict."""
    return {}


def second(y) -> dict:
    """Second tool, returns a dict."""
    return {}


root_agent = Agent(name="a", model="gemini-2.5-flash", instruction="x", tools=[first, second])
'''


def lines(editor: Any, uri: str) -> list[int]:
    """The lines of what is shown."""
    return sorted(d.range.start.line for d in editor.shown(uri))


async def test_what_is_shown_moves_with_an_edit(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    uri = (tmp_path / "a.py").as_uri()
    editor.open(uri, TEXT)
    await editor.until("diagnostics", lambda: len(editor.shown(uri)) >= 2)
    before = editor.shown(uri)
    editor.published.clear()
    editor.change(uri, 2, (4, 7, 4, 7, "new\n    "))
    await editor.until("the edit's diagnostics", lambda: editor.published)
    assert editor.published[0].version == 2
    moved = [d.range.start.line for d in before if d.range.start.line > 4]
    assert moved
    assert [line + 1 for line in moved] == [
        d.range.start.line for d in editor.published[0].diagnostics if d.range.start.line > 5
    ]


async def test_a_burst_ends_with_the_last_version_only(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    uri = (tmp_path / "a.py").as_uri()
    editor.open(uri, TEXT)
    await editor.until("diagnostics", lambda: editor.shown(uri))
    editor.published.clear()
    for version in range(2, 202):
        editor.change(uri, version, (4, 7, 4, 7, "x"))
    await editor.until("the last version", lambda: editor.published and editor.published[-1].version == 201)
    versions = [p.version for p in editor.published]
    assert versions == sorted(versions)
    assert len(versions) < 200


async def test_half_typed_code_keeps_what_stands_around_it(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    uri = (tmp_path / "a.py").as_uri()
    editor.open(uri, TEXT)
    await editor.until("diagnostics", lambda: {3, 8} <= set(lines(editor, uri)))
    editor.change(uri, 2, (7, 0, 7, 0, "def half(a: str, \n\n"))
    await asyncio.sleep(0.3)
    await editor.hover(uri, 3, 5)
    assert {3, 10} <= set(lines(editor, uri))


@pytest.mark.parametrize("client", ["visual-studio-code", "neovim", "emacs"])
async def test_recorded_capabilities_of_editors(connect: Any, tmp_path: Path, client: str) -> None:
    editor = await connect(adk="2.13.0", capabilities=client_capabilities(client))
    uri = (tmp_path / "a.py").as_uri()
    editor.open(uri, TEXT)
    await editor.until("diagnostics", lambda: editor.shown(uri))
    assert await editor.hover_until(uri, 3, 5, "```json")


async def test_a_client_that_can_do_nothing(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0", capabilities=types.ClientCapabilities())
    uri = (tmp_path / "a.py").as_uri()
    editor.open(uri, TEXT)
    await editor.until("diagnostics", lambda: editor.shown(uri))
    actions = await editor.actions(uri, editor.shown(uri)[0].range)
    assert all(action.edit is None or action.edit.document_changes is None for action in actions)


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "vscode-notebook-cell:/ws/n.ipynb#W0sZmlsZQ%3D%3D",
        "git:/ws/a.py?%7B%7D",
        "inmemory://model/1",
        "file:///ws/dir%20with%20space/%C3%BCmlaut%20%41%20%231/a.py",
    ],
)
async def test_any_uri_is_analysed_and_answered_as_it_was_written(connect: Any, uri: str) -> None:
    editor = await connect(adk="2.13.0")
    editor.open(uri, TEXT)
    await editor.until("diagnostics", lambda: editor.shown(uri))


async def test_messages_out_of_order_do_no_harm(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    uri, other = (tmp_path / "a.py").as_uri(), (tmp_path / "b.py").as_uri()
    closing = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(other))
    editor.change(other, 2, "x = 1\n")
    editor.client.text_document_did_close(closing)
    editor.client.text_document_did_close(closing)
    assert await editor.hover(other, 0, 0) == ""
    editor.open(uri, TEXT)
    await editor.until("diagnostics", lambda: editor.shown(uri))
    assert await editor.hover(uri, 10_000, 10_000) == ""
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await editor.until("diagnostics to be cleared", lambda: editor.shown(uri) == [])
