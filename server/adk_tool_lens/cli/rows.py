"""Findings as plain data that owe nothing to the analysis they come from: what every output format reads.

Rows are picklable, so that files can be analysed in other processes, and ordered by place and rule, so
that the output is the same however many processes there are and in whatever order files are named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adk_tool_lens.ide.actions import PLAIN, Action, Context, of_finding
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.project.notebooks import file_lines
from adk_tool_lens.rules.model import Finding, Severity
from adk_tool_lens.source.cells import CellsText, placed, stored
from adk_tool_lens.source.rowtext import RowText

MOST_READ = 3_000_000
"""Characters of statements that are read to tell the repairs of a file's findings."""
MOST_LINES = 200
"""Source lines that a row carries along at most."""


@dataclass(frozen=True, order=True)
class Point:
    """A place in a text, counted from zero."""

    line: int
    column: int
    """In code points."""
    utf16: int
    """The column as LSP and SARIF count it."""


@dataclass(frozen=True)
class EditRow:
    """One replacement of a repair."""

    start: Point
    end: Point
    text: str


@dataclass(frozen=True)
class FixRow:
    """One repair of a finding."""

    title: str
    safe: bool
    edits: tuple[EditRow, ...] = ()


@dataclass(frozen=True)
class RelatedRow:
    """Another place that belongs to a finding."""

    path: str
    line: int
    """Counted from zero; of a notebook, within its cell."""
    message: str
    cell: int | None = None

    @property
    def where(self) -> str:
        """The place as people read it."""
        return place_of(self.path, self.cell, self.line)


@dataclass(frozen=True)
class Row:
    """One finding."""

    rule: str
    severity: Severity
    message: str
    path: str
    start: Point
    end: Point
    tool: str = ""
    fixes: tuple[FixRow, ...] = ()
    related: tuple[RelatedRow, ...] = ()
    lines: tuple[str, ...] = ()
    """The source lines from `start` to `end`, without their line ends."""
    cell: int | None = None
    """Of a notebook, the cell that `start` and `end` are in, counted from 1 among all cells."""
    file_lines: tuple[int, int] | None = None
    """Of a notebook, the lines of its file in which `start` and `end` are, counted from zero."""

    @property
    def where(self) -> str:
        """The place as people read it."""
        return f"{place_of(self.path, self.cell, self.start.line)}:{self.start.column + 1}"

    @property
    def text(self) -> str:
        """The message, for formats that can name a line of a file only."""
        return (
            self.message
            if self.cell is None
            else f"Cell {self.cell}, line {self.start.line + 1}: {self.message}"
        )

    @property
    def order(self) -> tuple[object, ...]:
        """What rows are sorted by."""
        return (self.path, self.cell or 0, self.start, self.end, self.rule, self.tool, self.message)

    @property
    def fixable(self) -> bool:
        """Whether `--fix` repairs it."""
        return any(fix.safe for fix in self.fixes)

    def to_json(self) -> dict[str, Any]:
        """The form that the contract of `--output-format json` has."""
        cell = {} if self.cell is None else {"cell": self.cell}
        return {
            "rule": self.rule,
            "severity": self.severity.value,
            "message": self.message,
            "path": self.path,
            **cell,
            "range": {"start": _lsp(self.start), "end": _lsp(self.end)},
            "tool": self.tool,
            "fixes": [{"title": fix.title, "safe": fix.safe} for fix in self.fixes],
        }


def place_of(path: str, cell: int | None, line: int) -> str:
    """`path:line`, or `path:cell 3:line` for a notebook, as ruff writes it; the line is counted from zero."""
    return f"{path}:{line + 1}" if cell is None else f"{path}:cell {cell}:{line + 1}"


def _lsp(point: Point) -> dict[str, int]:
    return {"line": point.line, "character": point.utf16}


def rows_of(analysis: Analysis, path: str, context: Context = PLAIN) -> list[Row]:
    """The findings in one file, by place."""
    own = (f for f in analysis.findings if f.place.block in analysis.module.starts)
    left = MOST_READ

    def repaired(finding: Finding) -> bool:
        # Each repair of a statement reads all of it again: many findings in a long one take hours.
        nonlocal left
        left -= len(finding.place.block.text)
        return left >= 0

    rows = {_row(finding, analysis, path, context if repaired(finding) else None) for finding in own}
    return sorted(rows, key=lambda row: row.order)


def _row(finding: Finding, analysis: Analysis, path: str, context: Context | None) -> Row:
    whole = analysis.module.source
    span = analysis.module.absolute(finding.place)
    cell = placed(whole, span.start)[0]
    source = whole.view(whole.index_at(span.start)) if isinstance(whole, CellsText) else whole
    start, end = point(source, span.start), point(source, span.end)
    last = min(end.line, start.line + MOST_LINES)
    return Row(
        finding.rule,
        finding.severity,
        finding.message,
        path,
        start,
        end,
        finding.tool,
        tuple(_fixes(finding, analysis, context)) if context is not None else (),
        tuple(_related(finding, analysis, path)),
        tuple(source.line_text(line) for line in range(start.line, last + 1)),
        cell,
        _file_lines(whole, cell, start, end),
    )


def _file_lines(source: RowText, cell: int | None, start: Point, end: Point) -> tuple[int, int] | None:
    text = stored(source)
    if cell is None or text is None:
        return None
    lines = file_lines(text)[cell]
    return lines[min(start.line, len(lines) - 1)], lines[min(end.line, len(lines) - 1)]


def point(source: RowText, offset: int) -> Point:
    """An offset as line and columns."""
    line, column = source.line_column(offset)
    wide = sum(1 for c in source.line_text(line)[:column] if ord(c) > 0xFFFF)
    return Point(line, column, column + wide)


def _fixes(finding: Finding, analysis: Analysis, context: Context) -> Iterable[FixRow]:
    made = of_finding(analysis, finding, context)
    return (FixRow(each.title, each.safe, _edits(each, analysis)) for each in made)


def _edits(made: Action, analysis: Analysis) -> tuple[EditRow, ...]:
    """The edits of this file; none when another file changes, too, or something has to be filled in.

    None of a notebook either: the places of edits are those of a text that its file does not have as such.
    """
    source = analysis.module.source
    if made.snippet or set(made.edits) != {analysis.module.path} or isinstance(source, CellsText):
        return ()
    return tuple(
        EditRow(point(source, edit.start), point(source, edit.end), edit.text)
        for edit in made.edits[analysis.module.path]
    )


def _related(finding: Finding, analysis: Analysis, path: str) -> Iterable[RelatedRow]:
    source = analysis.module.source
    for each in finding.related:
        if each.place.block in analysis.module.starts:
            cell, line, _ = placed(source, analysis.module.absolute(each.place).start)
            yield RelatedRow(path, line, each.message, cell)
        elif each.place.path is not None:
            yield RelatedRow(shown_path(each.place.path), 0, each.message)


def shown_path(path: Path) -> str:
    """A path as people want to read it: relative to the working directory when it lies below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
