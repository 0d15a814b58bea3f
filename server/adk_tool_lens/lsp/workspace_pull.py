"""Findings of the whole workspace for clients that ask for them, instead of being told.

A client that takes the answer in parts may ask once and wait: it gets what it does not know yet file by
file, and an answer when there is more (LSP 3.17, "Workspace Diagnostics"). Any other client is answered at
once, and is told to ask again when something has changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.lsp.closed_files import SOON, closed_findings
from adk_tool_lens.lsp.pull import diagnostics, key_of
from adk_tool_lens.lsp.shown import Shown

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server

Report = types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport
Found = tuple[str, int | None, tuple[Shown, ...]]
"""The URI of a document, its version when it is open, and its findings."""


class WorkspacePull:
    """What the client knows of the workspace's findings."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._changed = asyncio.Event()
        self._over = False
        self._waits = False
        self.asked = False
        """Whether the client asks for the workspace's findings; those of closed files are not pushed then."""

    def files_changed(self) -> None:
        """Effect: answers who waits when closed files have other findings, and tells others to ask again."""
        self._changed.set()
        if self.asked and not self._waits:
            self._server.views.answers_came()

    def end(self) -> None:
        """Effect: answers who still waits."""
        self._over = True
        self._changed.set()

    async def answer(self, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
        """What the client does not know yet; with a token for parts, not before there is something."""
        if not self.asked:
            self.asked = True
            self._server.closed_files.look_soon()
        known = {each.uri: each.value for each in params.previous_result_ids}
        token = params.partial_result_token
        if token is None:
            return types.WorkspaceDiagnosticReport([report async for report in self._reports(known)])
        self._waits = True
        while not await self._send_parts(known, token) and not self._over:
            await self._changed.wait()
            await asyncio.sleep(0 if self._over else SOON)
        return types.WorkspaceDiagnosticReport([])

    async def _send_parts(self, known: Mapping[str, str], token: types.ProgressToken) -> bool:
        self._changed.clear()
        sent = False
        async for report in self._reports(known):
            if isinstance(report, types.WorkspaceFullDocumentDiagnosticReport):
                self._send_part(token, types.WorkspaceDiagnosticReport([report]))
                sent = True
        return sent

    def _send_part(self, token: types.ProgressToken, part: types.WorkspaceDiagnosticReport) -> None:
        protocol = self._server.connection.protocol
        value = protocol._converter.unstructure(part, types.WorkspaceDiagnosticReport)
        protocol.notify(types.PROGRESS, types.ProgressParams(token, value))

    async def _reports(self, known: Mapping[str, str]) -> AsyncIterator[Report]:
        """One report for each document; an empty one for those that the client knows and that are gone."""
        seen: set[str] = set()
        async for uri, version, listed in self._found():
            seen.add(uri)
            key = key_of(listed)
            if known.get(uri) == key:
                yield types.WorkspaceUnchangedDocumentDiagnosticReport(uri, result_id=key, version=version)
            elif listed or uri in known:
                yield self._full(uri, version, listed, key)
        for uri in known.keys() - seen:
            if known[uri] != key_of(()):
                yield self._full(uri, None, (), key_of(()))

    def _full(self, uri: str, version: int | None, listed: tuple[Shown, ...], key: str) -> Report:
        items = diagnostics(self._server, listed)
        return types.WorkspaceFullDocumentDiagnosticReport(uri, items, version=version, result_id=key)

    async def _found(self) -> AsyncIterator[Found]:
        server = self._server
        for uri, document in list(server.texts.by_uri.items()):
            found = server.analysis(uri)
            if found is not None:
                yield uri, document.version, server.shown_of(*found)
        if server.options.whole_workspace is False:
            return
        async for uri, listed in closed_findings(server):
            if listed is not None:
                yield uri, None, listed
