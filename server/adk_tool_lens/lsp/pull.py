"""Diagnostics for clients that ask for them; what is asked for is not pushed, so nothing is shown twice."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.lsp.shown import Shown, message

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server


def pulled(
    server: Server, params: types.DocumentDiagnosticParams
) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
    """The findings of a document, or that they are the ones that the client has.

    The first time a document is asked about, what was pushed for it is taken back.
    """
    uri = params.text_document.uri
    if uri not in server.pulled:
        server.pulled.add(uri)
        server.send_json(message(uri, None, ()))
    found = server.analysis(uri)
    listed = server.shown_of(*found) if found is not None else ()
    key = key_of(listed)
    if params.previous_result_id == key:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=key)
    return types.RelatedFullDocumentDiagnosticReport(items=diagnostics(server, listed), result_id=key)


def diagnostics(server: Server, listed: tuple[Shown, ...]) -> list[types.Diagnostic]:
    """What is shown, in LSP's types."""
    converter = server.connection.protocol._converter
    found: list[types.Diagnostic] = converter.structure(
        [json.loads(each.json) for each in listed], list[types.Diagnostic]
    )
    return found


def key_of(listed: tuple[Shown, ...]) -> str:
    """A result id: the same for the same findings at the same places."""
    return hashlib.sha256("\n".join(each.json for each in listed).encode()).hexdigest()[:16]
