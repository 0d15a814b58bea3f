"""Finds the module that an import names, as a file, without importing anything."""

from __future__ import annotations

import sys
from pathlib import Path


def module_name(path: Path) -> tuple[str, Path]:
    """The dotted name of a file and the folder it is imported from: the first one without `__init__.py`."""
    folder = path.parent
    parts = [] if path.stem == "__init__" else [path.stem]
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or path.stem, folder


def file_of(name: str, roots: tuple[Path, ...]) -> Path | None:
    """The file of a module by absolute name, in the first root that has it."""
    relative = Path(*name.split(".")) if name else Path()
    for root in roots:
        base = root / relative
        package = base / "__init__.py"
        if package.is_file():
            return package
        module = base.with_name(base.name + ".py") if name else base
        if name and module.is_file():
            return module
    return None


def is_standard(name: str) -> bool:
    """Whether a module belongs to the standard library."""
    return name.partition(".")[0] in sys.stdlib_module_names


def is_installed(name: str, site: tuple[Path, ...]) -> bool:
    """Whether a top-level package or module lies in site-packages, compiled ones included."""
    top = name.partition(".")[0]
    for folder in site:
        if (folder / top).is_dir() or (folder / f"{top}.py").is_file():
            return True
        if any(folder.glob(f"{top}.*.so")) or any(folder.glob(f"{top}.*.pyd")):
            return True
    return False
