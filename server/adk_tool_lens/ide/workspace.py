"""The modules of a project, read when first needed and kept while their text stays the same."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path

from adk_tool_lens.declaration.worker import is_allowed_module
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.discovery.module import FileKey, Module
from adk_tool_lens.ide.exports import exports
from adk_tool_lens.project.files import UnreadableError, read, read_bytes
from adk_tool_lens.project.interpreters import site_packages
from adk_tool_lens.project.modules import file_of, is_installed, is_standard, module_name
from adk_tool_lens.project.notebooks import SUFFIX, text_of
from adk_tool_lens.project.scan import Stamp, stamp_of
from adk_tool_lens.source.cells import CellsText
from adk_tool_lens.source.rowtext import RowText


@dataclass
class Workspace:
    """Modules by path; texts of open editors win over the disk."""

    roots: tuple[Path, ...] = ()
    interpreter: str = ""
    overlays: dict[Path, Module] = field(default_factory=dict)
    memo: Memo | None = None
    """Set by a server, which sees many versions of the same files."""
    _modules: dict[Path, tuple[float, Module | None]] = field(default_factory=dict)
    _speaks: dict[Path, tuple[Stamp | None, bool]] = field(default_factory=dict)

    def module_at(self, path: Path) -> Module | None:
        """The module of a file: the editor's version, else the one on disk."""
        if path in self.overlays:
            return self.overlays[path]
        try:
            stamp = path.stat().st_mtime_ns
        except OSError:
            return None
        known = self._modules.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        try:
            module = self.module_of(read(path).text, path)
        except UnreadableError:
            module = None
        self._modules[path] = (stamp, module)
        return module

    def module_of(self, text: str | RowText, path: Path | None, before: Module | None = None) -> Module:
        """The module that a text is, reusing the blocks and names of an earlier version.

        Raises:
            UnreadableError: it is said to be a notebook's file and is none.
        """
        source = _source(text, path, before) if isinstance(text, str) else text
        if before is not None and before.path == path:
            name = before.name
        else:
            name = module_name(path)[0] if path is not None else "__main__"
        package = path is not None and path.stem == "__init__"
        return Module(source, name=name, path=path, package=package, before=before)

    def files_moved(self) -> None:
        """Effect: takes over that files came or went: with an `__init__.py`, modules get other names."""
        for path, (_, module) in list(self._modules.items()):
            if module is not None and module.name != module_name(path)[0]:
                del self._modules[path]
        for path, module in self.overlays.items():
            if module.name != module_name(path)[0]:
                self.overlays[path] = self.module_of(module.source, path)

    def speaks_of_agents(self, path: Path) -> bool:
        """Whether a file speaks of agents; told by its text alone."""
        if path in self.overlays:
            return "gent" in self.overlays[path].text
        stamp = stamp_of(path)
        known = self._speaks.get(path)
        if known is None or known[0] != stamp:
            try:
                known = (stamp, b"gent" in read_bytes(path))
            except OSError:
                known = (stamp, False)
            self._speaks[path] = known
        return known[1]

    def world(  # noqa: C901 - closures over what is found once
        self, python: tuple[int, int] = (3, 12)
    ) -> World:
        """What reading expressions needs."""
        site = site_packages(self.interpreter) if self.interpreter else ()

        seen: dict[Hashable, Module | None] = {}
        files: dict[tuple[str, Path | None], Path | None] = {}

        def look(key: Hashable) -> Module | None:
            if key not in seen:
                seen[key] = self.module_at(Path(key)) if isinstance(key, FileKey) else None
            return seen[key]

        def file(name: str, importer: Module) -> Path | None:
            """The file of a project's module, looked for once as long as the world lasts."""
            key = (name, importer.path.parent if importer.path is not None else None)
            if key not in files:
                files[key] = file_of(name, self._roots_for(importer))
            return files[key]

        def find(name: str, importer: Module) -> Module | None:
            if not name or is_allowed_module(name) or name.partition(".")[0] == "google":
                return None
            path = file(name, importer)
            if path is None and not is_standard(name):
                path = file_of(name, site)
            return None if path is None else look(FileKey(path))

        def star(library: str, name: str) -> bool:
            path = None if is_standard(library) else file_of(library, site)
            return exports(library, None if path is None else look(FileKey(path)), name)

        def importable(name: str) -> bool:
            if is_standard(name) or is_installed(name, site):
                return True
            return file_of(name, self.roots) is not None or not site

        def speaks(name: str, importer: Module) -> bool:
            if not name or is_allowed_module(name) or name.partition(".")[0] == "google" or is_standard(name):
                return False
            path = file(name, importer)
            return path is not None and self.speaks_of_agents(path)

        return World(
            find=find,
            importable=importable,
            exports=star,
            speaks=speaks,
            python=python,
            memo=self.memo,
            look=look,
        )

    def search_path(self, importer: Module) -> tuple[Path, ...]:
        """Where imports of a module look, as far as files tell: the project, then what is installed."""
        return self._roots_for(importer) + (site_packages(self.interpreter) if self.interpreter else ())

    def _roots_for(self, importer: Module) -> tuple[Path, ...]:
        """Where absolute imports of a module look: its own import root, then all folders up to the workspace.

        Which of them is on `sys.path` depends on how the project is started.
        """
        if importer.path is None:
            return self.roots
        own = module_name(importer.path)[1]
        found = [own, own.parent]
        for root in self.roots:
            if root in own.parents:
                found += [folder for folder in own.parents if folder == root or root in folder.parents]
            found += [root, root / "src"]
        return tuple(dict.fromkeys(found))


def _source(text: str, path: Path | None, before: Module | None) -> RowText:
    """A file's text; of a notebook, its Python."""
    if path is None or path.suffix != SUFFIX:
        return RowText.of(text, before.blocks if before is not None else ())
    known = before.source.cells if before is not None and isinstance(before.source, CellsText) else ()
    return text_of(text, str(path), known)
