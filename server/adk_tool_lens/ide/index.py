"""Which files of a workspace register tools, and which files define them.

Every file is looked at as text; only those that can have to do with agents are read further (see
`project/survey.py`), with the modules that this leads to. What is kept of each is plain data: the files
it was read from, and the files that define its tools. From that follows who must be asked about the
tools of a file, and who must be read again when a file changes. The index knows no editor; it is built
on any thread with modules of its own, and belongs to the session's thread afterwards.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.ide.index_cache import IndexCache, Known, Saved
from adk_tool_lens.ide.links import Links, linked
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.project.files import UnreadableError, read_bytes
from adk_tool_lens.project.ignore import WANTED
from adk_tool_lens.project.scan import Stamp, belongs, scan, stamp_of
from adk_tool_lens.project.survey import (
    NOTHING,
    FileFacts,
    candidates,
    of_bytes,
    of_edited,
    paths_to,
    styles_of,
    total,
)

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Called with how many steps are done, and of how many."""


@dataclass
class Index:
    """The files of some folders and what registers tools among them."""

    roots: tuple[Path, ...]
    exclude: tuple[str, ...] = ()
    cache: IndexCache | None = None
    stamps: dict[str, Stamp] = field(default_factory=dict)
    facts: dict[str, FileFacts] = field(default_factory=dict)
    links: dict[str, Links] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    """What was left out, and why, for the log."""
    dirty: dict[str, None] = field(default_factory=dict)
    """Files that may register other tools than their links say."""
    touched: set[str] = field(default_factory=set)
    """Files whose tools may be registered otherwise since `settle` was last called."""
    _versions: dict[str, Module] = field(default_factory=dict)
    _closed_styles: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The styles of files that no editor has, by the folder they are below; empty once one has changed."""
    _news: bool = False
    """Whether there is more to save than was loaded."""

    # ------------------------------------------------------------ building

    def build(
        self,
        workspace: Workspace,
        world: World,
        progress: Progress = lambda _done, _total: None,
        wanted: Iterable[Path] | None = None,
    ) -> None:
        """Effect: looks at all files.

        Args:
            workspace: Reads modules.
            world: How names are read in it.
            progress: Told how far it is.
            wanted: Only what may register tools of these files is read; None for all.
        """
        saved = self.cache.load() if self.cache is not None else Saved()
        names = None if wanted is None else [str(path) for path in wanted]
        self._scan(names or ())
        self._survey(saved)
        found = candidates(self.facts)
        for path in found:
            links = self._kept_links(saved.files.get(path))
            if links is not None:
                self.links[path] = links
        todo = sorted(found if names is None else found & paths_to(names, self.facts))
        for done, path in enumerate(todo):
            progress(done, len(todo))
            if path not in self.links:
                self.links[path] = self.read(path, workspace, world)
                self._news = True
        progress(len(todo), len(todo))
        if self.cache is not None and self._news:
            self.cache.save(self.known())

    def _scan(self, wanted: Iterable[str]) -> None:
        for root in self.roots:
            found = scan(root, self.exclude)
            self.stamps.update(found.files)
            self.problems += found.problems
        for path in wanted:
            stamp = None if path in self.stamps else stamp_of(path)
            if stamp is not None:
                self.stamps[path] = stamp

    def _survey(self, saved: Saved) -> None:
        for path, stamp in self.stamps.items():
            plain = saved.plain.get(path)
            if plain is not None and plain == [*stamp]:
                self.facts[path] = NOTHING
                continue
            before = saved.files.get(path)
            if before is not None and before.stamp == stamp:
                self.facts[path] = before.facts
            else:
                self.facts[path] = self._look(path)
                self._news = True
        self._news |= len(saved.plain) + len(saved.files) != len(self.stamps)

    def _look(self, path: str) -> FileFacts:
        try:
            return of_bytes(read_bytes(path), path)
        except OSError as error:
            self.problems.append(f"{path}: cannot be read: {error.strerror or error}")
        except UnreadableError as error:
            self.problems.append(str(error))
        return NOTHING

    def _kept_links(self, known: Known | None) -> Links | None:
        """Links from the cache, while every file they were read from is the same."""
        if known is None or known.reads is None:
            return None
        for path, stamp in known.reads.items():
            if (self.stamps.get(path) or stamp_of(path)) != stamp:
                return None
        return Links(frozenset(known.reads), known.concerns)

    def read(self, path: str, workspace: Workspace, world: World) -> Links:
        """What a file registers now."""
        module = workspace.module_at(Path(path))
        if module is None:
            self.problems.append(f"{path}: cannot be read as Python text and was left out")
            return Links(frozenset({path}), frozenset())
        return self._linked(module, path, world)

    def _linked(self, module: Module, path: str, world: World) -> Links:
        """What a module registers; a fault of ours in one file does not cost the index of all others."""
        try:
            return linked(module, world)
        except Exception:
            log.exception("the index cannot follow %s", path)
            self.problems.append(f"{path}: left out, by a fault in adk-tool-lens; its log has the details")
            return Links(frozenset({path}), frozenset())

    def known(self) -> Saved:
        """All that is worth keeping for the next start."""
        plain: dict[str, Stamp] = {}
        files: dict[str, Known] = {}
        for path, stamp in self.stamps.items():
            facts = self.facts[path]
            if facts is NOTHING:
                plain[path] = stamp
                continue
            links = self.links.get(path)
            reads = None if links is None or path in self.dirty else self._stamped(links.reads)
            files[path] = Known(stamp, facts, reads, frozenset() if links is None else links.concerns)
        return Saved(plain, files)

    def _stamped(self, paths: Iterable[str]) -> dict[str, Stamp] | None:
        stamps = {path: self.stamps.get(path) or stamp_of(path) for path in paths}
        kept = {path: stamp for path, stamp in stamps.items() if stamp is not None}
        return kept if len(kept) == len(stamps) else None

    # ------------------------------------------------------------ asking

    def registering(self, path: Path | None) -> tuple[Path, ...]:
        """The other files that register tools which a file defines or lists, in order."""
        name = str(path)
        return tuple(Path(p) for p in sorted(self.links) if p != name and name in self.links[p].concerns)

    def readers(self, path: str) -> list[str]:
        """The other files whose registrations depend on what a file says."""
        return sorted(p for p, links in self.links.items() if path in links.reads and p != path)

    def styles(self, folder: Path) -> tuple[int, ...]:
        """How many docstrings the files below a folder have of each style; see `FileFacts`."""
        below = f"{folder}{os.sep}"
        edited = [
            styles_of(module.blocks)
            for path, module in self._versions.items()
            if path.startswith(below) and self.facts.get(path, NOTHING) is not NOTHING
        ]
        return total([self._styles_on_disk(below), *edited])

    def _styles_on_disk(self, below: str) -> tuple[int, ...]:
        """As `styles`, of the files that no editor has."""
        known = self._closed_styles.get(below)
        if known is None:
            closed = (f.styles for path, f in self.facts.items() if path.startswith(below))
            known = self._closed_styles[below] = total(closed)
        return known

    # ------------------------------------------------------------ changes

    def opened(self, module: Module, world: World) -> None:
        """Effect: takes over the version of a file that an editor has, where it is new."""
        if module.path is None or self._versions.get(str(module.path)) is module:
            return
        path = str(module.path)
        if path not in self._versions:
            self._closed_styles.clear()
        self._versions[path] = module
        self.facts[path] = of_edited(module.text, path)
        self.dirty.update(dict.fromkeys(self.readers(path)))
        self.dirty.pop(path, None)
        links = Links(frozenset({path}), frozenset())
        if self._may_register(path):
            links = self._linked(module, path, world)
        before = self.links.get(path)
        self.links[path] = links
        self.touched |= links.concerns | (before.concerns if before is not None else frozenset())

    def changed(self, path: str) -> None:
        """Effect: takes over that a file has another text on disk; what depends on it becomes dirty."""
        self.facts[path] = self._look(path)
        self._versions.pop(path, None)
        self._closed_styles.clear()
        self.dirty.update(dict.fromkeys(self.readers(path)))
        if path in self.links or self._may_register(path):
            self.dirty[path] = None

    def _may_register(self, path: str) -> bool:
        near = {known: FileFacts(adk=True, speaks=True) for known in self.links}
        near[path] = self.facts[path]
        return path in candidates(near)

    def gone(self, path: str) -> None:
        """Effect: forgets a file that was deleted."""
        before = self.links.get(path)
        self.touched |= before.concerns if before is not None else frozenset()
        self.dirty.update(dict.fromkeys(self.readers(path)))
        for table in (self.facts, self.stamps, self.links, self.dirty, self._versions):
            table.pop(path, None)
        self._closed_styles.clear()

    def on_disk(self, paths: Iterable[Path], open_paths: Iterable[Path] = ()) -> bool:
        """Effect: looks at files that were created, changed or deleted on disk.

        Args:
            paths: The files, or folders that came or went.
            open_paths: Files whose text in an editor counts instead of the one on disk.

        Returns:
            Whether files came or went, so that imports may lead elsewhere.
        """
        open_ = {str(path) for path in open_paths}
        moved = False
        for path in self._files_of(paths):
            stamp = stamp_of(path) if self._belongs(path) else None
            moved |= (stamp is None) is (path in self.stamps)
            if stamp is None and path not in open_:
                self.gone(path)
            elif stamp is not None:
                self.stamps[path] = stamp
                if path not in open_:
                    self.changed(path)
        if moved:
            self.dirty.update(dict.fromkeys(self.links))
        return moved

    def _files_of(self, paths: Iterable[Path]) -> list[str]:
        """Files, with a folder standing for those that were or are below it."""
        found: dict[str, None] = {}
        for path in paths:
            if path.suffix in WANTED:
                found[str(path)] = None
                continue
            below = f"{path}{os.sep}"
            found.update(dict.fromkeys(p for p in self.stamps if p.startswith(below)))
            if path.is_dir() and any(belongs(root, path, self.exclude) for root in self.roots):
                found.update(dict.fromkeys(scan(path).files))
        return list(found)

    def _belongs(self, path: str) -> bool:
        """Whether the index has a file, or would have found it when it was built."""
        return path in self.stamps or any(belongs(root, Path(path), self.exclude) for root in self.roots)

    def settle(self, workspace: Workspace, world: World, most: int = 1_000_000) -> set[str]:
        """Effect: reads dirty files again.

        Args:
            workspace: Reads modules.
            world: How names are read in it.
            most: How many files to read at most.

        Returns:
            The files whose tools may be registered otherwise than before.
        """
        touched, self.touched = self.touched, set()
        for path in list(self.dirty)[:most]:
            del self.dirty[path]
            before = self.links.get(path)
            if path in self.facts:
                self.links[path] = self.read(path, workspace, world)
                touched |= self.links[path].concerns
            touched |= before.concerns if before is not None else frozenset()
            touched.add(path)
        return touched
