"""The server over real pipes, driven by a client with an editor's recorded capabilities."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client

from conftest import AdkPython

PATIENCE = 60.0
"""Seconds a test waits for an answer; the first one needs google-adk to be imported on a busy machine."""


@dataclass
class Editor:
    """A client with what the server has told it."""

    client: LanguageClient
    published: list[types.PublishDiagnosticsParams] = field(default_factory=list)
    statuses: list[Any] = field(default_factory=list)

    def open(self, uri: str, text: str, version: int = 1, language: str = "python") -> None:
        """Opens a document."""
        item = types.TextDocumentItem(uri, language, version, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, uri: str, version: int, *changes: Any) -> None:
        """Changes a document: (start line, start character, end line, end character, text) or a text."""
        parts = [_change(change) for change in changes]
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, parts))

    def shown(self, uri: str) -> list[types.Diagnostic]:
        """The diagnostics published last."""
        latest = [p for p in self.published if p.uri == uri]
        return list(latest[-1].diagnostics) if latest else []

    def rules(self, uri: str) -> list[str]:
        """The rules of what is shown."""
        return [str(diagnostic.code) for diagnostic in self.shown(uri)]

    async def until(self, what: str, check: Callable[[], Any]) -> Any:
        """Waits until a condition holds and gives its value."""
        for _ in range(int(PATIENCE / 0.02)):
            value = check()
            if value:
                return value
            await asyncio.sleep(0.02)
        raise AssertionError(f"waited {PATIENCE:.0f} s in vain for {what}")

    async def hover(self, uri: str, line: int, character: int) -> str:
        """The Markdown of a hover; empty where there is none."""
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        found = await self.client.text_document_hover_async(params)
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def hover_until(self, uri: str, line: int, character: int, part: str) -> str:
        """A hover that has a text in it."""
        for _ in range(int(PATIENCE / 0.1)):
            text = await self.hover(uri, line, character)
            if part in text:
                return text
            await asyncio.sleep(0.1)
        raise AssertionError(f"no {part!r} in {text!r}")

    async def actions(
        self, uri: str, where: types.Range, only: list[str] | None = None
    ) -> list[types.CodeAction]:
        """The code actions at a range."""
        context = types.CodeActionContext(self.shown(uri), only=only)
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), where, context)
        found = await self.client.text_document_code_action_async(params) or []
        return [await self._resolved(action) for action in found if isinstance(action, types.CodeAction)]

    async def _resolved(self, action: types.CodeAction) -> types.CodeAction:
        if action.edit is not None or action.command is not None:
            return action
        return await self.client.code_action_resolve_async(action)


def _change(change: Any) -> types.TextDocumentContentChangeEvent:
    if isinstance(change, str):
        return types.TextDocumentContentChangeWholeDocument(change)
    a, b, c, d, text = change
    where = types.Range(types.Position(a, b), types.Position(c, d))
    return types.TextDocumentContentChangePartial(where, text)


Connect = Callable[..., Any]


def _into(received: list[Any]) -> Callable[[Any], None]:
    """A handler, as a function of its own because pygls marks it, that keeps what comes."""

    def keep(params: Any) -> None:
        received.append(params)

    return keep


def _accept(_params: Any) -> None:
    """Answers a request of the server that asks for nothing but consent."""


@asynccontextmanager
async def connected(
    folder: Path, options: dict[str, Any], capabilities: types.ClientCapabilities
) -> AsyncIterator[Editor]:
    """A server for a folder, ended as the protocol asks for."""
    client = make_test_lsp_client()
    editor = Editor(client)
    client.protocol.fm.features.pop("textDocument/publishDiagnostics")

    client.feature("textDocument/publishDiagnostics")(_into(editor.published))

    for request in ("client/registerCapability", "window/workDoneProgress/create"):
        if request not in client.protocol.fm.features:
            client.feature(request)(_accept)

    client.feature("adkToolLens/status")(_into(editor.statuses))

    await client.start_io(sys.executable, "-m", "adk_tool_lens", "server", "--stdio")
    roots = [entry["uri"] for entry in options.get("folders", ())] or [folder.as_uri()]
    folders = [types.WorkspaceFolder(uri, uri.rpartition("/")[2]) for uri in roots]
    result = await client.initialize_session(
        types.InitializeParams(
            capabilities, workspace_folders=folders, root_uri=folder.as_uri(), initialization_options=options
        )
    )
    assert result.capabilities.hover_provider
    try:
        yield editor
    finally:
        await client.shutdown_session()
        await client.stop()  # type: ignore[no-untyped-call]  # pytest-lsp leaves it untyped
    assert client.error is None


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests: google-adk's bytecode is compiled into it once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
async def connect(
    tmp_path: Path, shared_cache: Path, adk_python: AdkPython, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Connect]:
    """`await connect(adk="2.9.0")` is an `Editor` on the test's folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(shared_cache))
    async with AsyncExitStack() as stack:

        async def make(
            *,
            adk: str = "2.9.0",
            interpreter: str | None = None,
            backend: str = "gemini",
            client: str = "visual-studio-code",
            capabilities: types.ClientCapabilities | None = None,
            **options: Any,
        ) -> Editor:
            python = interpreter or str(adk_python(adk))
            given = {"settings": {"interpreter": python, "backend": backend}, "trusted": True, **options}
            able = capabilities or client_capabilities(client)
            return await stack.enter_async_context(connected(tmp_path, given, able))

        yield make
