"""Code actions in LSP's types: what is offered at a range, and edits worked out when one is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.fixes.catalogue import fixes_of
from adk_tool_lens.ide import actions as ide_actions
from adk_tool_lens.ide.actions import Action, Context
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.refactorings import at_tool, refactorings
from adk_tool_lens.ide.rewriting import TITLES, concerned, file_edits, title_of
from adk_tool_lens.ide.taste import context_of
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.documents import Document
from adk_tool_lens.lsp.names import FIX_ALL, FIX_WORKSPACE, QUICK_FIX, REWRITE
from adk_tool_lens.lsp.writing import Writer

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server


_ALL_TITLE = "Fix all auto-fixable problems of ADK tools"


def writer_for(server: Server) -> Writer:
    """Writes edits as the server's client can take them."""
    return Writer(server.texts, server.encoding, server.connection.client_capabilities, server.notebooks)


def code_actions(
    server: Server, document: Document, analysis: Analysis, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """What can be done at a range, of the kinds that the client asks for."""
    only = params.context.only or []
    wanted = [str(getattr(kind, "value", kind)) for kind in only]
    writer = writer_for(server)
    offered = (
        writer.code_action(action, document, params.context.diagnostics)
        for action in _offers(server, document, analysis, params, wanted)
    )
    actions = [action for action in offered if action is not None]
    if _asked_for(REWRITE, wanted, unless_asked=True):
        span = convert.span_of(document.source, params.range, server.encoding)
        actions += _rewrites(server, document, analysis) if at_tool(analysis, span) else ()
    if _asked_for(FIX_ALL, wanted, unless_asked=False):
        actions += _fix_all(server, document, analysis)
    return actions


def _offers(
    server: Server,
    document: Document,
    analysis: Analysis,
    params: types.CodeActionParams,
    wanted: list[str],
) -> Iterator[Action]:
    span = convert.span_of(document.source, params.range, server.encoding)
    context = _context(server, document)
    if _asked_for(QUICK_FIX, wanted, unless_asked=True):
        yield from ide_actions.actions(analysis, span, context)
    if _asked_for(REWRITE, wanted, unless_asked=True):
        yield from refactorings(analysis, span, context)


def _context(server: Server, document: Document) -> Context:
    path = server.path_of(document.uri)
    return context_of(server.project_for(path), path, server.folder_of(path))


def _asked_for(kind: str, wanted: list[str], *, unless_asked: bool) -> bool:
    """Whether a client asked for a kind: `source` asks for `source.fixAll.adk-tool-lens`, too."""
    if not wanted:
        return unless_asked
    return any(kind == asked or kind.startswith(f"{asked}.") or not asked for asked in wanted)


def _rewrites(server: Server, document: Document, analysis: Analysis) -> Iterator[types.CodeAction]:
    """What can be done with the descriptions of the whole file, and of the workspace."""
    for kind in TITLES:
        tools = concerned(analysis, kind)
        title = title_of(kind, "file")
        if tools > 1 and writer_for(server).resolves:
            data = {"uri": document.uri, "version": document.version, "rewrite": kind}
            yield types.CodeAction(title, kind=REWRITE, data=data)
        elif tools > 1 and (edit := _rewrite_edit(server, document, analysis, kind)) is not None:
            yield types.CodeAction(title, kind=REWRITE, edit=edit)
        if tools and server.connection.workspace.folders:
            title = title_of(kind, "workspace")
            yield types.CodeAction(
                title, kind=REWRITE, command=types.Command(title, FIX_WORKSPACE, arguments=[kind])
            )


def _rewrite_edit(
    server: Server, document: Document, analysis: Analysis, kind: str
) -> types.WorkspaceEdit | None:
    edits = file_edits(analysis, kind, _context(server, document))
    title = title_of(kind, "file")
    return writer_for(server).document_edit(document, edits, title) if edits else None


def _fix_all(server: Server, document: Document, analysis: Analysis) -> Iterator[types.CodeAction]:
    """All safe repairs of a file; the edit is worked out on request where the client can ask for it."""
    if writer_for(server).resolves and any(map(fixes_of, analysis.findings)):
        data = {"uri": document.uri, "version": document.version}
        yield types.CodeAction(_ALL_TITLE, kind=FIX_ALL, data=data)
        return
    edit = _fix_all_edit(server, document, analysis)
    if edit is not None:
        yield types.CodeAction(_ALL_TITLE, kind=FIX_ALL, edit=edit)


def _fix_all_edit(server: Server, document: Document, analysis: Analysis) -> types.WorkspaceEdit | None:
    edits = ide_actions.fix_all(analysis, context=_context(server, document))
    return writer_for(server).document_edit(document, edits, _ALL_TITLE) if edits else None


def resolved(server: Server, action: types.CodeAction) -> types.CodeAction:
    """An action with its edit; without one when its document has changed since it was offered."""
    data = action.data if isinstance(action.data, Mapping) else {}
    found = server.analysis(str(data.get("uri")))
    if found is not None and found[0].version == data.get("version"):
        kind = str(data.get("rewrite"))
        rewritten = kind in TITLES
        action.edit = _rewrite_edit(server, *found, kind) if rewritten else _fix_all_edit(server, *found)
    return action
