"""A server over real pipes, for requests that only our own editors send."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pytest_lsp import client_capabilities, make_test_lsp_client

from conftest import AdkPython

PATIENCE = 60.0
"""Seconds that a test waits at most; the first answer needs google-adk to be imported on a busy machine."""


@dataclass
class Editor:
    """A client, and what the server has told it."""

    client: Any
    folder: Path
    capabilities: types.ServerCapabilities = field(default_factory=types.ServerCapabilities)
    statuses: list[Any] = field(default_factory=list)
    refreshed: list[str] = field(default_factory=list)
    agents_changed: list[Any] = field(default_factory=list)
    published: dict[str, list[types.Diagnostic]] = field(default_factory=dict)

    def uri(self, name: str) -> str:
        """The address of a file of the workspace."""
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str | None = None) -> str:
        """Opens a file, with the text on disk unless another is given."""
        path = self.folder / name
        item = types.TextDocumentItem(
            self.uri(name), "python", 1, text if text is not None else path.read_text("utf-8")
        )
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return item.uri

    def change(self, uri: str, version: int, text: str) -> None:
        """Replaces a document's text."""
        whole = types.TextDocumentContentChangeWholeDocument(text)
        identifier = types.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))

    async def ask(self, method: str, **params: Any) -> Any:
        """One request of ours."""
        return await self.client.protocol.send_request_async(method, params)

    async def until(self, what: str, ask: Callable[[], Awaitable[Any] | Any]) -> Any:
        """The first true answer."""
        for _ in range(int(PATIENCE / 0.1)):
            answer = ask()
            if isinstance(answer, Awaitable):
                answer = await answer
            if answer:
                return answer
            await asyncio.sleep(0.1)
        raise AssertionError(f"waited {PATIENCE:.0f} s in vain for {what}")


Connect = Callable[..., Awaitable[Editor]]


@pytest.fixture
async def connect(
    tmp_path: Path, adk_python: AdkPython, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Connect]:
    """`await connect(files)` is an editor on a folder with these files; `asks`: it can ask for findings."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    async with AsyncExitStack() as stack:

        async def make(
            files: dict[str, str], *, adk: str = "2.9.0", asks: bool = False, **options: Any
        ) -> Editor:
            folder = tmp_path / "work"
            for name, text in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(text, "utf-8")
            given = {"settings": {"interpreter": str(adk_python(adk))}, "trusted": True, **options}
            return await _started(stack, folder, given, asks=asks)

        yield make


async def _started(stack: AsyncExitStack, folder: Path, options: dict[str, Any], *, asks: bool) -> Editor:
    client: Any = make_test_lsp_client()
    editor = Editor(client, folder)
    client.protocol.fm.features.pop("textDocument/publishDiagnostics", None)

    def published(params: types.PublishDiagnosticsParams) -> None:
        editor.published[params.uri] = list(params.diagnostics)

    def register(_params: types.RegistrationParams) -> None:
        pass

    client.feature("textDocument/publishDiagnostics")(published)
    client.feature("adkToolLens/status")(_into(editor.statuses))
    client.feature("adkToolLens/agentsChanged")(_into(editor.agents_changed))
    client.feature(types.CLIENT_REGISTER_CAPABILITY)(register)
    for method in ("codeLens", "inlayHint", "diagnostic"):
        name = f"workspace/{method}/refresh"
        client.protocol.fm.features.pop(name, None)
        client.feature(name)(_noting(editor, name))

    await client.start_io(sys.executable, "-m", "adk_tool_lens", "server", "--stdio")
    capabilities = client_capabilities("visual-studio-code")
    if asks:
        assert capabilities.text_document is not None
        capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities()
    folders = [types.WorkspaceFolder(folder.as_uri(), folder.name)]
    result = await client.initialize_session(
        types.InitializeParams(
            capabilities, workspace_folders=folders, root_uri=folder.as_uri(), initialization_options=options
        )
    )

    editor.capabilities = result.capabilities

    async def end() -> None:
        await client.shutdown_session()
        await client.stop()

    stack.push_async_callback(end)
    return editor


def _noting(editor: Editor, name: str) -> Callable[[Any], None]:
    def note(_params: Any) -> None:
        editor.refreshed.append(name)

    return note


def _into(found: list[Any]) -> Callable[[Any], None]:
    def note(params: Any) -> None:
        found.append(params)

    return note
