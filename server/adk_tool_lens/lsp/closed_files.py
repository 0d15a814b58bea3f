"""Findings of files that no editor has open, for clients that want those of the whole workspace."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.session import Project
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.documents import Document
from adk_tool_lens.lsp.explorer import analysed
from adk_tool_lens.lsp.shown import Shown, message
from adk_tool_lens.project.notebooks import SUFFIX

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server

log = logging.getLogger(__name__)
SOON = 0.3
"""Seconds without another change after which closed files are looked at."""


class ClosedFiles:
    """What is shown of files that are not open."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._shown: dict[str, tuple[Shown, ...]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def look_soon(self) -> None:
        """Effect: plans to publish what is found in closed files, when that is wanted at all."""
        loop = self._server.loop
        self._server.workspace_pull.files_changed()
        if loop is None or not (self._wanted or self._shown):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_later(SOON, self._start)

    @property
    def _wanted(self) -> bool:
        """Whether the client wants to be told; one that asks is not told as well."""
        return self._server.options.whole_workspace is True and not self._server.workspace_pull.asked

    def opened(self, uri: str) -> None:
        """Effect: leaves a file to its editor, which shows what is found in its own text."""
        self._shown.pop(uri, None)

    def _start(self) -> None:
        self._timer = None
        if self._task is not None and not self._task.done():
            self.look_soon()
            return
        self._task = asyncio.ensure_future(self._look())

    async def _look(self) -> None:
        seen: set[str] = set()
        if self._wanted:
            async for uri, listed in closed_findings(self._server):
                seen.add(uri)
                if listed is not None:
                    self._send(uri, listed)
        for uri in [uri for uri in self._shown if uri not in seen]:
            self._send(uri, ())
            self._shown.pop(uri, None)

    def _send(self, uri: str, fresh: tuple[Shown, ...]) -> None:
        if fresh != self._shown.get(uri, ()):
            self._server.send_json(message(uri, None, fresh))
        if fresh:
            self._shown[uri] = fresh
        else:
            self._shown.pop(uri, None)


async def closed_findings(server: Server) -> AsyncIterator[tuple[str, tuple[Shown, ...] | None]]:
    """What is found in each closed file; None for one that cannot be read, or was opened meanwhile."""
    for project in list(server.projects.values()):
        for path in _files(project):
            uri = convert.uri_of(path)
            if uri in server.texts.by_uri:
                continue
            found = await _complete(project, path)
            if found is None or uri in server.texts.by_uri:
                yield uri, None
            else:
                yield uri, server.shown_of(Document(uri, 0, found.module.source), found)


def _files(project: Project) -> list[Path]:
    """The files in which tools are defined or registered; a closed notebook has no lines to show them at."""
    if project.index is None or project.environment is None:
        return []
    links = project.index.links
    every = set(map(Path, links)) | {Path(path) for each in links.values() for path in each.concerns}
    excludes = project.configuration.excludes
    own = (path for path in every if project.folder in path.parents and not excludes(path))
    return sorted(path for path in own if path.suffix != SUFFIX)


async def _complete(project: Project, path: Path) -> Analysis | None:
    """A file with every answer that the worker can give."""
    module = project.workspace.module_at(path)
    if module is None:
        return None
    analysis = analysed(project, module)
    if analysis.pending:
        await asyncio.gather(*(asyncio.wrap_future(project.client.submit(r)) for r in analysis.pending))
        analysis = analysed(project, module)
    await asyncio.sleep(0)  # other requests come in between
    return analysis
