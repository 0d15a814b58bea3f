"""The diagnostics an editor shows of a document, ready to be sent again after an edit.

Between an edit and its analysis, diagnostics move with the text they stand on. Each one is kept as its
range and the JSON of the rest, so moving and sending sixty of them costs less than making one anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lsprotocol import types


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
    diagnostics: Iterable[Shown],
    change: types.TextDocumentContentChangePartial,
    units: Callable[[str], int],
) -> tuple[Shown, ...]:
    """Diagnostics after an edit: behind it they move, around it they stretch, inside it they go.

    Args:
        diagnostics: What is shown of the text before the edit.
        change: The edit.
        units: How many units of the client's position encoding a text takes.
    """
    return tuple(_moved(diagnostics, change.range, change.text, units))


def _moved(
    diagnostics: Iterable[Shown], where: types.Range, text: str, units: Callable[[str], int]
) -> Iterator[Shown]:
    first, last = where.start, where.end
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    added = len(lines) - 1
    tail = units(lines[-1]) + (first.character if not added else 0)
    by_lines = added - (last.line - first.line)
    for each in diagnostics:
        if each.end_line < first.line:
            yield each
        elif each.start_line > last.line:
            yield each if not by_lines else _shifted(each, by_lines)
        else:
            changed = _touched(each, first, last, by_lines, tail - last.character)
            if changed is not None:
                yield changed


def _shifted(each: Shown, lines: int) -> Shown:
    return Shown(each.start_line + lines, each.start, each.end_line + lines, each.end, each.rest)


def _touched(
    each: Shown, first: types.Position, last: types.Position, lines: int, characters: int
) -> Shown | None:
    """A diagnostic on the lines of an edit; None when the edit replaces all of it."""
    start, end = (each.start_line, each.start), (each.end_line, each.end)
    begin, close = (first.line, first.character), (last.line, last.character)
    if begin <= start and end <= close and begin != close:
        return None
    new_start = start if start < begin or (start == begin and start != close) else None
    new_end = end if end <= begin else None
    if new_start is None:
        new_start = _after(max(start, close), last.line, lines, characters)
    if new_end is None:
        new_end = _after(max(end, close), last.line, lines, characters)
    return Shown(*new_start, *max(new_start, new_end), each.rest)  # an empty one moves as a whole


def _after(point: tuple[int, int], last_line: int, lines: int, characters: int) -> tuple[int, int]:
    line, character = point
    return line + lines, character + (characters if line == last_line else 0)
