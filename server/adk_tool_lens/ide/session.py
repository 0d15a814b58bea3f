"""The state of a running server or command: projects with their interpreters, and open documents.

Everything that is shown comes from here as an `Analysis`. Typing is answered from what is known; what only
the worker can tell follows in a second wave (`refresh`).
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Answer, Backend, Environment, Request, Unavailable
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.find import Discovery
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.ide.analysis import Analysis, Ask, ToolReport, analyse
from adk_tool_lens.ide.configuration import Configuration, Configured
from adk_tool_lens.ide.index import Index, Progress
from adk_tool_lens.ide.index_cache import IndexCache
from adk_tool_lens.ide.links import registered
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.project.interpreters import Interpreter, choose
from adk_tool_lens.rules.model import Facts, Finding
from adk_tool_lens.source.rowtext import RowText

log = logging.getLogger(__name__)
RETRY = 10.0
"""Seconds before the worker is asked again what it could not answer."""


@dataclass
class Project:
    """One workspace folder with the interpreter whose google-adk counts there."""

    folder: Path | None
    interpreter: Interpreter
    client: DeclarationClient
    workspace: Workspace
    backend: Backend = Backend.GEMINI
    environment: Environment | None = None
    """What the interpreter has installed, once it has said so."""
    failed: dict[Request, tuple[Unavailable, float]] = field(default_factory=dict)
    """What the worker could not answer, and when."""
    cache_dir: Path | None = None
    """Where the index is kept between runs."""
    index: Index | None = None
    """What the files of the project register, once it is known."""
    missed: list[Path] | None = None
    """While an index is built: the files that changed on disk meanwhile."""
    configuration: Configuration = field(default_factory=Configuration)
    backend_is_chosen: bool = False
    """Whether somebody chose the back end, so that no file of settings decides."""

    @property
    def configured(self) -> Configured:
        """The settings of the folder."""
        return self.configuration.base

    @property
    def facts(self) -> Facts:
        """What rules may know of the environment and of the folder's settings."""
        return self.facts_of(None)

    def facts_of(self, path: Path | None) -> Facts:
        """What rules may know of the environment and of the settings that count for a file."""
        configured = self.configuration.of(path)
        backend = self.backend
        if configured is not self.configured and not self.backend_is_chosen:
            backend = Backend(configured.settings.backend or Backend.GEMINI)
        return Facts(
            self.environment.adk if self.environment else None,
            backend,
            configured.settings.adk_version,
            configured.numbers,
            configured.selection,
        )

    @property
    def python(self) -> tuple[int, int]:
        """The interpreter's version, as far as the text of a condition depends on it."""
        if self.environment is None or not self.environment.python:
            return (3, 12)
        major, minor, *_ = self.environment.python.split(".")
        return int(major), int(minor)

    def known(self, request: Request) -> Answer | None:
        """The answer to a request if it can be had without waiting; why there is none, if that is known."""
        if self.environment is None:
            return None
        if self.environment.problem:
            return Unavailable(self.environment.problem)
        answer = self.client.peek(request)
        if answer is not None or request not in self.failed:
            return answer
        failure, since = self.failed[request]
        if time.monotonic() - since < RETRY:
            return failure
        del self.failed[request]
        return None

    def failure(self, request: Request, answer: Unavailable) -> None:
        """Notes that the worker could not answer, so that it is not asked the same again at once."""
        log.info("no declaration: %s", answer.reason)
        now = time.monotonic()
        self.failed = {one: known for one, known in self.failed.items() if now - known[1] < RETRY}
        self.failed[request] = (answer, now)

    def elsewhere(self, module: Module, world: World) -> tuple[Discovery, ...]:
        """What other files register, of those that register tools of a module."""
        if self.index is None:
            return ()
        modules = (self.workspace.module_at(path) for path in self.index.registering(module.path))
        return tuple(registered(other, world) for other in modules if other is not None)

    def analysed(self, module: Module, ask: Ask, world: World | None = None) -> Analysis:
        """A module under the settings that count for its file, with what other files register.

        Args:
            module: The text.
            ask: Gives the answers about tools.
            world: How other modules are found; None makes the one of the workspace.
        """
        world = world or self.workspace.world(self.python)
        return analyse(module, world, ask, self.facts_of(module.path), self.elsewhere(module, world))

    def close(self) -> None:
        """Ends the worker."""
        self.client.close()


def open_project(  # noqa: PLR0913 - settings, all with a default
    folder: Path | None,
    *,
    explicit: str | None = None,
    editor: str | None = None,
    trusted: bool = True,
    backend: Backend | None = None,
    cache_dir: Path | None = None,
    settings: Configuration | None = None,
) -> Project:
    """A project for a folder; nothing is started yet."""
    configuration = settings or Configuration(folder)
    explicit = explicit or (configuration.base.interpreter if trusted else None)
    own = backend or Backend(configuration.base.settings.backend or Backend.GEMINI)
    interpreter = choose(folder, explicit=explicit, editor=editor, trusted=trusted)
    log.info("interpreter for %s: %s (%s)", folder, interpreter.path, interpreter.why)
    client = DeclarationClient(interpreter.path, cache_dir=cache_dir)
    roots = (folder,) if folder is not None else ()
    workspace = Workspace(roots, interpreter.path)
    return Project(
        folder,
        interpreter,
        client,
        workspace,
        own,
        cache_dir=cache_dir,
        configuration=configuration,
        backend_is_chosen=backend is not None,
    )


def index_of(
    workspace: Workspace,
    roots: tuple[Path, ...],
    exclude: tuple[str, ...] = (),
    cache_dir: Path | None = None,
) -> Index:
    """An index of folders, not yet built."""
    key = "\n".join([workspace.interpreter, *exclude])
    return Index(roots, exclude, None if cache_dir is None else IndexCache(cache_dir, roots, key))


def analyse_now(project: Project, module: Module) -> Analysis:
    """An analysis that waits for the worker, as a command line does."""
    if project.environment is None:
        project.environment = project.client.environment()
    return project.analysed(module, project.client.declare)


@dataclass
class OpenDocument:
    """A document in the editor and what is known of its newest version."""

    path: Path | None
    project: Project
    module: Module
    analysis: Analysis | None = None
    waiting: set[Request] = field(default_factory=set)


class Session:
    """Open documents and their projects.

    Args:
        project_for: Gives the project of a file.
        later: Runs a function on the session's own thread; called from any thread.
    """

    def __init__(
        self,
        project_for: Callable[[Path | None], Project],
        later: Callable[[Callable[[], None]], None],
    ) -> None:
        self._project_for = project_for
        self._later = later
        self.documents: dict[Hashable, OpenDocument] = {}
        self._indexed: list[Project] = []
        """Projects with an index, also while no document of theirs is open."""

    def update(self, key: Hashable, path: Path | None, text: str | RowText) -> Analysis:
        """Takes a new text over and analyses it from what is known."""
        known = self.documents.get(key)
        project = known.project if known is not None else self._project_for(path)
        if project.workspace.memo is None:
            project.workspace.memo = Memo()
        before = known.module if known is not None else None
        module = project.workspace.module_of(text, path, before)
        if path is not None:
            project.workspace.overlays[path] = module
        document = OpenDocument(path, project, module, known.analysis if known else None)
        self.documents[key] = document
        return self.refresh(key)

    def refresh(self, key: Hashable) -> Analysis:
        """Analyses the text at hand again, with the answers that have come since."""
        document = self.documents[key]
        project = document.project
        world = project.workspace.world(project.python)
        analysis = project.analysed(document.module, project.known, world)
        document.analysis = steady(analysis, document.analysis)
        if project.index is not None and document.path is not None:
            project.index.opened(document.module, world)
        return document.analysis

    def fetch(self, key: Hashable, done: Callable[[Hashable], None]) -> None:
        """Asks the worker for what is missing; calls `done` on the session's thread when it has come."""
        document = self.documents[key]
        if document.analysis is None or document.project.environment is None:
            return
        missing = [r for r in dict.fromkeys(document.analysis.pending) if r not in document.waiting]
        document.waiting.update(missing)
        left = len(missing)

        def one_less(request: Request, answer: Answer) -> None:
            nonlocal left
            left -= 1
            if isinstance(answer, Unavailable):
                document.project.failure(request, answer)
            if left == 0 and self.documents.get(key) is document:
                document.waiting.clear()
                done(key)

        for request in missing:
            future = document.project.client.submit(request)
            future.add_done_callback(self._on_own_thread(partial(one_less, request)))

    def is_owed_answers(self, key: Hashable) -> bool:
        """Whether the worker could not answer what is asked of a document, and may do so later."""
        document = self.documents[key]
        if document.analysis is None or not document.project.failed:
            return False
        reports = (*document.analysis.reports, *document.analysis.foreign)
        return any(report.request in document.project.failed for report in reports)

    def _on_own_thread(self, take: Callable[[Answer], None]) -> Callable[[Future[Answer]], None]:
        return lambda future: self._later(partial(take, future.result()))

    def close(self, key: Hashable) -> None:
        """Forgets a document; the file on disk counts again."""
        document = self.documents.pop(key, None)
        if document is not None and document.path is not None:
            document.project.workspace.overlays.pop(document.path, None)
            self._take_over_disk(document.project, [document.path])

    # ------------------------------------------------------------ the index

    def start_index(
        self, project: Project, progress: Progress, done: Callable[[], None], exclude: tuple[str, ...] = ()
    ) -> None:
        """Builds a project's index on a thread of its own.

        Args:
            project: Its folder is looked at.
            progress: Told how far it is, on the session's thread.
            done: Called on the session's thread when the index is in use.
            exclude: Patterns of paths to leave out.
        """
        if project.folder is None:
            return
        self._indexed.append(project)
        project.missed = []
        own = Workspace((project.folder,), project.workspace.interpreter)
        index = index_of(own, (project.folder,), exclude, project.cache_dir)

        def build() -> None:
            try:
                index.build(own, own.world(project.python), lambda a, b: self._later(lambda: progress(a, b)))
            except Exception:
                log.exception("the index of %s could not be built", project.folder)
            self._later(take_over)

        def take_over() -> None:
            for problem in index.problems:
                log.info("index: %s", problem)
            project.index = index
            missed, project.missed = project.missed, None
            self._take_over_disk(project, missed or [])
            for key, document in self.documents.items():
                if document.project is project:
                    self.refresh(key)
            done()

        threading.Thread(target=build, name="index", daemon=True).start()

    def on_disk(self, paths: Iterable[Path]) -> None:
        """Effect: takes over that files were created, changed or deleted."""
        changed = list(paths)
        for project in self.projects():
            if project.missed is not None:
                project.missed += changed
            self._take_over_disk(project, changed)

    def _take_over_disk(self, project: Project, changed: list[Path]) -> None:
        index = project.index
        opened = [d.path for d in self.documents.values() if d.path is not None]
        if index is not None and index.on_disk(changed, opened):
            self._files_moved(project)

    def _files_moved(self, project: Project) -> None:
        project.workspace.files_moved()
        if project.workspace.memo is not None:
            project.workspace.memo.entries.clear()
        for document in self.documents.values():
            if document.project is project and document.path is not None:
                document.module = project.workspace.overlays.get(document.path, document.module)

    def projects(self) -> list[Project]:
        """The projects that are in use: of open documents, and those with an index."""
        every = (*self._indexed, *(document.project for document in self.documents.values()))
        return list({id(project): project for project in every}.values())

    def forget_projects(self) -> None:
        """Effect: lets go of the projects without open documents, for they are opened anew."""
        self._indexed.clear()

    def settle(self, most: int = 16) -> tuple[list[Hashable], bool]:
        """Effect: reads files again that depend on changed ones.

        Args:
            most: How many files to read of a project at most, so that the session's thread stays free.

        Returns:
            The documents that may have to be refreshed, and whether there is more to do.
        """
        keys: list[Hashable] = []
        for project in self.projects():
            if project.index is None:
                continue
            touched = project.index.settle(project.workspace, project.workspace.world(project.python), most)
            keys += [
                key for key, d in self.documents.items() if d.project is project and str(d.path) in touched
            ]
        return keys, any(project.index is not None and project.index.dirty for project in self.projects())


def steady(analysis: Analysis, before: Analysis | None) -> Analysis:
    """Keeps what was shown of tools whose new declaration is still being built.

    Only findings that were there before are kept: nothing is reported for a declaration that is out of date.
    """
    if before is None or not analysis.pending:
        return analysis
    answered = {r.tool.qualname: r for r in before.reports if r.answer is not None}
    reports = tuple(_with_old_answer(report, answered) for report in analysis.reports)
    stale = replace(analysis, reports=reports)
    kept = [f for r in reports if r.stale for f in _still_true(stale, r, before)]
    return replace(analysis, reports=reports, findings=(*analysis.findings, *kept))


def _with_old_answer(report: ToolReport, answered: dict[str, ToolReport]) -> ToolReport:
    old = answered.get(report.tool.qualname)
    if report.answer is not None or old is None:
        return report
    return replace(report, answer=old.answer, stale=True)


def _still_true(analysis: Analysis, report: ToolReport, before: Analysis) -> Iterable[Finding]:
    known = {(f.rule, f.message) for f in before.findings}
    return [f for f in analysis.check(report) if (f.rule, f.message) in known]
