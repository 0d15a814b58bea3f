"""The language server's handlers: fetch the analysis, call `ide`, convert.

`lsp.connection.OFFERS` says which method each of them answers.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from lsprotocol import types

from adk_tool_lens.declaration.client import default_cache_dir
from adk_tool_lens.discovery.resolve import resolve
from adk_tool_lens.ide.definition import definition, unfollowed
from adk_tool_lens.ide.hover import hover
from adk_tool_lens.ide.rewriting import TITLES
from adk_tool_lens.lsp import convert, notebooks
from adk_tool_lens.lsp.changes import Changes
from adk_tool_lens.lsp.code_actions import code_actions, resolved
from adk_tool_lens.lsp.explorer import agent_tools, agents
from adk_tool_lens.lsp.fix_workspace import fix_workspace
from adk_tool_lens.lsp.index import register_watchers
from adk_tool_lens.lsp.options import read_options
from adk_tool_lens.lsp.places import location, location_of
from adk_tool_lens.lsp.previews import environments, previewed
from adk_tool_lens.lsp.pull import pulled
from adk_tool_lens.lsp.server import Server
from adk_tool_lens.lsp.settings import settings_changed
from adk_tool_lens.lsp.views import code_lenses, inlay_hints
from adk_tool_lens.project.requirement import FILES

# ------------------------------------------------------------ the session


def initialized(server: Server, _params: types.InitializedParams) -> None:
    """The client is ready to be asked."""
    logging.getLogger("adk_tool_lens").setLevel(server.options.log_level)
    register_watchers(server)


def did_change_configuration(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """The editor's settings changed."""
    options = read_options(params.settings, trusted=server.options.trusted)
    if options != server.options:
        server.reconfigure(options)
    server.options = options
    logging.getLogger("adk_tool_lens").setLevel(options.log_level)
    server.views.answers_came()
    server.closed_files.look_soon()


def did_change_watched_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Files changed on disk."""
    paths = [path for path in (convert.path_of(change.uri) for change in params.changes) if path is not None]
    if any(path.name in FILES for path in paths):
        server.reconfigure(server.options)
        settings_changed(server, [path for path in paths if path.name == "pyproject.toml"])
    server.session.on_disk(paths)
    server.follow_soon()
    server.views.files_changed()
    server.closed_files.look_soon()


def shutdown(server: Server, _params: None) -> None:
    """The client ends the session."""
    server.workspace_pull.end()
    server.close_projects()


# ------------------------------------------------------------ documents


def did_open(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """A document was opened."""
    server.opened(server.texts.open(params.text_document))


def did_change(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """A document was edited."""
    server.edited(Changes.of(params.text_document, params.content_changes))


def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """A document was closed."""
    if params.text_document.uri in server.texts.by_uri:
        server.closed(params.text_document.uri)


def did_open_notebook(server: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    """A notebook was opened."""
    notebooks.opened(server, params)


def did_change_notebook(server: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    """A notebook was edited, or cells of it were run."""
    notebooks.changed(server, params)


def did_close_notebook(server: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    """A notebook was closed."""
    notebooks.closed(server, params)


# ------------------------------------------------------------ what the client asks


def on_diagnostic(server: Server, params: types.DocumentDiagnosticParams) -> Any:
    """The findings of a document."""
    return pulled(server, params)


async def on_workspace_diagnostic(server: Server, params: types.WorkspaceDiagnosticParams) -> Any:
    """The findings of the workspace."""
    return await server.workspace_pull.answer(params)


def on_hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    """What the model is told by what the pointer is on."""
    found = server.analysis(params.text_document.uri)
    if found is None:
        return None
    document, analysis = found
    offset = convert.offset_of(document.source, params.position, server.encoding)
    card = hover(analysis, offset, server.project_of(params.text_document.uri).client.sooner_or_later)
    if card is None:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, card.markdown)
    return types.Hover(content, convert.range_of(document.source, card.span, server.encoding))


async def on_definition(server: Server, params: types.DefinitionParams) -> types.Location | None:
    """Where the tool or agent of an entry is defined."""
    found = server.analysis(params.text_document.uri)
    if found is None:
        return None
    document, analysis = found
    offset = convert.offset_of(document.source, params.position, server.encoding)
    place = definition(analysis, offset)
    if place is not None:
        return location(server, place)
    question = unfollowed(analysis, offset, server.project_of(params.text_document.uri).workspace)
    if question is None:
        return None
    return location_of(server, await asyncio.to_thread(resolve, question, default_cache_dir()))


def on_code_action(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The repairs at a place."""
    found = server.analysis(params.text_document.uri)
    return [] if found is None else code_actions(server, *found, params)


def on_resolve(server: Server, params: types.CodeAction) -> types.CodeAction:
    """The edit of an action that was chosen."""
    return resolved(server, params)


async def fix_all_files(server: Server, *arguments: Any) -> types.WorkspaceEdit | None:
    """Repairs all files of the workspace, or rewrites them in the way that is named."""
    rewrite = next((each for each in arguments if isinstance(each, str) and each in TITLES), "")
    return await fix_workspace(server, rewrite)


def on_code_lens(server: Server, params: types.CodeLensParams) -> list[types.CodeLens] | None:
    """The lenses of a document."""
    return code_lenses(server, params.text_document.uri)


def on_inlay_hint(server: Server, params: types.InlayHintParams) -> list[types.InlayHint] | None:
    """The hints in a range."""
    return inlay_hints(server, params)


async def on_preview(server: Server, params: Any) -> dict[str, Any] | None:
    """What the model sees of a tool or agent."""
    return await previewed(server, params)


def on_environments(server: Server, params: Any) -> list[dict[str, Any]]:
    """The environments near a document."""
    return environments(server, params)


async def on_agents(server: Server, _params: Any) -> list[dict[str, Any]]:
    """The agents of the workspace."""
    return await agents(server)


async def on_agent_tools(server: Server, params: Any) -> dict[str, Any] | None:
    """The tools of an agent."""
    return await agent_tools(server, params)
