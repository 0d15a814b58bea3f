"""Reads and writes the protocol quickly, and keeps everything else off standard output.

pygls reads a line at a time on a thread and makes objects of each part of a message, which costs more than an
edit does. Here the event loop reads all that has come, and edits that have come together are handled as one.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import (
    FeatureNotificationError,
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.io_ import StdoutWriter
from pygls.protocol import LanguageServerProtocol, lsp_method

from adk_tool_lens.lsp.changes import Changes, changes_of
from adk_tool_lens.lsp.frames import Frames, parsed

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

log = logging.getLogger(__name__)

AT_ONCE = 1 << 18
"""Bytes that are read at once."""
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
    lsp_text_document__did_change = _ours(types.TEXT_DOCUMENT_DID_CHANGE)
    lsp_text_document__did_close = _ours(types.TEXT_DOCUMENT_DID_CLOSE)
    lsp_notebook_document__did_open = _ours(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    lsp_notebook_document__did_change = _ours(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    lsp_notebook_document__did_close = _ours(types.NOTEBOOK_DOCUMENT_DID_CLOSE)

    take_changes: Callable[[Changes], None]
    """Takes the edits that pass by pygls."""

    def take(self, bodies: Sequence[bytes]) -> None:
        """Effect: handles messages in order; neighbouring edits of one document are handled as one."""
        edits: Changes | None = None
        for data in parsed(bodies):
            new = changes_of(data)
            if edits is not None and new is not None and new.uri == edits.uri:
                edits = edits.then(new)
                continue
            if edits is not None:
                self._take_edits(edits)
            if new is None:
                self._take_message(data)
            edits = new
        if edits is not None:
            self._take_edits(edits)

    def _take_edits(self, edits: Changes) -> None:
        """What pygls does for a notification, without a future, a context and an identifier for each key."""
        if self._refusal(types.TEXT_DOCUMENT_DID_CHANGE) is not None:
            return
        try:
            self.take_changes(edits)
        except Exception as error:
            log.exception("cannot take a change of %s", edits.uri)
            self._server._report_server_error(error, FeatureNotificationError)

    def _take_message(self, data: Any) -> None:
        if isinstance(data, Exception):
            self._report(data)
            return
        try:
            self.handle_message(self.structure_message(data))
        except Exception as error:
            self._report(error)

    def _report(self, error: Exception) -> None:
        log.error("cannot handle a message", exc_info=error)
        self._server.report_server_error(error, JsonRpcException)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message in pygls's types; a request that has another shape is answered with an error at once."""
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
        refused = self._refusal(getattr(message, "method", None))
        if refused is None:
            super().handle_message(message)
        elif getattr(message, "id", None) is not None:
            self._send_response(message.id, error=refused.to_response_error())

    def _refusal(self, method: str | None) -> JsonRpcException | None:
        """Why a request or notification is not taken now, by the order that LSP asks for."""
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


def serve(server: LanguageServer, protocol: Protocol) -> int:
    """Serves over standard input and output until the client ends it.

    Returns:
        The exit status: 1 when the client asked for `exit` without `shutdown`, as LSP says.
    """
    protected = _protected_stdout()
    try:
        asyncio.run(_serve(protocol, protected))
    except BrokenPipeError:
        log.warning("the editor closed the connection")
    except KeyboardInterrupt:
        pass
    except SystemExit as end:  # how pygls answers `exit`
        return end.code if isinstance(end.code, int) else 0
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]  # pygls leaves it untyped
    return 0


def _protected_stdout() -> BinaryIO:
    """The real standard output; what anything else prints goes to standard error from now on."""
    sys.stdout.flush()
    protected = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return protected


async def _serve(protocol: Protocol, stdout: BinaryIO) -> None:
    protocol.set_writer(StdoutWriter(stdout))
    loop = asyncio.get_running_loop()
    incoming = _Incoming(protocol, loop.create_future())
    try:
        await loop.connect_read_pipe(lambda: incoming, sys.stdin)
    except (ValueError, NotImplementedError, OSError):  # no pipe: a file, or Windows
        _read_on_thread(loop, incoming)
    await incoming.ended


class _Incoming(asyncio.Protocol):
    """What comes in, handled as it comes."""

    def __init__(self, protocol: Protocol, ended: asyncio.Future[None]) -> None:
        self.ended = ended
        self._protocol = protocol
        self._frames = Frames()

    def data_received(self, data: bytes) -> None:
        self._protocol.take(self._frames.take(data))

    def take(self, data: bytes, taken: threading.Event) -> None:
        self.data_received(data)
        taken.set()

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


def _read_on_thread(loop: asyncio.AbstractEventLoop, incoming: _Incoming) -> None:
    def read() -> None:
        try:
            while data := os.read(sys.stdin.fileno(), AT_ONCE):
                taken = threading.Event()
                loop.call_soon_threadsafe(incoming.take, data, taken)
                taken.wait()  # so that no more is read than is handled
            loop.call_soon_threadsafe(incoming.connection_lost, None)
        except RuntimeError:
            log.debug("the server ended first")

    threading.Thread(target=read, name="standard input", daemon=True).start()
