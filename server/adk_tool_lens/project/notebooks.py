"""Jupyter notebooks as files: their Python cells, and how these are changed in the JSON byte for byte.

The form is that of nbformat 4 (`cells`, each with `cell_type` and a `source` that is a text or a list of
lines); cells count from 1, all kinds of them.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from json.decoder import JSONDecoder
from typing import Any

from adk_tool_lens.project.files import UnreadableError
from adk_tool_lens.source.cells import Cell, CellsText, cells_of
from adk_tool_lens.source.edits import Edit, apply
from adk_tool_lens.source.text import SourceText, Span

SUFFIX = ".ipynb"
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = JSONDecoder(strict=False)


@dataclass(frozen=True)
class CellSource:
    """A Python cell."""

    number: int
    """Its place among all cells, counted from 1."""
    text: str
    where: Span
    """Where the JSON of its `source` is in the file's text."""


def python_cells(text: str, name: str = "<notebook>") -> tuple[CellSource, ...]:
    """The Python cells of a notebook's JSON.

    Args:
        text: The file's text.
        name: What messages call the file.

    Raises:
        UnreadableError: it is no notebook.
    """
    try:
        whole = _members(text, _skip(text, 0))
        cells = list(_elements(text, whole["cells"].start)) if "cells" in whole else None
        language = _language(_value(text, whole.get("metadata")))
        found = [] if cells is None else [_cell(text, n, at) for n, at in enumerate(cells, 1)]
    except (ValueError, IndexError, RecursionError, TypeError) as error:
        raise UnreadableError(f"{name}: is no notebook: {error}. Save it anew with Jupyter.") from error
    if cells is None:
        raise UnreadableError(
            f"{name}: is no notebook of format 4: it has no `cells`. Save it anew with Jupyter."
        )
    return tuple(cell for cell in found if cell is not None) if language in {"", "python"} else ()


def text_of(text: str, name: str = "<notebook>", before: Sequence[Cell] = ()) -> CellsText:
    """The Python of a notebook's JSON as one text.

    Args:
        text: The file's text.
        name: What messages call the file.
        before: Cells of an earlier version, to be reused.

    Raises:
        UnreadableError: it is no notebook.
    """
    found = [(cell.number, cell.text) for cell in python_cells(text, name)]
    return CellsText.joined(cells_of(found, before), text)


def _cell(text: str, number: int, at: Span) -> CellSource | None:
    """The cell at a place; None when it is no Python."""
    members = _members(text, at.start)
    metadata = _value(text, members.get("metadata"))
    editor = metadata.get("vscode") if isinstance(metadata, dict) else None
    language = editor.get("languageId", "python") if isinstance(editor, dict) else "python"
    source = members.get("source")
    if source is None or language != "python" or _value(text, members.get("cell_type")) != "code":
        return None
    lines = _value(text, source)
    if isinstance(lines, list):
        lines = "".join(str(line) for line in lines)
    return CellSource(number, lines, source) if isinstance(lines, str) else None


def _language(metadata: Any) -> str:
    """The language of a notebook's kernel in small letters; empty when it does not say."""
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        known = metadata.get(part) if isinstance(metadata, dict) else None
        language = known.get(key) if isinstance(known, dict) else None
        if isinstance(language, str) and language:
            return language.lower()
    return ""


# ---------------------------------------------------------------- changing


def edited(text: str, edits: Iterable[Edit], name: str = "<notebook>") -> str | None:
    """The file's text with its Python edited; every character else stays.

    Args:
        text: The file's text.
        edits: Edits whose offsets are those of `text_of`.
        name: What messages call the file.

    Returns:
        None where an edit would reach from one cell into another, or change what only IPython understands.

    Raises:
        UnreadableError: it is no notebook.
        OverlapError: two edits overlap.
    """
    whole = text_of(text, name)
    parts = whole.by_cell(edits)
    if parts is None:
        return None
    changes = {
        whole.cells[index].number: apply(
            whole.cells[index].source.text, [edit.moved(-whole.span(index).start) for edit in own]
        )
        for index, own in parts.items()
    }
    return apply(text, _cell_edits(text, changes, name))


def _cell_edits(text: str, changes: Mapping[int, str], name: str) -> Iterator[Edit]:
    ascii_only = text.isascii() and "\\u" in text
    for cell in python_cells(text, name):
        if cell.number in changes:
            source = text[cell.where.start : cell.where.end]
            for edit in _source_edits(source, changes[cell.number], ascii_only):
                yield edit.moved(cell.where.start)


def file_lines(text: str, name: str = "<notebook>") -> dict[int, tuple[int, ...]]:
    """For each Python cell by number, the zero-based line of the file that each of its lines stands in.

    Raises:
        UnreadableError: it is no notebook.
    """
    lines = SourceText(text)
    found: dict[int, tuple[int, ...]] = {}
    for cell in python_cells(text, name):
        starts: list[int] = []
        parts = _elements(text, cell.where.start) if text[cell.where.start] == "[" else [cell.where]
        for part in parts:
            count = len(SourceText(str(_value(text, part))).line_starts)
            own = lines.line_column(part.start)[0]
            starts = [*starts[:-1], *[own] * count] if starts else [own] * count
        found[cell.number] = tuple(starts)
    return found


def _source_edits(source: str, after: str, ascii_only: bool) -> Iterator[Edit]:
    """Edits of the JSON of a `source`: only lines that change are written anew."""
    if not source.startswith("["):
        yield Edit(0, len(source), json.dumps(after, ensure_ascii=ascii_only))
        return
    places = list(_elements(source, 0))
    old = [json.loads(source[at.start : at.end], strict=False) for at in places]
    new = re.findall(r"[^\n]*\n|[^\n]+", after)
    written = [json.dumps(line, ensure_ascii=ascii_only) for line in new]
    if not (old and new):
        yield Edit(0, len(source), f"[{', '.join(written)}]")
        return
    between = (
        source[places[0].end : places[1].start] if len(places) > 1 else "," + source[1 : places[0].start]
    )
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        lines = between.join(written[c:d])
        match kind:
            case "replace":
                yield Edit(places[a].start, places[b - 1].end, lines)
            case "insert" if a < len(places):
                yield Edit(places[a].start, places[a].start, lines + between)
            case "insert":
                yield Edit(places[-1].end, places[-1].end, between + lines)
            case "delete" if b < len(places):
                yield Edit(places[a].start, places[b].start, "")
            case "delete":
                yield Edit(places[a - 1].end, places[b - 1].end, "")


# ---------------------------------------------------------------- JSON with places


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at


def _value(text: str, where: Span | None) -> Any:
    return None if where is None else _DECODER.raw_decode(text, where.start)[0]


def _members(text: str, at: int) -> dict[str, Span]:
    """Where the values of an object are, by key."""
    found: dict[str, Span] = {}
    for start in _items(text, at, "{", "}"):
        key, end = _DECODER.raw_decode(text, start)
        colon = _skip(text, end)
        if not isinstance(key, str) or text[colon] != ":":
            raise ValueError(f"a key with a colon was expected at character {start}")
        value = _skip(text, colon + 1)
        found[key] = Span(value, _DECODER.raw_decode(text, value)[1])
    return found


def _elements(text: str, at: int) -> Iterator[Span]:
    """Where the elements of a list are."""
    return (Span(start, _DECODER.raw_decode(text, start)[1]) for start in _items(text, at, "[", "]"))


def _items(text: str, at: int, first: str, last: str) -> Iterator[int]:
    """Where what stands between commas begins."""
    if text[at] != first:
        raise ValueError(f"{first} was expected at character {at}")
    at = _skip(text, at + 1)
    while text[at] != last:
        yield at
        at = _skip(text, _end(text, at))
        if text[at] == ",":
            at = _skip(text, at + 1)
        elif text[at] != last:
            raise ValueError(f"a comma was expected at character {at}")


def _end(text: str, at: int) -> int:
    """Where an element ends, or a member: its key, a colon and a value."""
    end: int = _DECODER.raw_decode(text, at)[1]
    after = _skip(text, end)
    if text[after : after + 1] != ":":
        return end
    value: int = _DECODER.raw_decode(text, _skip(text, after + 1))[1]
    return value
