"""What the client is told the server can do, before anything that does it is imported.

The client waits for the answer to `initialize`. What reads code, the rules and the fixes take half as long to
import as pygls, so they are imported behind that answer.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from adk_tool_lens import __version__
from adk_tool_lens.lsp import garbage, names
from adk_tool_lens.lsp.changes import Changes
from adk_tool_lens.lsp.transport import Protocol, serve

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server

log = logging.getLogger(__name__)
_HANDLERS = "adk_tool_lens.lsp.handlers"


@dataclass(frozen=True)
class Offer:
    """A method of the protocol and the function of `lsp.handlers` that answers it."""

    method: str
    handler: str
    options: Any = None
    waits: bool = False
    """Whether the function is a coroutine."""


OFFERS = (
    Offer(types.INITIALIZED, "initialized"),
    Offer(types.SHUTDOWN, "shutdown"),
    Offer(types.WORKSPACE_DID_CHANGE_CONFIGURATION, "did_change_configuration"),
    Offer(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "did_change_watched_files"),
    Offer(types.TEXT_DOCUMENT_DID_OPEN, "did_open"),
    Offer(types.TEXT_DOCUMENT_DID_CHANGE, "did_change"),
    Offer(types.TEXT_DOCUMENT_DID_CLOSE, "did_close"),
    Offer(types.NOTEBOOK_DOCUMENT_DID_OPEN, "did_open_notebook"),
    Offer(types.NOTEBOOK_DOCUMENT_DID_CHANGE, "did_change_notebook"),
    Offer(types.NOTEBOOK_DOCUMENT_DID_CLOSE, "did_close_notebook"),
    Offer(types.TEXT_DOCUMENT_HOVER, "on_hover"),
    Offer(types.TEXT_DOCUMENT_DEFINITION, "on_definition", waits=True),
    Offer(
        types.TEXT_DOCUMENT_CODE_ACTION,
        "on_code_action",
        types.CodeActionOptions(list(names.KINDS), resolve_provider=True),
    ),
    Offer(types.CODE_ACTION_RESOLVE, "on_resolve"),
    Offer(types.TEXT_DOCUMENT_CODE_LENS, "on_code_lens"),
    Offer(types.TEXT_DOCUMENT_INLAY_HINT, "on_inlay_hint"),
    Offer(names.PREVIEW, "on_preview", waits=True),
    Offer(names.ENVIRONMENTS, "on_environments"),
    Offer(names.AGENTS, "on_agents", waits=True),
    Offer(names.AGENT_TOOLS, "on_agent_tools", waits=True),
)
_NOTEBOOKS = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithCells([types.NotebookCellLanguage("python")])]
)
"""The Python cells of all notebooks are wanted."""
PULL = Offer(
    types.TEXT_DOCUMENT_DIAGNOSTIC,
    "on_diagnostic",
    types.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=True, identifier="adk-tool-lens"
    ),
)


PULL_WORKSPACE = Offer(types.WORKSPACE_DIAGNOSTIC, "on_workspace_diagnostic", waits=True)


class Connection(LanguageServer):
    """The connection to one client; the server's state is made by the first message after `initialize`."""

    def __init__(self) -> None:
        super().__init__(
            "adk-tool-lens",
            __version__,
            types.TextDocumentSyncKind.Incremental,
            notebook_document_sync=_NOTEBOOKS,
            protocol_cls=Protocol,
        )
        self.transport.take_changes = self._take_changes
        self.loop: asyncio.AbstractEventLoop | None = None
        self.initialization_options: Any = None

    @cached_property
    def state(self) -> Server:
        """The server's state."""
        from adk_tool_lens.lsp.server import Server

        return Server(self)

    @property
    def transport(self) -> Protocol:
        """Our own reader and writer of messages."""
        assert isinstance(self.protocol, Protocol)  # noqa: S101 - set in __init__
        return self.protocol

    def send_json(self, body: str) -> None:
        """Effect: sends a message that is JSON already."""
        self.transport.send_json(body)

    def _take_changes(self, changes: Changes) -> None:
        self.state.edited(changes)


def create_connection() -> Connection:
    """A server with what it offers, not yet running."""
    connection = Connection()
    connection.feature(types.INITIALIZE)(_initialize(connection))
    for offer in OFFERS:
        offer_to(connection, offer)

    @connection.command(names.FIX_WORKSPACE)
    async def fix_all_files(*arguments: Any) -> Any:
        return await _handler("fix_all_files")(connection.state, *arguments)

    return connection


def offer_to(connection: Connection, offer: Offer) -> None:
    """Effect: registers a method; its handler is imported by the first message."""

    async def coroutine(params: Any) -> Any:
        return await _handler(offer.handler)(connection.state, params)

    def function(params: Any) -> Any:
        return _handler(offer.handler)(connection.state, params)

    connection.feature(offer.method, offer.options)(coroutine if offer.waits else function)


def _initialize(connection: Connection) -> Callable[[types.InitializeParams], None]:
    def initialize(params: types.InitializeParams) -> None:
        connection.loop = asyncio.get_running_loop()
        connection.initialization_options = params.initialization_options
        if _wants_to_pull(params):
            offer_to(connection, PULL)
            offer_to(connection, PULL_WORKSPACE)
        connection.loop.call_soon(_get_ready)

    return initialize


def _wants_to_pull(params: types.InitializeParams) -> bool:
    """Whether the client asks for findings and does not prefer to be told of them."""
    document, options = params.capabilities.text_document, params.initialization_options
    told = isinstance(options, Mapping) and options.get("diagnostics") == "push"
    return document is not None and document.diagnostic is not None and not told


def _get_ready() -> None:
    """Imports what analyses, while the client reads the answer to `initialize`."""
    importlib.import_module(_HANDLERS)
    garbage.settle_in()


def _handler(name: str) -> Callable[..., Any]:
    handler: Callable[..., Any] = getattr(importlib.import_module(_HANDLERS), name)
    return handler


def run() -> int:
    """Serves over standard input and output until the client ends it; the exit status that LSP asks for."""
    connection = create_connection()
    return serve(connection, connection.transport)
