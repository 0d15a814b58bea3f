"""Breaks a description into lines, keeping its paragraphs and list items."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BREAK = re.compile(r"\r\n?|\n")
_WORD = re.compile(r"[^ \t\n\r\f\v]+")
_ITEM = re.compile(r"(?:[-*+•]|\d+[.)])(?=[ \t]|$)")


def normal(text: str) -> str:
    """A text with each run of white space made one space."""
    return " ".join(text.split())


def columns(text: str) -> int:
    """How wide a line is in an editor."""
    return len(text.expandtabs())


def starts_with_item(description: str) -> bool:
    """Whether a description begins with a list."""
    return _ITEM.match(description.lstrip()) is not None


def wrapped(description: str, first: int, indent: str, width: int) -> str:
    """A description in lines of at most `width` columns where words allow it.

    The first line starts at column `first`, the others with `indent`, which is part of the result.
    """
    blocks = [
        "\n".join(f"{indent}{line}" for line in _filled(block, columns(indent), width))
        for block in _paragraphs(description)
    ]
    if not blocks:
        return ""
    leading = _paragraphs(description)[0]
    room = _filled(leading, columns(indent), width, first)
    blocks[0] = f"\n{indent}".join(room)
    return "\n\n".join(blocks)


def _paragraphs(description: str) -> list[list[str]]:
    """The paragraphs, each a list of the items (or runs of text) it consists of."""
    result: list[list[str]] = []
    gap = True
    for line in _BREAK.split(description):
        words = " ".join(_WORD.findall(line))
        if not words:
            gap = True
            continue
        if gap:
            result.append([words])
        elif _ITEM.match(words):
            result[-1].append(words)
        else:
            result[-1][-1] += f" {words}"
        gap = False
    return result


def _filled(items: list[str], indent: int, width: int, first: int | None = None) -> list[str]:
    lines: list[str] = []
    for item in items:
        hang = "  " if _ITEM.match(item) else ""
        start = indent if first is None or lines else first
        for number, line in enumerate(_lines(item, width - start, width - indent - len(hang))):
            lines.append(f"{hang if number else ''}{line}")
    return lines


def _lines(text: str, first: int, rest: int) -> Iterator[str]:
    """Words in lines; the room of the first line may differ."""
    line, room = "", first
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > room:
            yield line
            line, room = word, rest
        else:
            line = f"{line} {word}" if line else word
    yield line
