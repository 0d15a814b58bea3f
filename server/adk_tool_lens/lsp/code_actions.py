"""Code actions in LSP's types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.ide import actions as ide_actions
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.documents import Document

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server

FIX_ALL = "source.fixAll.adk-tool-lens"


def code_actions(
    server: Server, document: Document, analysis: Analysis, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """What can be done at a range, of the kinds that the client asks for."""
    only = params.context.only or []
    wanted = [str(getattr(kind, "value", kind)) for kind in only]
    actions: list[types.CodeAction] = []
    if _asked_for(types.CodeActionKind.QuickFix.value, wanted, unless_asked=True):
        span = convert.span_of(document.source, params.range, server.encoding)
        actions += [
            _quick_fix(server, document, action, params) for action in ide_actions.actions(analysis, span)
        ]
    if _asked_for(FIX_ALL, wanted, unless_asked=False):
        edits = ide_actions.fix_all(analysis)
        if edits:
            changes = convert.text_edits(document.source, edits, server.encoding)
            title = "Fix all auto-fixable problems of ADK tools"
            edit = _workspace_edit(server, document, changes)
            actions.append(types.CodeAction(title, kind=FIX_ALL, edit=edit))
    return actions


def _asked_for(kind: str, wanted: list[str], *, unless_asked: bool) -> bool:
    """Whether a client asked for a kind: `source` asks for `source.fixAll.adk-tool-lens`, too."""
    if not wanted:
        return unless_asked
    return any(kind == asked or kind.startswith(f"{asked}.") or not asked for asked in wanted)


def _quick_fix(
    server: Server, document: Document, action: ide_actions.Action, params: types.CodeActionParams
) -> types.CodeAction:
    edits = [edit for own in action.edits.values() for edit in own]
    changes = convert.text_edits(document.source, edits, server.encoding)
    rule = action.finding.rule if action.finding else None
    diagnostics = [d for d in params.context.diagnostics if d.source == convert.SOURCE and d.code == rule]
    return types.CodeAction(
        action.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=diagnostics or None,
        is_preferred=action.preferred or None,
        edit=_workspace_edit(server, document, changes),
    )


def _workspace_edit(server: Server, document: Document, changes: list[types.TextEdit]) -> types.WorkspaceEdit:
    workspace = server.client_capabilities.workspace
    edit = workspace.workspace_edit if workspace else None
    if edit is not None and edit.document_changes:
        item = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(item, list(changes))])
    return types.WorkspaceEdit(changes={document.uri: changes})
