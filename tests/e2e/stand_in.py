"""A stand-in for the language server, to see what the extension does with answers that are rare.

Its first argument names a file: while that says `crash`, the server ends as soon as it is started.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

STATUS = "adkToolLens/status"
PREVIEW = "adkToolLens/preview"

server = LanguageServer("stand-in", "1", text_document_sync_kind=types.TextDocumentSyncKind.Full)


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: LanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    status: dict[str, Any] = {"state": "ready", "adkVersion": "0.0.0", "backend": "vertex"}
    status |= {"interpreter": "/nowhere/python", "message": "", "folder": None}
    ls.protocol.notify(STATUS, status)


@server.feature(PREVIEW)
def preview(ls: LanguageServer, params: Any) -> dict[str, str] | None:
    document = ls.workspace.get_text_document(params.textDocument.uri)
    before = document.lines[: params.position.line + 1]
    named = [line.removeprefix("def ").split("(")[0] for line in before if line.startswith("def ")]
    if not named:
        return None
    text = f'{{\n  "name": "{named[-1]}",\n  "lines": {len(document.lines)}\n}}'
    return {"title": named[-1], "languageId": "json", "text": text}


if __name__ == "__main__":
    if Path(sys.argv[1]).read_text("utf-8") == "crash":
        sys.exit(1)
    server.start_io()
