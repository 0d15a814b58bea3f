"""The modules of a project, read when first needed and kept while their text stays the same."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path

from adk_tool_lens.declaration.worker import is_allowed_module
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.project.interpreters import site_packages
from adk_tool_lens.project.modules import file_of, is_installed, is_standard, module_name, read_text
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
        text = read_text(path)
        module = None if text is None else self.module_of(text, path)
        self._modules[path] = (stamp, module)
        return module

    def module_of(self, text: str | RowText, path: Path | None, before: Module | None = None) -> Module:
        """The module that a text is, reusing the blocks and names of an earlier version."""
        source = text
        if isinstance(source, str):
            source = RowText.of(source, before.blocks if before is not None else ())
        if before is not None and before.path == path:
            name = before.name
        else:
            name = module_name(path)[0] if path is not None else "__main__"
        package = path is not None and path.stem == "__init__"
        return Module(source, name=name, path=path, package=package, before=before)

    def world(self, python: tuple[int, int] = (3, 12)) -> World:
        """What reading expressions needs."""
        site = site_packages(self.interpreter) if self.interpreter else ()

        def find(name: str, importer: Module) -> Module | None:
            if not name or is_allowed_module(name) or name.partition(".")[0] == "google":
                return None
            roots = self._roots_for(importer)
            path = file_of(name, roots)
            if path is None and not is_standard(name):
                path = file_of(name, site)
            return None if path is None else self.module_at(path)

        def importable(name: str) -> bool:
            if is_standard(name) or is_installed(name, site):
                return True
            return file_of(name, self.roots) is not None or not site

        seen: dict[Hashable, Module | None] = {}

        def look(key: Hashable) -> Module | None:
            if key not in seen:
                seen[key] = self.module_at(key) if isinstance(key, Path) else None
            return seen[key]

        return World(find=find, importable=importable, python=python, memo=self.memo, look=look)

    def _roots_for(self, importer: Module) -> tuple[Path, ...]:
        """Where absolute imports of a module look first: its own import root, then the workspace."""
        if importer.path is None:
            return self.roots
        own = module_name(importer.path)[1]
        extra = [folder for root in self.roots for folder in (root, root / "src")]
        return tuple(dict.fromkeys([own, own.parent, *extra]))
