"""Diagnostics for clients that ask for them; what is asked for is not pushed, so nothing is shown twice."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from adk_tool_lens.lsp.shown import Shown, message

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server


def register_pull(server: Server) -> None:
    """Effect: offers `textDocument/diagnostic`, when the client has it and does not prefer to be told."""
    document = server.client_capabilities.text_document
    if document is None or document.diagnostic is None or server.options.push_only:
        return
    options = types.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=False, identifier="adk-tool-lens"
    )

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    def on_diagnostic(params: types.DocumentDiagnosticParams) -> Any:
        return pulled(server, params)


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
    key = _key(listed)
    if params.previous_result_id == key:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=key)
    converter = server.protocol._converter
    items = converter.structure([json.loads(each.json) for each in listed], list[types.Diagnostic])
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=key)


def _key(listed: tuple[Shown, ...]) -> str:
    return hashlib.sha256("\n".join(each.json for each in listed).encode()).hexdigest()[:16]
