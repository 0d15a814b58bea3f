"""The diagnostics an editor shows of a document, ready to be sent again after an edit.

Between an edit and its analysis, diagnostics move with the text they stand on. Each one is kept as its
range and the JSON of the rest, so moving and sending sixty of them costs less than making one anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lsprotocol import types

from adk_tool_lens.lsp.changes import Replacement, by_line


@dataclass(frozen=True)
class Shown:
    """One diagnostic: its range in the client's units, and everything else as JSON."""

    start_line: int
    start: int
    end_line: int
    end: int
    rest: str

    @cached_property
    def json(self) -> str:
        """The diagnostic."""
        return (
            f'{{"range":{{"start":{{"line":{self.start_line},"character":{self.start}}},'
            f'"end":{{"line":{self.end_line},"character":{self.end}}}}},{self.rest}'
        )


def shown(where: types.Range, rest: dict[str, Any]) -> Shown:
    """A diagnostic.

    Args:
        where: Its range.
        rest: Its other properties as LSP names them, without `range`; not empty.
    """
    start, end = where.start, where.end
    return Shown(start.line, start.character, end.line, end.character, json.dumps(rest)[1:])


def message(uri: str, version: int | None, diagnostics: Iterable[Shown]) -> str:
    """A `textDocument/publishDiagnostics` notification."""
    versioned = f'"version":{version},' if version is not None else ""
    listed = ",".join([each.json for each in diagnostics])
    return (
        '{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":'
        f'{{"uri":{json.dumps(uri)},{versioned}"diagnostics":[{listed}]}}}}'
    )


def moved(
    diagnostics: Iterable[Shown], changes: Iterable[Replacement], units: Callable[[str], int]
) -> tuple[Shown, ...]:
    """Diagnostics after some edits: behind one they move, around it they stretch, inside it they go.

    Args:
        diagnostics: What is shown of the text before the edits.
        changes: The edits, each of the text that the one before it left.
        units: How many units of the client's position encoding a text takes.
    """
    for line, group in by_line(changes):
        diagnostics = (
            _moved_by_lines(diagnostics, group, units)
            if line is None
            else _moved_in_line(diagnostics, line, group, units)
        )
    return tuple(diagnostics)


def _moved_in_line(
    diagnostics: Iterable[Shown], line: int, changes: Sequence[Replacement], units: Callable[[str], int]
) -> list[Shown]:
    """What edits in one line leave of the diagnostics that stand on it; the others stay as they are."""
    edits = [
        (change.character, change.end_character, units(change.text) + change.character - change.end_character)
        for change in changes
    ]
    touched = (
        _edited(each, line, edits) if each.start_line <= line <= each.end_line else each
        for each in diagnostics
    )
    return [each for each in touched if each is not None]


def _edited(each: Shown, line: int, edits: Iterable[tuple[int, int, int]]) -> Shown | None:
    """A diagnostic after edits of one of its lines: each from a column to another, and by so much longer."""
    starts, ends = each.start_line == line, each.end_line == line
    start, end = each.start if starts else -1, each.end if ends else sys.maxsize
    for begin, close, by in edits:
        if begin <= start and end <= close and begin != close:
            return None
        if start > begin or start == begin == close:
            start = max(start, close) + by
        if end > begin:
            end = max(end, close) + by
        end = max(start, end)
    return Shown(
        each.start_line, start if starts else each.start, each.end_line, end if ends else each.end, each.rest
    )


def _moved_by_lines(
    diagnostics: Iterable[Shown], changes: Iterable[Replacement], units: Callable[[str], int]
) -> Iterable[Shown]:
    for change in changes:
        diagnostics = list(_moved(diagnostics, change, units))
    return diagnostics


def _moved(diagnostics: Iterable[Shown], change: Replacement, units: Callable[[str], int]) -> Iterator[Shown]:
    lines = change.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    added = len(lines) - 1
    tail = units(lines[-1]) + (change.character if not added else 0)
    by_lines = added - (change.end_line - change.line)
    for each in diagnostics:
        if each.end_line < change.line:
            yield each
        elif each.start_line > change.end_line:
            yield each if not by_lines else _shifted(each, by_lines)
        else:
            changed = _touched(each, change, by_lines, tail - change.end_character)
            if changed is not None:
                yield changed


def _shifted(each: Shown, lines: int) -> Shown:
    return Shown(each.start_line + lines, each.start, each.end_line + lines, each.end, each.rest)


def _touched(each: Shown, change: Replacement, lines: int, characters: int) -> Shown | None:
    """A diagnostic on the lines of an edit; None when the edit replaces all of it."""
    start, end = (each.start_line, each.start), (each.end_line, each.end)
    begin, close = (change.line, change.character), (change.end_line, change.end_character)
    if begin <= start and end <= close and begin != close:
        return None
    new_start = start if start < begin or (start == begin and start != close) else None
    new_end = end if end <= begin else None
    if new_start is None:
        new_start = _after(max(start, close), change.end_line, lines, characters)
    if new_end is None:
        new_end = _after(max(end, close), change.end_line, lines, characters)
    return Shown(*new_start, *max(new_start, new_end), each.rest)  # an empty one moves as a whole


def _after(point: tuple[int, int], last_line: int, lines: int, characters: int) -> tuple[int, int]:
    line, character = point
    return line + lines, character + (characters if line == last_line else 0)
