"""Lenses, hints and the tree of agents: what a client shows beside findings, and when it must ask again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from adk_tool_lens.ide.explorer import outline
from adk_tool_lens.ide.lenses import hints, lenses
from adk_tool_lens.lsp import convert, names

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server

SOON = 0.15
"""Seconds in which several answers lead to one request to ask again."""


def code_lenses(server: Server, uri: str) -> list[types.CodeLens] | None:
    """The lenses of a document; None when they are switched off."""
    found = server.analysis(uri)
    if found is None or not server.options.display_of(server.folder_of(server.path_of(uri))).lenses:
        return None
    document, analysis = found
    return [
        types.CodeLens(
            convert.range_of(document.source, lens.span, server.encoding),
            types.Command(lens.title, names.SHOW_PREVIEW, arguments=[uri, lens.subject]),
        )
        for lens in lenses(analysis)
        if document.source.covers(lens.span)
    ]


def inlay_hints(server: Server, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """The hints in a range; None when they are switched off."""
    uri = params.text_document.uri
    found = server.analysis(uri)
    if found is None or not server.options.display_of(server.folder_of(server.path_of(uri))).hints:
        return None
    document, analysis = found
    span = convert.span_of(document.source, params.range, server.encoding)
    return [
        types.InlayHint(
            convert.position(document.source, hint.offset, server.encoding),
            hint.label,
            tooltip=hint.explanation,
            padding_left=True,
        )
        for hint in hints(analysis, span)
    ]


class Views:
    """What clients show, as far as the server has to tell that it is out of date."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._planned = False
        self._answers = False
        self._files = False
        self.agents_asked = False
        """Whether the client shows the tree of agents."""
        self._outlines: dict[str, object] = {}

    def answers_came(self) -> None:
        """Effect: plans to ask the client to ask again, for answers change what it shows of the same text."""
        self._answers = True
        self._plan()

    def files_changed(self) -> None:
        """Effect: plans to tell that there may be agents in other files now."""
        self._files = True
        self._plan()

    def text_changed(self) -> None:
        """Effect: plans to see whether the tree of agents looks otherwise; the rest the client asks for."""
        if self.agents_asked:
            self._plan()

    def _plan(self) -> None:
        if not self._planned and self._server.loop is not None:
            self._planned = True
            self._server.loop.call_later(SOON, self._tell)

    def _tell(self) -> None:
        self._planned = False
        answers, self._answers = self._answers, False
        files, self._files = self._files, False
        if answers:
            self._refresh()
        if self.agents_asked and (self._outlines_changed() or files):
            self._server.connection.protocol.notify(names.AGENTS_CHANGED, {})

    def _refresh(self) -> None:
        workspace = self._server.connection.client_capabilities.workspace
        if workspace is None:
            return
        if workspace.code_lens and workspace.code_lens.refresh_support:
            self._server.connection.workspace_code_lens_refresh(None)
        if workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self._server.connection.workspace_inlay_hint_refresh(None)
        asks = self._server.pulled or self._server.workspace_pull.asked
        if asks and workspace.diagnostics and workspace.diagnostics.refresh_support:
            self._server.connection.workspace_diagnostic_refresh(None)

    def _outlines_changed(self) -> bool:
        before, self._outlines = self._outlines, self.outlines()
        return before != self._outlines

    def outlines(self) -> dict[str, object]:
        """What the tree shows of open documents, without the places, which move with every line."""
        documents = self._server.session.documents.items()
        return {str(uri): _shape(d.analysis) for uri, d in documents if d.analysis is not None}

    def agents_shown(self) -> None:
        """Effect: notes that the client has the tree as it is now."""
        self.agents_asked = True
        self._outlines = self.outlines()


def _shape(analysis: Any) -> object:
    return [
        (
            a.name,
            a.kind,
            a.model,
            a.gaps,
            a.sub_agents,
            a.tokens,
            a.problems,
            [_tool_shape(t) for t in a.tools],
        )
        for a in outline(analysis)
    ]


def _tool_shape(tool: Any) -> object:
    return (tool.name, tool.kind, tool.detail, tool.tokens, tool.problems)
