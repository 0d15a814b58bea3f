"""The language server's handlers: fetch the analysis, call `ide`, convert."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from lsprotocol import types

from adk_tool_lens.ide.definition import definition
from adk_tool_lens.ide.hover import hover
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.code_actions import KINDS, code_actions, resolved
from adk_tool_lens.lsp.explorer import AGENT_TOOLS, AGENTS, agent_tools, agents
from adk_tool_lens.lsp.fix_workspace import COMMAND as FIX_WORKSPACE
from adk_tool_lens.lsp.fix_workspace import fix_workspace
from adk_tool_lens.lsp.index import register_watchers
from adk_tool_lens.lsp.options import read_options
from adk_tool_lens.lsp.previews import ENVIRONMENTS, PREVIEW, environments, previewed
from adk_tool_lens.lsp.pull import register_pull
from adk_tool_lens.lsp.server import Server
from adk_tool_lens.lsp.transport import serve
from adk_tool_lens.lsp.views import code_lenses, inlay_hints


def create_server() -> Server:
    """A server with its handlers, not yet running."""
    server = Server()
    _lifecycle(server)
    _documents(server)
    _language_features(server)
    _code_actions(server)
    _index(server)
    _previews(server)
    _views(server)
    return server


def _lifecycle(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.loop = asyncio.get_running_loop()
        server.options = read_options(params.initialization_options)
        logging.getLogger("adk_tool_lens").setLevel(server.options.log_level)
        register_pull(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        options = read_options(params.settings)
        if options != server.options:
            server.reconfigure(options)
        server.options = options
        logging.getLogger("adk_tool_lens").setLevel(options.log_level)
        server.views.answers_came()
        server.closed_files.look_soon()

    @server.feature(types.SHUTDOWN)
    def shutdown(_params: None) -> None:
        server.close_projects()


def _documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.opened(server.texts.open(params.text_document))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        item = params.text_document
        document = server.texts.change(item.uri, item.version, params.content_changes, server.encoding)
        if document is not None:
            server.edited(document, params.content_changes)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        if params.text_document.uri in server.texts.by_uri:
            server.closed(params.text_document.uri)


def _language_features(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def on_hover(params: types.HoverParams) -> types.Hover | None:
        found = server.analysis(params.text_document.uri)
        if found is None:
            return None
        document, analysis = found
        card = hover(analysis, convert.offset_of(document.source, params.position, server.encoding))
        if card is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, card.markdown)
        return types.Hover(content, convert.range_of(document.source, card.span, server.encoding))


def _code_actions(server: Server) -> None:
    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(list(KINDS), resolve_provider=True)
    )
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        found = server.analysis(params.text_document.uri)
        return [] if found is None else code_actions(server, *found, params)

    @server.feature(types.CODE_ACTION_RESOLVE)
    def resolve(params: types.CodeAction) -> types.CodeAction:
        return resolved(server, params)

    @server.command(FIX_WORKSPACE)
    async def fix_all_files(*_arguments: Any) -> types.WorkspaceEdit | None:
        return await fix_workspace(server)


def _index(server: Server) -> None:
    @server.feature(types.INITIALIZED)
    def initialized(_params: types.InitializedParams) -> None:
        register_watchers(server)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: types.DidChangeWatchedFilesParams) -> None:
        paths = [
            path for path in (convert.path_of(change.uri) for change in params.changes) if path is not None
        ]
        if any(path.name == "pyproject.toml" for path in paths):
            server.reconfigure(server.options)
        server.session.on_disk(paths)
        server.follow_soon()
        server.views.files_changed()
        server.closed_files.look_soon()

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def on_definition(params: types.DefinitionParams) -> types.Location | None:
        found = server.analysis(params.text_document.uri)
        if found is None:
            return None
        document, analysis = found
        offset = convert.offset_of(document.source, params.position, server.encoding)
        place = definition(analysis, offset)
        return None if place is None else server.location(place)


def _previews(server: Server) -> None:
    @server.feature(PREVIEW)
    async def on_preview(params: Any) -> dict[str, Any] | None:
        return await previewed(server, params)

    @server.feature(ENVIRONMENTS)
    def on_environments(params: Any) -> list[dict[str, Any]]:
        return environments(server, params)


def _views(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def on_code_lens(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        return code_lenses(server, params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def on_inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        return inlay_hints(server, params)

    @server.feature(AGENTS)
    async def on_agents(_params: Any) -> list[dict[str, Any]]:
        return await agents(server)

    @server.feature(AGENT_TOOLS)
    async def on_agent_tools(params: Any) -> dict[str, Any] | None:
        return await agent_tools(server, params)


def run() -> None:
    """Serves over standard input and output until the client ends it."""
    serve(create_server())
