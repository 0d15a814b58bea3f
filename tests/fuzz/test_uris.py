"""Documents of every kind of URI are opened, edited, asked about and closed like any other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from .stage import Client, Theatre, interpreter, staged

TEXT = """from google.adk.agents import Agent


def find(order) -> dict:
    return {}


agent = Agent(name="a", tools=[find])
"""
URIS = (
    "untitled:Untitled-1",
    "git:/work/agent.py?%7B%22ref%22%3A%22HEAD%22%7D",
    "vscode-notebook-cell:/work/a.ipynb#W0sZmlsZQ%3D%3D",
    "vscode-vfs://github/owner/name/agent.py",
    "file:///c%3A/Users/me/agent.py",
    "file:///C:/Users/me/agent.py",
    "file:///c:/Users/me/agent.py",
    "file://server/share/agent.py",
    "file:///work/with%20space%20%C3%BC%20%2541%20%231/agent.py",
    "file:///work/with space/#1/agent.py",
    "file:///work/%00/agent.py",
    "file:///work/%FF/agent.py",
    "file:///" + "deep/" * 500 + "agent.py",
    "file:///" + "a" * 5000 + ".py",
    "file:///",
    "file:",
    "file:agent.py",
    "",
    "%",
    ":",
    "http://[/agent.py",
)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[tuple[Theatre, Client]]:
    with staged() as stage:
        made = Client(stage, tmp_path, {"settings": {"interpreter": interpreter("2.9.0")}})
        yield stage, made
        made.server.close_projects()


@pytest.mark.parametrize("uri", URIS)
def test_a_document_of_any_uri(client: tuple[Theatre, Client], uri: str) -> None:
    stage, editor = client
    item = types.TextDocumentItem(uri, "python", 1, TEXT)
    editor.handle(types.TEXT_DOCUMENT_DID_OPEN, types.DidOpenTextDocumentParams(item))
    stage.quiet()
    assert {each["code"] for each in editor.shown(uri)} >= {"missing-description", "untyped-parameter"}
    start = types.Position(3, 0)
    change = types.TextDocumentContentChangePartial(types.Range(start, start), "# ż😀\n")
    identifier = types.VersionedTextDocumentIdentifier(2, uri)
    editor.handle(types.TEXT_DOCUMENT_DID_CHANGE, types.DidChangeTextDocumentParams(identifier, [change]))
    stage.quiet()
    assert {each["range"]["start"]["line"] for each in editor.shown(uri)} >= {4}
    where = types.TextDocumentIdentifier(uri)
    card = editor.handle(types.TEXT_DOCUMENT_HOVER, types.HoverParams(where, types.Position(4, 5)))
    assert "find" in card.contents.value
    assert editor.handle(types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(where))
    events = [types.FileEvent(uri, kind) for kind in types.FileChangeType]
    editor.handle(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.DidChangeWatchedFilesParams(events))
    editor.handle(types.TEXT_DOCUMENT_DID_CLOSE, types.DidCloseTextDocumentParams(where))
    stage.quiet()
    assert editor.shown(uri) == []
    assert editor.handle(types.TEXT_DOCUMENT_HOVER, types.HoverParams(where, start)) is None
    assert editor.errors == []
