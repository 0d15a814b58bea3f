"""Adds a value to a list in TOML text, keeping every other byte."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from adk_tool_lens.fixes.annotations import literal
from adk_tool_lens.source.edits import Edit, apply

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_STRING = re.compile(
    r"\"\"\"(?:\\.|[^\\])*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|#[^\n]*", re.DOTALL
)


def with_value(text: str, table: tuple[str, ...], key: str, value: str) -> Edit | None:
    """The edit that adds a text to a list.

    Args:
        text: A TOML document.
        table: The names of the table, which is made if it is missing.
        key: The list's name, which is made if it is missing.
        value: What to add.

    Returns:
        None when the list has the value already, or when no edit is known to have just this effect.
    """
    data = _parsed(text)
    if data is None:
        return None
    wanted = _expected(data, table, key, value)
    if wanted is None:
        return None
    edit = _edit(text, table, key, value, known=key in (_table(data, table) or {}))
    return edit if edit is not None and _parsed(apply(text, [edit])) == wanted else None


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _table(data: Mapping[str, Any], table: tuple[str, ...]) -> Mapping[str, Any] | None:
    current: Any = data
    for name in table:
        current = current.get(name) if isinstance(current, Mapping) else None
    return current if isinstance(current, Mapping) else None


def _expected(data: dict[str, Any], table: tuple[str, ...], key: str, value: str) -> dict[str, Any] | None:
    wanted = deepcopy(data)
    current: Any = wanted
    for name in table:
        if not isinstance(current, dict):
            return None
        current = current.setdefault(name, {})
    values = current.setdefault(key, []) if isinstance(current, dict) else None
    if not isinstance(values, list) or value in values:
        return None
    values.append(value)
    return wanted


def _edit(text: str, table: tuple[str, ...], key: str, value: str, *, known: bool) -> Edit | None:
    newline = "\r\n" if "\r\n" in text else "\n"
    header = _header(text, table)
    line = f"{key} = [{literal(value)}]"
    if header is None:
        gap = "" if not text or text.endswith("\n") else newline
        gap += newline if text.strip() else ""
        return Edit(len(text), len(text), f"{gap}[{'.'.join(table)}]{newline}{line}{newline}")
    if not known:
        return Edit(header, header, f"{newline}{line}")
    opening = re.compile(rf"^[ \t]*{re.escape(key)}[ \t]*=[ \t]*\[", re.MULTILINE).search(text, header)
    return None if opening is None else _appended(text, opening.end(), value, newline)


def _header(text: str, table: tuple[str, ...]) -> int | None:
    """The end of the line of a table's header."""
    names = r"[ \t]*\.[ \t]*".join(rf"(?:{re.escape(n)}|\"{re.escape(n)}\"|'{re.escape(n)}')" for n in table)
    match = re.search(rf"^[ \t]*\[[ \t]*{names}[ \t]*\][^\r\n]*", text, re.MULTILINE)
    return match.end() if match else None


def _appended(text: str, start: int, value: str, newline: str) -> Edit | None:
    """A value more before the bracket that closes a list; `start` is behind the one that opens it."""
    position, last, comma = start, start, True
    while position < len(text):
        string = _STRING.match(text, position)
        if string is not None:
            position = string.end()
            if not string.group().startswith("#"):
                last, comma = position, False
            continue
        character = text[position]
        if character == "]":
            return Edit(last, last, _item(text[start:last], literal(value), newline, comma=comma))
        if character == ",":
            last, comma = position + 1, True
        elif not character.isspace():
            last, comma = position + 1, False
        position += 1
    return None


def _item(before: str, item: str, newline: str, *, comma: bool) -> str:
    """The new element with its comma, on a line of its own where the others are."""
    lead = "" if comma else ","
    lines = re.search(r"\n([ \t]+)[^\s\]#]", before)
    if lines is not None:
        return f"{lead}{newline}{lines[1]}{item}{',' if comma else ''}"
    if not before:
        return item
    return f"{lead} {item}{',' if comma else ''}"
