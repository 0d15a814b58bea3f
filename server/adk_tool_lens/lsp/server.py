"""The language server's state: open documents, projects, and what the client shows of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from adk_tool_lens.declaration.client import default_cache_dir
from adk_tool_lens.ide import session
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.configuration import Configuration
from adk_tool_lens.ide.session import Project, Session, open_project
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.changes import Changes, Replacement
from adk_tool_lens.lsp.closed_files import ClosedFiles
from adk_tool_lens.lsp.documents import Document, Documents
from adk_tool_lens.lsp.environments import Environments
from adk_tool_lens.lsp.garbage import Garbage
from adk_tool_lens.lsp.index import index_progress
from adk_tool_lens.lsp.names import STATUS
from adk_tool_lens.lsp.notebooks import Notebooks
from adk_tool_lens.lsp.options import Options, read_options
from adk_tool_lens.lsp.pauses import PAUSE, Pauses
from adk_tool_lens.lsp.places import location
from adk_tool_lens.lsp.settings import report_settings
from adk_tool_lens.lsp.shown import Shown, message, moved, shown
from adk_tool_lens.lsp.views import Views
from adk_tool_lens.lsp.workspace_pull import WorkspacePull
from adk_tool_lens.rules.model import Finding, Related
from adk_tool_lens.source.rowtext import RowText

if TYPE_CHECKING:
    from adk_tool_lens.lsp.connection import Connection
    from adk_tool_lens.project.settings import Problem

log = logging.getLogger(__name__)


class Server:
    """The server's state, made once the client has said what it can do."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.loop = connection.loop
        self.texts = Documents()
        self.notebooks = Notebooks()
        self.options = read_options(connection.initialization_options)
        self.projects: dict[Path | None, Project] = {}
        self.reported: dict[Path, tuple[Problem, ...]] = {}
        """Settings files with the problems that the client was told of."""
        self.told: set[Problem] = set()
        """Problems of settings that stand in no file, told once."""
        self.variants: dict[tuple[Path | None, str], Project] = {}
        """Folders with another interpreter than their own, for previews."""
        self.session = Session(self.project_for, self.later)
        self.following = False
        self.shown: dict[str, tuple[Shown, ...]] = {}
        """What clients show of each document, moved along with edits."""
        self.pulled: set[str] = set()
        """Documents whose findings the client asks for; these are not pushed."""
        self.environments = Environments(self)
        self.views = Views(self)
        self.closed_files = ClosedFiles(self)
        self.workspace_pull = WorkspacePull(self)
        self.garbage = Garbage(self.loop)
        self.pauses = Pauses(self.loop, self.settle)
        """After an edit what is shown moves along; what it means is looked at in a pause."""
        self._unmoved: dict[str, list[Replacement]] = {}
        """Edits along which what is shown has not moved yet."""
        self._again: dict[str, asyncio.TimerHandle] = {}

    @property
    def encoding(self) -> convert.Encoding:
        """The position encoding agreed upon."""
        return self.connection.workspace.position_encoding or types.PositionEncodingKind.Utf16

    def send_json(self, body: str) -> None:
        """Effect: sends a message that is JSON already."""
        self.connection.send_json(body)

    def later(self, call: Callable[[], None]) -> None:
        """Runs a function on the event loop; callable from any thread."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(call)

    # ------------------------------------------------------------ projects

    def folder_of(self, path: Path | None) -> Path | None:
        """The innermost workspace folder that has a file."""
        folders = [convert.path_of(folder.uri) for folder in self.connection.workspace.folders.values()]
        around = [f for f in folders if f is not None and path is not None and f in path.parents]
        if around:
            return max(around, key=lambda folder: len(folder.parts))
        return next((f for f in folders if f is not None), path.parent if path else None)

    def project_for(self, path: Path | None) -> Project:
        """The project of a file; its environment is asked for in the background."""
        folder = self.folder_of(path)
        project = self.projects.get(folder)
        if project is None:
            choice = self.options.for_folder(folder)
            project = self.projects[folder] = open_project(
                folder,
                explicit=choice.explicit,
                editor=choice.editor,
                trusted=self.options.trusted,
                backend=choice.backend,
                cache_dir=default_cache_dir(),
                settings=Configuration(folder, over=choice.rules),
            )
            report_settings(self, project)
            self.tell_status(project, "starting")
            self.environments.ask(project)
            exclude = project.configured.settings.exclude
            self.session.start_index(project, *index_progress(self, project), exclude)
        return project

    def environment_came(self, project: Project) -> None:
        """Effect: tells what a project's interpreter has, and looks at its documents again."""
        environment = project.environment
        self.tell_status(project, "ready" if environment and not environment.problem else "no-adk")
        self.closed_files.look_soon()
        for uri, document in list(self.session.documents.items()):
            if document.project is project:
                self.second_wave(str(uri))

    def tell_status(self, project: Project, state: str) -> None:
        """Effect: tells the client which google-adk and back end are in use."""
        environment = project.environment
        self.connection.protocol.notify(
            STATUS,
            {
                "state": state,
                "adkVersion": environment.adk if environment else None,
                "backend": project.backend.value,
                "interpreter": project.interpreter.path,
                "message": (environment.problem if environment else None) or project.interpreter.why,
                "folder": convert.uri_of(project.folder) if project.folder else None,
            },
        )

    # ------------------------------------------------------------ documents

    def analysis(self, uri: str) -> tuple[Document, Analysis] | None:
        """An open document with the analysis of its newest text; a cell with the one of its notebook."""
        key = self.notebooks.key_of(uri)
        if key in self.pauses:
            self.settle(key)
        known = self.session.documents.get(key)
        if known is None or known.analysis is None:
            return None
        document = self._seen(uri, key)
        return None if document is None else (document, known.analysis)

    def _seen(self, uri: str, key: str) -> Document | None:
        """A document whose offsets are those of the text that its key is analysed with."""
        document = self.texts.by_uri.get(uri)
        notebook = self.notebooks.by_uri.get(key)
        if notebook is None:
            return document
        if document is None:
            return Document(uri, 0, notebook.text(self.texts))
        return notebook.seen_from(uri, document.version)

    def project_of(self, uri: str) -> Project:
        """The project that an open document is analysed in."""
        return self.session.documents[self.notebooks.key_of(uri)].project

    def path_of(self, uri: str) -> Path | None:
        """The file of a document: of a cell, that of its notebook."""
        return convert.path_of(self.notebooks.key_of(uri))

    def edited(self, changes: Changes) -> None:
        """Effect: takes edits, and plans to move what is shown along and the analysis for the next pause."""
        taken = self.texts.change(changes, self.encoding)
        if taken is None or taken[0].language != "python" or self.loop is None:
            return
        uri, (_, parts) = changes.uri, taken
        waiting = self._unmoved.get(uri)
        if waiting is None:
            self._unmoved[uri] = list(parts)
            self.loop.call_soon(self._send_moved, uri)
        else:
            waiting.extend(parts)
        self.pauses.edited(self.notebooks.key_of(uri))

    def _send_moved(self, uri: str, seen: int = 0) -> None:
        """Effect: publishes what is shown for the newest version, once no more edits have come in.

        The loop reads what has come behind the callbacks of the same turn, so this looks again a turn later.
        """
        came = len(self._unmoved.get(uri, ()))
        if came != seen and self.loop is not None:
            self.loop.call_soon(self._send_moved, uri, came)
        elif self._move(uri):
            document = self.texts.by_uri.get(uri)
            if document is not None and uri not in self.pulled:
                self.send_json(message(uri, document.version, self.shown.get(uri, ())))

    def _move(self, uri: str) -> bool:
        """Moves what is shown along with the edits that came; False when there were none."""
        changes = self._unmoved.pop(uri, ())
        if changes:
            units = partial(convert.units, encoding=self.encoding)
            self.shown[uri] = moved(self.shown.get(uri, ()), changes, units)
        return bool(changes)

    def settle(self, key: str) -> None:
        """Effect: analyses the newest text, publishes what that changes, and asks the worker for the rest."""
        self.pauses.forget(key)
        notebook, document = self.notebooks.by_uri.get(key), self.texts.by_uri.get(key)
        if notebook is not None:
            source: RowText = notebook.text(self.texts)
        elif document is not None and document.language == "python":
            source = document.source
        else:
            return
        self.session.update(key, convert.path_of(key), source)
        self.publish(key)
        report_settings(self, self.session.documents[key].project)
        self.session.fetch(key, lambda known: self.second_wave(str(known)))
        self.follow_soon()
        self.views.text_changed()
        self.garbage.later()

    def follow_soon(self) -> None:
        """Effect: plans to look again at the documents that depend on a change, once it has been answered."""
        if not self.following and self.loop is not None:
            self.following = True
            self.loop.call_later(PAUSE, self.follow)

    def follow(self) -> None:
        """Effect: reads a few of the files that depend on changed ones; publishes what follows from it."""
        self.following = False
        keys, more = self.session.settle()
        for key in keys:
            self.second_wave(str(key))
        if more:
            self.follow_soon()

    def opened(self, document: Document) -> None:
        """Effect: analyses a document that was opened and publishes, an empty list included."""
        if document.language == "python":
            self.shown.pop(document.uri, None)
            self._unmoved.pop(document.uri, None)
            self.closed_files.opened(document.uri)
            self.settle(self.notebooks.key_of(document.uri))

    def clear(self, uri: str) -> None:
        """Effect: takes back what is shown of a document."""
        self.shown.pop(uri, None)
        self._unmoved.pop(uri, None)
        self.pulled.discard(uri)
        self.send_json(message(uri, None, ()))

    def closed(self, uri: str) -> None:
        """Effect: forgets a document, or a notebook, and clears what was shown of it."""
        self.pauses.forget(uri)
        self.texts.close(uri)
        self.session.close(uri)
        self.clear(uri)
        self.follow_soon()
        self.views.text_changed()
        self.closed_files.look_soon()

    def second_wave(self, uri: str) -> None:
        """Effect: publishes again with the answers that have come; a newer text waits for its own turn."""
        if uri in self.session.documents and uri not in self.pauses:
            self.session.refresh(uri)
            self.publish(uri)
            self.views.answers_came()
            self.session.fetch(uri, lambda key: self.second_wave(str(key)))
            self._ask_again_later(uri)

    def _ask_again_later(self, uri: str) -> None:
        """Plans another wave where the worker could not answer: it may have recovered by then."""
        if self.session.is_owed_answers(uri) and self.loop is not None and uri not in self._again:
            self._again[uri] = self.loop.call_later(session.RETRY + 0.1, self._ask_again, uri)

    def _ask_again(self, uri: str) -> None:
        self._again.pop(uri, None)
        self.second_wave(uri)

    def publish(self, key: str) -> None:
        """Effect: publishes the diagnostics of a newest version, unless they are shown already."""
        for uri in self.notebooks.cells_of(key):
            found = self.analysis(uri)
            document = self.texts.by_uri.get(uri)
            if document is None or (found is None and key == uri):
                continue
            edited = self._move(uri)
            fresh = self.shown_of(*found) if found is not None else ()
            if uri not in self.pulled and (edited or fresh != self.shown.get(uri)):
                self.shown[uri] = fresh
                self.send_json(message(uri, document.version, fresh))

    def shown_of(self, document: Document, analysis: Analysis) -> tuple[Shown, ...]:
        """The findings of one version of a document, as the client shows them."""
        starts = analysis.module.starts
        able = convert.shows(self.connection.client_capabilities)
        placed = (
            (finding, analysis.module.absolute(finding.place))
            for finding in analysis.findings
            if finding.place.block in starts
        )
        return tuple(
            shown(
                convert.range_of(document.source, span, self.encoding),
                convert.rest_of(finding, able, self._related(finding, able)),
            )
            for finding, span in placed
            if document.source.covers(span)
        )

    def _related(self, finding: Finding, able: convert.Shows) -> list[dict[str, Any]]:
        """The other places of a finding, in files whose text is at hand."""
        if not able.related:
            return []
        return [entry for related in finding.related if (entry := self._related_entry(related))]

    def _related_entry(self, related: Related) -> dict[str, Any] | None:
        where = location(self, related.place)
        if where is None:
            return None
        start, end = where.range.start, where.range.end
        return {
            "location": {
                "uri": where.uri,
                "range": {
                    "start": {"line": start.line, "character": start.character},
                    "end": {"line": end.line, "character": end.character},
                },
            },
            "message": related.message,
        }

    def close_projects(self) -> None:
        """Effect: ends all workers."""
        for project in (*self.projects.values(), *self.variants.values()):
            project.close()
        self.projects.clear()
        self.variants.clear()
        self.session.forget_projects()

    def reconfigure(self, options: Options) -> None:
        """Effect: opens all projects anew under other settings."""
        self.options = options
        self.close_projects()
        for key in dict.fromkeys(map(self.notebooks.key_of, self.texts.by_uri)):
            self.session.close(key)
            self.settle(key)
