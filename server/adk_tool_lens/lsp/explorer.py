"""`adkToolLens/agents` and `adkToolLens/agentTools`: the agents of the workspace with their tools."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.explorer import AgentItem, ToolItem, outline
from adk_tool_lens.ide.session import Project
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.places import location

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server


async def agents(server: Server) -> list[dict[str, Any]]:
    """The answer to `adkToolLens/agents`: all agents, with figures where they are known already."""
    found: list[dict[str, Any]] = []
    async for project, analysis in _analyses(server):
        folder = convert.uri_of(project.folder) if project.folder else None
        known = not analysis.pending
        found += [_agent(server, item, folder, known=known) for item in outline(analysis)]
    server.views.agents_shown()
    return sorted(found, key=_order)


def _order(row: dict[str, Any]) -> tuple[str, str, int]:
    """By folder, file and line: opening a file moves nothing."""
    where = row["location"]
    if where is None:
        return (row["folder"] or "", "", 0)
    return (row["folder"] or "", where["uri"], where["range"]["start"]["line"])


async def _analyses(server: Server) -> AsyncIterator[tuple[Project, Analysis]]:
    """The files that may create agents: open ones as they are, others from what is known of them."""
    seen: set[Path] = set()
    for uri, document in list(server.session.documents.items()):
        current = server.analysis(str(uri))
        if current is not None:
            if document.path is not None:
                seen.add(document.path)
            yield document.project, current[1]
    for project in _projects(server):
        for path in map(Path, sorted(project.index.links)) if project.index is not None else ():
            module = project.workspace.module_at(path) if path not in seen else None
            seen.add(path)
            if module is not None:
                yield project, analysed(project, module)
                await asyncio.sleep(0)  # other requests come in between


def _projects(server: Server) -> list[Project]:
    """The projects of all workspace folders."""
    for folder in list(server.connection.workspace.folders.values()):
        path = convert.path_of(folder.uri)
        if path is not None:
            server.project_for(path / "__init__.py")
    return list(server.projects.values())


def analysed(project: Project, module: Module) -> Analysis:
    """A file that is not open, from what is known."""
    peek = project.client.peek if project.environment is not None else lambda _request: None
    return project.analysed(module, peek)


async def agent_tools(server: Server, params: Any) -> dict[str, Any] | None:
    """The answer to `adkToolLens/agentTools`: one agent, with the figures of all its tools."""
    uri, subject = str(getattr(params, "uri", "")), str(getattr(params, "subject", ""))
    path = server.path_of(uri)
    project = server.project_for(path)
    analysis = await _complete(server, project, uri, path)
    if analysis is None:
        return None
    folder = convert.uri_of(project.folder) if project.folder else None
    items = (item for item in outline(analysis) if item.subject == subject)
    return next((_agent(server, item, folder, known=True) for item in items), None)


async def _complete(server: Server, project: Project, uri: str, path: Path | None) -> Analysis | None:
    """An analysis with every answer that the worker can give."""
    if project.environment is None:
        await asyncio.get_running_loop().run_in_executor(None, project.client.environment)
        await asyncio.sleep(0)
    analysis = _at_hand(server, project, uri, path)
    if analysis is not None and analysis.pending:
        await asyncio.gather(*(asyncio.wrap_future(project.client.submit(r)) for r in analysis.pending))
        if server.notebooks.key_of(uri) in server.session.documents:
            server.second_wave(server.notebooks.key_of(uri))
        analysis = _at_hand(server, project, uri, path)
    return analysis


def _at_hand(server: Server, project: Project, uri: str, path: Path | None) -> Analysis | None:
    current = server.analysis(uri)
    if current is not None:
        return current[1]
    module = project.workspace.module_at(path) if path is not None else None
    return analysed(project, module) if module is not None else None


# ---------------------------------------------------------------- on the wire


def _agent(server: Server, item: AgentItem, folder: str | None, *, known: bool) -> dict[str, Any]:
    return {
        "name": item.name,
        "kind": item.kind,
        "model": item.model,
        "subject": item.subject,
        "folder": folder,
        "location": _location(server, item.place),
        "tools": [_tool(server, tool) for tool in item.tools],
        "gaps": list(item.gaps),
        "subAgents": list(item.sub_agents),
        "tokens": item.tokens,
        "problems": item.problems,
        "complete": known,
    }


def _tool(server: Server, item: ToolItem) -> dict[str, Any]:
    return {
        "name": item.name,
        "kind": item.kind,
        "detail": item.detail,
        "subject": item.subject,
        "location": _location(server, item.place),
        "tokens": item.tokens,
        "problems": item.problems,
    }


def _location(server: Server, place: Place) -> dict[str, Any] | None:
    where = location(server, place)
    if where is None:
        return None
    start, end = where.range.start, where.range.end
    return {
        "uri": where.uri,
        "range": {
            "start": {"line": start.line, "character": start.character},
            "end": {"line": end.line, "character": end.character},
        },
    }
