"""Which Python interpreter is the project's, found without starting any."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_VENVS = (".venv", "venv", "env", ".env")


@dataclass(frozen=True)
class Interpreter:
    """An interpreter and why it was chosen, in words for the log."""

    path: str
    why: str


def choose(
    folder: Path | None,
    *,
    explicit: str | None = None,
    editor: str | None = None,
    trusted: bool = True,
    environ: Mapping[str, str] = os.environ,
) -> Interpreter:
    """The interpreter whose google-adk counts for a workspace folder.

    Order: explicit setting or `--python`; the editor's Python extension; `.venv` or `venv` of the folder
    or one above; `VIRTUAL_ENV`, `CONDA_PREFIX`; the server's own. In an untrusted workspace nothing that
    the workspace could bring along is chosen.
    """
    if not trusted:
        return Interpreter(sys.executable, "the server's own, because the workspace is not trusted")
    if explicit:
        return Interpreter(_absolute(explicit, folder), "set explicitly")
    if editor:
        return Interpreter(editor, "chosen in the editor's Python extension")
    return next(candidates(folder, environ))


def candidates(folder: Path | None, environ: Mapping[str, str] = os.environ) -> Iterator[Interpreter]:
    """All interpreters that a folder could have, in the order in which one is chosen."""
    for candidate, why in _candidates(folder, environ):
        path = python_of(candidate)
        if path is not None:
            yield Interpreter(str(path), why)
    yield Interpreter(sys.executable, "the server's own, because the project has none")


def _absolute(text: str, folder: Path | None) -> str:
    """A path as written, relative to the folder; a bare command name is left for PATH."""
    path = Path(text).expanduser()
    if path.is_absolute() or len(path.parts) == 1:
        found = path if path.is_absolute() else (folder or Path()) / path
        return str(found) if found.exists() or path.is_absolute() else text
    return str((folder or Path.cwd()) / path)


def _candidates(folder: Path | None, environ: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    if folder is not None:
        for parent in (folder, *folder.parents):
            for name in _VENVS:
                yield parent / name, f"the environment in {parent / name}"
            if (parent / ".git").exists():
                break
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if environ.get(variable):
            yield Path(environ[variable]), f"the active environment ({variable})"


def python_of(environment: Path) -> Path | None:
    """The interpreter of a virtual or conda environment's folder."""
    for relative in ("bin/python", "Scripts/python.exe", "python.exe"):
        path = environment / relative
        if path.is_file():
            return path
    return None


def site_packages(interpreter: str) -> tuple[Path, ...]:
    """The folders that an interpreter imports installed packages from, by their usual places."""
    path = Path(interpreter)
    roots = [path.parent.parent]
    if path.is_symlink() and not (roots[0] / "pyvenv.cfg").exists():
        roots.append(path.resolve().parent.parent)
    found: list[Path] = []
    for root in roots:
        found += sorted(root.glob("lib/python3.*/site-packages"))
        found += [folder for folder in (root / "Lib" / "site-packages",) if folder.is_dir()]
    return tuple(found)


def environments_near(folder: Path) -> Iterator[str]:
    """Interpreters of the environments that lie in a folder: its own, and those of tox and nox."""
    places = [folder / name for name in _VENVS]
    for name in (".tox", ".nox"):
        places += sorted((folder / name).glob("*"))
    for place in places:
        found = python_of(place)
        if found is not None:
            yield str(found)


def installed_version(interpreter: str, distribution: str) -> str | None:
    """The version of a distribution that an interpreter has, read from its folders; nothing is started."""
    pattern = f"{distribution.replace('-', '[-_]')}-*.dist-info"
    for folder in site_packages(interpreter):
        for found in sorted(folder.glob(pattern)):
            return found.name.removesuffix(".dist-info").rpartition("-")[2]
    return None
