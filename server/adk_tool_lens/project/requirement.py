"""Which google-adk versions a project allows, from the files that declare what it needs; nothing is run."""

from __future__ import annotations

import configparser
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_NAMED = re.compile(r"\s*google[-_.]adk(?![\w.-])\s*(?:\[[^\]]*\])?\s*\(?([^;#)]*)", re.IGNORECASE)
_QUOTED = re.compile(r"""(["'])\s*(google[-_.]adk\b[^"'\n]*)\1""", re.IGNORECASE)


def requirement_at(folder: Path) -> str | None:
    """The versions of google-adk that the nearest files ask for (`>=1.19,<3`), not beyond the repository."""
    for parent in (folder, *folder.parents):
        for name, read in FILES.items():
            found = _read(parent / name, read)
            if found:
                return found
        if (parent / ".git").exists():
            return None
    return None


def _read(path: Path, read: Callable[[str], Iterator[str]]) -> str | None:
    if not path.is_file():
        return None
    try:
        return next((s for text in read(path.read_text("utf-8")) if (s := specifier(text))), None)
    except (OSError, ValueError, RecursionError, configparser.Error):
        return None


def specifier(text: str) -> str | None:
    """The versions in a requirement of google-adk (`google-adk[eval]>=1.19; ...`); None for another one.

    A requirement that names no version, or a place to get it from, tells nothing.
    """
    match = _NAMED.match(text)
    found = match[1].strip() if match is not None else ""
    return found if found and not found.startswith("@") else None


# ---------------------------------------------------------------- the single files


def _pyproject(text: str) -> Iterator[str]:
    data = tomllib.loads(text)
    project = _table(data, "project")
    yield from _texts(project.get("dependencies"))
    for group in _table(project, "optional-dependencies").values():
        yield from _texts(group)
    for group in _table(data, "dependency-groups").values():
        yield from _texts(group)
    poetry = _table(_table(data, "tool"), "poetry")
    groups = [_table(group, "dependencies") for group in _table(poetry, "group").values()]
    for table in (_table(poetry, "dependencies"), *groups):
        for name, value in table.items():
            version = value.get("version") if isinstance(value, Mapping) else value
            if isinstance(version, str):
                yield f"{name} {_of_poetry(version)}"


def _table(data: Any, key: str) -> Mapping[str, Any]:
    value = data.get(key) if isinstance(data, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _texts(value: object) -> Iterator[str]:
    yield from (each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _of_poetry(version: str) -> str:
    """`^1.2` means `>=1.2,<2`, `~1.2` means `>=1.2,<1.3`, and `1.2` that version alone."""
    match = re.fullmatch(r"\s*([\^~]?)\s*(\d+)((?:\.\d+)*)\s*", version)
    if match is None:
        return "" if version.strip() == "*" else version
    mark, first, rest = match.groups()
    if not mark:
        return f"=={first}{rest}"
    numbers = [int(first), *(int(n) for n in rest.split(".")[1:])]
    at = (
        next((i for i, number in enumerate(numbers) if number), 0)
        if mark == "^"
        else min(1, len(numbers) - 1)
    )
    return f">={first}{rest},<{'.'.join(map(str, [*numbers[:at], numbers[at] + 1]))}"


def _setup_cfg(text: str) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    if parser.has_section("options"):
        yield from parser.get("options", "install_requires", fallback="").splitlines()
    if parser.has_section("options.extras_require"):
        for _, value in parser.items("options.extras_require"):
            yield from value.splitlines()


def _setup_py(text: str) -> Iterator[str]:
    """The quoted requirements of a `setup.py`, which is read as text."""
    yield from (match[2] for match in _QUOTED.finditer(text))


FILES: dict[str, Callable[[str], Iterator[str]]] = {
    "pyproject.toml": _pyproject,
    "requirements.txt": lambda text: iter(text.splitlines()),
    "requirements.in": lambda text: iter(text.splitlines()),
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
}
"""The files that are looked at in a folder, the one that counts first, with their readers."""
