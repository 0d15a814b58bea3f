"""Finds the Python files and notebooks of a workspace folder without reading them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adk_tool_lens.project.ignore import WANTED, Rules, ignored, rules_above, rules_in, rules_of

SKIPPED = frozenset(
    ".git .hg .svn .venv venv node_modules __pycache__ .tox .nox .mypy_cache .ruff_cache "  # noqa: SIM905
    ".pytest_cache .ipynb_checkpoints .eggs site-packages".split()
)
"""Folders that never hold a project's own tools."""
MAX_FILES = 200_000


Stamp = tuple[int, int]
"""What tells whether a file has changed: its time of change in nanoseconds, and its size."""


@dataclass
class Scan:
    """The files of a folder by path, as text because paths are slow; and what was left out, for the log."""

    files: dict[str, Stamp] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def scan(root: Path, exclude: Sequence[str] = ()) -> Scan:
    """All Python files and notebooks below a folder.

    What git ignores is left out, as are virtual environments, caches, excluded paths, folders that cannot
    be read (they are named) and links back to folders that were seen.

    Args:
        root: The folder; it is looked at even when git ignores it.
        exclude: Patterns in the form of `.gitignore`, relative to the folder.
    """
    found = Scan()
    top = str(root)
    rules = list(rules_above(top))
    excluded = rules_of(top, exclude)
    walk = _Walk(found, excluded, set())
    walk.folder(top, rules)
    return found


@dataclass
class _Walk:
    """One run over a folder."""

    found: Scan
    excluded: Rules | None
    seen: set[tuple[int, int]]

    def folder(self, top: str, rules: Sequence[Rules]) -> None:
        """Effect: adds the files of a folder and of those below it, in sorted order."""
        todo: list[tuple[str, Sequence[Rules]]] = [(top, rules)]
        while todo:
            path, around = todo.pop()
            entries = self._entries(path)
            own = rules_in(path) if any(entry.name == ".gitignore" for entry in entries) else None
            inner = [*around, own] if own is not None else around
            todo += [(entry.path, inner) for entry in reversed(list(self._folders(entries, inner)))]
            self._files(entries, inner)
            if len(self.found.files) > MAX_FILES:
                self.found.problems.append(
                    f"{top}: more than {MAX_FILES} Python files; the rest was left out"
                )
                return

    def _entries(self, path: str) -> list[os.DirEntry[str]]:
        try:
            status = os.stat(path)  # noqa: PTH116 - a string for speed
            if (status.st_dev, status.st_ino) in self.seen:
                return []
            self.seen.add((status.st_dev, status.st_ino))
            with os.scandir(path) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.found.problems.append(f"{path}: cannot be read: {error.strerror or error}")
            return []
        return [] if any(entry.name == "pyvenv.cfg" for entry in found) else found

    def _folders(self, entries: list[os.DirEntry[str]], rules: Sequence[Rules]) -> Iterator[os.DirEntry[str]]:
        for entry in entries:
            if entry.name not in SKIPPED and _is_folder(entry) and not self._left_out(entry, rules, True):
                yield entry

    def _files(self, entries: list[os.DirEntry[str]], rules: Sequence[Rules]) -> None:
        for entry in entries:
            if not entry.name.endswith(WANTED) or self._left_out(entry, rules, False):
                continue
            try:
                if entry.is_symlink() and not entry.is_file():
                    continue
                status = entry.stat()
            except OSError as error:
                self.found.problems.append(f"{entry.path}: cannot be read: {error.strerror or error}")
                continue
            if entry.is_file():
                self.found.files[entry.path] = (status.st_mtime_ns, status.st_size)

    def _left_out(self, entry: os.DirEntry[str], rules: Sequence[Rules], folder: bool) -> bool:
        if rules and ignored(rules, entry.path, folder=folder):
            return True
        return self.excluded is not None and bool(self.excluded.ignores(entry.path, folder=folder))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def belongs(root: Path, path: Path, exclude: Sequence[str] = ()) -> bool:
    """Whether `scan` would find a path below a folder, by its name and the folders above it."""
    if root not in path.parents:
        return False
    rules = list(rules_above(str(root)))
    excluded = rules_of(str(root), exclude)
    folder = root
    for name in path.relative_to(root).parts:
        own = rules_in(str(folder))
        rules += [own] if own is not None else []
        here = folder / name
        is_folder = here != path or path.is_dir()
        left_out = ignored(rules, str(here), folder=is_folder) or (
            excluded is not None and bool(excluded.ignores(str(here), folder=is_folder))
        )
        if left_out or (is_folder and (name in SKIPPED or (here / "pyvenv.cfg").exists())):
            return False
        folder = here
    return path.is_dir() or path.name.endswith(WANTED)


def stamp_of(path: Path | str) -> Stamp | None:
    """The stamp of a file, None when it is not there."""
    try:
        status = os.stat(path)  # noqa: PTH116 - also for text
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def project_root(path: Path, levels: int = 12) -> Path:
    """The folder whose files may register a file's tools.

    The nearest folder upwards with a `.git` or `pyproject.toml` (and the like), at most `levels` up and
    never the home folder or the root of the disk; the file's own folder without one.
    """
    start = path if path.is_dir() else path.parent
    marks = (".git", "pyproject.toml", "setup.py", "setup.cfg", "uv.lock", "poetry.lock", ".hg")
    home = Path.home()
    for folder in (start, *start.parents)[:levels]:
        if folder in {home, folder.parent}:
            break
        if any((folder / mark).exists() for mark in marks):
            return folder
    return start
