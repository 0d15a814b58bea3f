"""Reads `[tool.adk-tool-lens]` of a pyproject.toml, and the same keys from an editor; never fails.

What is wrong (an unknown key, a value of another type) becomes a `Problem` with its line and column, and the
rest still counts. Names of rules are looked at in `rules/_selection.py`, which knows them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from adk_tool_lens.project.files import read_bytes

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE = "tool.adk-tool-lens"
SEVERITIES = ("error", "warning", "info", "hint", "off")
BACKENDS = ("gemini", "vertex")
STYLES = ("google", "numpy", "rest", "epytext")


@dataclass(frozen=True)
class Problem:
    """Something in the settings that does not count, and where; line and column count from zero."""

    message: str
    path: Path | None = None
    line: int = 0
    column: int = 0
    length: int = 0

    def __str__(self) -> str:
        """As a compiler says it, counted from one."""
        where = f"{self.path}:{self.line + 1}:{self.column + 1}: " if self.path is not None else ""
        return f"{where}{self.message}"


@dataclass(frozen=True)
class Settings:
    """What a project wants; None and empty mean the default."""

    select: tuple[str, ...] | None = None
    """The only rules, groups or `ALL` that run."""
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Patterns as in a .gitignore, with the rules that are left out there."""
    severity: tuple[tuple[str, str], ...] = ()
    backend: str | None = None
    docstring_style: str | None = None
    exclude: tuple[str, ...] = ()
    token_budget: int | None = None
    max_tools: int | None = None
    adk_version: str | None = None
    """The google-adk versions that the project supports, as a requirement: `>=1.19,<3`."""
    python: str | None = None
    """The interpreter, relative to the file's folder."""
    folder: Path | None = None
    """What patterns are relative to."""

    def over(self, base: Settings) -> Settings:
        """These settings where they say something, else the others; lists of `ignore` and alike add up."""
        return Settings(
            select=base.select if self.select is None else self.select,
            extend_select=(*base.extend_select, *self.extend_select),
            ignore=(*base.ignore, *self.ignore),
            per_file_ignores=(*base.per_file_ignores, *self.per_file_ignores),
            severity=(*base.severity, *self.severity),
            backend=self.backend or base.backend,
            docstring_style=self.docstring_style or base.docstring_style,
            exclude=(*base.exclude, *self.exclude),
            token_budget=self.token_budget or base.token_budget,
            max_tools=self.max_tools or base.max_tools,
            adk_version=self.adk_version or base.adk_version,
            python=self.python or base.python,
            folder=base.folder or self.folder,
        )


@dataclass(frozen=True)
class Loaded:
    """Settings with what is wrong in them, and the text they were read from."""

    settings: Settings = Settings()
    problems: tuple[Problem, ...] = ()
    path: Path | None = None
    text: str = ""


class _WrongError(Exception):
    """A value is not of the kind that its key wants; the message says which one."""


def load(folder: Path | None, config: Path | None = None) -> Loaded:
    """The settings that count in a folder: those of the nearest pyproject.toml that has some.

    Args:
        folder: Where to start; None for no file at all.
        config: The file to read instead.
    """
    path = config or (nearest(folder) if folder is not None else None)
    if path is None:
        return Loaded()
    try:
        text = read_bytes(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        return Loaded(problems=(Problem(f"The settings cannot be read: {reason}.", path),), path=path)
    return parse(text, path)


def nearest(folder: Path) -> Path | None:
    """The pyproject.toml that counts in a folder: the nearest one, at or above it, that has settings.

    Without any, the nearest one there is. Files beyond the repository do not count.
    """
    first: Path | None = None
    for parent in (folder, *folder.parents):
        path = parent / "pyproject.toml"
        if path.is_file():
            if _has_settings(path):
                return path
            first = first or path
        if (parent / ".git").exists():
            return first
    return first


def _has_settings(path: Path) -> bool:
    """Whether there is a table of settings, as far as a text that is no TOML tells."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    if "adk-tool-lens" not in text:
        return False
    try:
        tool = tomllib.loads(text).get("tool")
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return re.search(rf"(?m)^[ \t]*\[*[ \t]*{re.escape(TABLE)}", text) is not None
    return isinstance(tool, dict) and "adk-tool-lens" in tool


def parse(text: str, path: Path | None = None) -> Loaded:
    """The settings in a TOML text."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Loaded(problems=(_syntax(str(error), path),), path=path, text=text)
    except (RecursionError, ValueError) as error:
        return Loaded(problems=(Problem(f"The file is no TOML: {error}.", path),), path=path, text=text)
    table = data.get("tool", {}).get("adk-tool-lens", {}) if isinstance(data.get("tool", {}), dict) else {}
    problems: list[Problem] = []

    def report(message: str, keys: tuple[str, ...]) -> None:
        line, column, length = locate(text, keys)
        problems.append(Problem(message, path, line, column, length))

    settings = _settings(table, report)
    folder = path.parent if path is not None else None
    return Loaded(replace(settings, folder=folder), tuple(problems), path, text)


def from_editor(data: Mapping[str, Any]) -> Loaded:
    """The same keys as an editor sends them: `extendSelect` or `extend-select`; null counts as not given."""
    table = {_kebab(key): value for key, value in data.items() if value not in (None, "", [], {})}
    known = {key: value for key, value in table.items() if key in _READERS}
    problems: list[Problem] = []
    settings = _settings(known, lambda message, _keys: problems.append(Problem(message)))
    return Loaded(settings, tuple(problems))


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])([A-Z])", lambda match: f"-{match[1].lower()}", name)


def _syntax(message: str, path: Path | None) -> Problem:
    match = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line, column = (int(match[1]) - 1, int(match[2]) - 1) if match else (0, 0)
    plain = message.partition(" (at ")[0]
    return Problem(f"The file is no TOML: {plain}.", path, line, column)


# ---------------------------------------------------------------- values


def _settings(table: object, report: Callable[[str, tuple[str, ...]], None]) -> Settings:
    values: dict[str, Any] = {}
    if not isinstance(table, dict):
        report(f"`{TABLE}` must be a table.", ())
        return Settings()
    for key, value in table.items():
        reader = _READERS.get(key)
        if reader is None:
            close = get_close_matches(key, _READERS, n=1)
            hint = f" Did you mean `{close[0]}`?" if close else f" Known are {', '.join(sorted(_READERS))}."
            report(f"`{key}` is no setting of adk-tool-lens.{hint}", (key,))
            continue
        try:
            values[key.replace("-", "_")] = reader(value)
        except _WrongError as wrong:
            report(f"`{key}` must be {wrong}.", (key,))
    return Settings(**values)


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise _WrongError("a list of texts")


def _text(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise _WrongError("a text")


def _number(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise _WrongError("a whole number above zero")


def _one_of(choices: tuple[str, ...]) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, str) and value in choices:
            return value
        close = get_close_matches(str(value), choices, n=1)
        hint = f"; did you mean `{close[0]}`" if close else ""
        raise _WrongError(f"one of {', '.join(choices)}{hint}")

    return read


def _table(value: object, wanted: str, read: Callable[[object], Any]) -> tuple[tuple[str, Any], ...]:
    if not isinstance(value, dict):
        raise _WrongError(wanted)
    return tuple((str(key), read(each)) for key, each in value.items())


_READERS: dict[str, Callable[[object], Any]] = {
    "select": _texts,
    "extend-select": _texts,
    "ignore": _texts,
    "per-file-ignores": lambda value: _table(value, "a table of patterns with lists of rules", _texts),
    "severity": lambda value: _table(value, "a table of rules with severities", _one_of(SEVERITIES)),
    "backend": _one_of(BACKENDS),
    "docstring-style": _one_of(STYLES),
    "exclude": _texts,
    "token-budget": _number,
    "max-tools": _number,
    "adk-version": _text,
    "python": _text,
}


# ---------------------------------------------------------------- places

_HEADER = re.compile(r"[ \t]*\[+([^\]\r\n]+)\]+")


def locate(text: str, keys: tuple[str, ...]) -> tuple[int, int, int]:
    """Line, column and length of a key, or of a text in its value, below `[tool.adk-tool-lens]`.

    Args:
        text: The TOML file.
        keys: The key, and what to find in its value (`("select", "thin-descripton")`).
    """
    lines = re.split(r"\r\n|\r|\n", text)
    wanted = ".".join([TABLE, *keys[:1]])
    start = _key_line(lines, wanted)
    if start is None:
        return 0, 0, 0
    for part in keys[1:]:
        start = _find(part, lines, start) or start
    return start


def _find(part: str, lines: list[str], after: tuple[int, int, int]) -> tuple[int, int, int] | None:
    """The next place of a text behind another."""
    line, column, length = after
    for number in range(line, len(lines)):
        at = lines[number].find(part, column + length if number == line else 0)
        if at >= 0:
            return number, at, len(part)
    return None


def _key_line(lines: list[str], wanted: str) -> tuple[int, int, int] | None:
    """Where a dotted key is set, by itself or as a table's header."""
    table = ""
    header: tuple[int, int, int] | None = None
    for number, line in enumerate(lines):
        match = _HEADER.match(line)
        if match:
            name = match[1].strip(" \t")
            table = _plain(name)
            if table == wanted or (table == TABLE and header is None):
                header = (number, line.index(name, match.start(1)), len(name))
                if table == wanted:
                    return header
            continue
        key, equals, _ = line.partition("=")
        full = ".".join(filter(None, (table, _plain(key))))
        if equals and (full == wanted or full.startswith(f"{wanted}.")):
            return number, len(key) - len(key.lstrip()), len(key.strip())
    return header


def _plain(key: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in key.split("."))
