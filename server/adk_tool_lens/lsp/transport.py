"""Reads and writes the protocol quickly, and keeps everything else off standard output.

pygls reads standard input line by line on a thread, which costs several thread switches a message; on pipes
the event loop itself can read (`asyncio` on POSIX).
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import (
    FeatureNotificationError,
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.io_ import StdoutWriter, run_async
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

log = logging.getLogger(__name__)


_ANSWERED = object()
"""Stands for a message that was answered while it was read."""


def _ours(method: str) -> Any:
    """What stands in place of pygls's own handler of a method: only ours is called."""

    @lsp_method(method)
    def handler(self: LanguageServerProtocol, params: Any) -> Generator[Any, Any, None]:
        yield self.fm.features[method], (params,), None

    return handler


class Protocol(LanguageServerProtocol):
    """pygls's protocol without its own documents (`Documents` keeps the texts), and with ready-made JSON."""

    lsp_text_document__did_open = _ours(types.TEXT_DOCUMENT_DID_OPEN)
    lsp_text_document__did_close = _ours(types.TEXT_DOCUMENT_DID_CLOSE)
    lsp_notebook_document__did_open = _ours(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    lsp_notebook_document__did_change = _ours(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    lsp_notebook_document__did_close = _ours(types.NOTEBOOK_DOCUMENT_DID_CLOSE)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message in pygls's types; a request that has another shape is answered with an error at once."""
        if "jsonrpc" not in data:
            return data
        if data.get("method") == types.TEXT_DOCUMENT_DID_CHANGE and (change := _change(data)) is not None:
            return change
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" not in data or "method" not in data:
                raise
            self._send_response(data["id"], error=error.to_response_error())
            return _ANSWERED

    def handle_message(self, message: Any) -> None:
        """Handles a message; requests before `initialize` and after `shutdown` are answered with errors."""
        if message is _ANSWERED:
            return
        refused = self._refusal(message)
        if refused is None and isinstance(message, types.DidChangeTextDocumentNotification):
            self._handle_change(message.params)
        elif refused is None:
            super().handle_message(message)
        elif getattr(message, "id", None) is not None:
            self._send_response(message.id, error=refused.to_response_error())

    def _handle_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """What pygls does for a notification, without a future, a context and an identifier for each key."""
        try:
            self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE](params)
        except Exception as error:
            log.exception("cannot take a change of %s", params.text_document.uri)
            self._server._report_server_error(error, FeatureNotificationError)

    def _refusal(self, message: Any) -> JsonRpcException | None:
        """Why a request or notification is not taken now, by the order that LSP asks for."""
        method = getattr(message, "method", None)
        if method in {None, types.INITIALIZE, types.EXIT}:
            return None
        if self._shutdown:
            return JsonRpcInvalidRequest("the server is shutting down")
        if self._workspace is None:
            return JsonRpcServerNotInitialized("`initialize` has to come first")
        return None

    def send_json(self, body: str) -> None:
        """Effect: sends a message that is JSON already; ASCII only, so that its length is its bytes."""
        if self.writer is not None:
            self.writer.write(f"Content-Length: {len(body)}\r\n\r\n{body}".encode("ascii"))


def _change(data: dict[str, Any]) -> types.DidChangeTextDocumentNotification | None:
    """An edit as editors send it, read without cattrs; None leaves anything else to it."""
    try:
        params = data["params"]
        document, changes = params["textDocument"], params["contentChanges"]
        version, uri = document["version"], document["uri"]
        if type(version) is not int or type(uri) is not str or type(changes) is not list:
            return None
        parts = [_partial(change) for change in changes]
    except (KeyError, TypeError, ValueError):
        return None
    identifier = types.VersionedTextDocumentIdentifier(version, uri)
    return types.DidChangeTextDocumentNotification(types.DidChangeTextDocumentParams(identifier, parts))


def _partial(change: dict[str, Any]) -> types.TextDocumentContentChangePartial:
    start, end = change["range"]["start"], change["range"]["end"]
    text = change["text"]
    if type(text) is not str:
        raise TypeError(text)
    where = types.Range(
        types.Position(start["line"], start["character"]), types.Position(end["line"], end["character"])
    )
    return types.TextDocumentContentChangePartial(where, text)


def serve(server: LanguageServer) -> None:
    """Serves over standard input and output until the client ends it."""
    protected = _protected_stdout()
    try:
        asyncio.run(_serve(server, protected))
    except BrokenPipeError:
        log.warning("the editor closed the connection")
    except (KeyboardInterrupt, SystemExit):
        pass
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]  # pygls leaves it untyped


def _protected_stdout() -> BinaryIO:
    """The real standard output; what anything else prints goes to standard error from now on."""
    sys.stdout.flush()
    protected = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return protected


async def _serve(server: LanguageServer, stdout: BinaryIO) -> None:
    protocol = server.protocol
    protocol.set_writer(StdoutWriter(stdout))
    server._stop_event = stop = threading.Event()
    reader: Any = await _pipe_reader()
    if reader is None:
        from pygls.io_ import StdinAsyncReader

        reader = StdinAsyncReader(sys.stdin.buffer, server.thread_pool)
    await run_async(stop, reader, protocol, log, server.report_server_error)


async def _pipe_reader() -> asyncio.StreamReader | None:
    """Standard input read by the event loop; None where it is no pipe (Windows, files)."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 20, loop=loop)
    try:
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader, loop=loop), sys.stdin)
    except (ValueError, NotImplementedError, OSError):
        return None
    return reader
