r"""The Python cells of a notebook as one text, each cell a row of blocks of its own.

    cell 2   from google.adk.agents import Agent
             ────────────────────────────────────  a line end that the text has and the cell has not
    cell 3   def f(x): ...
             ────────────────────────────────────
    cell 5   a = Agent(tools=[f])

A bracket that is left open in one cell leaves the others alone, as it does when they run; and the blocks
of a cell that did not change are the same objects, wherever the cell was moved to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from adk_tool_lens.source.blocks import Block, Row, row_of
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.magics import hidden
from adk_tool_lens.source.rowtext import RowText
from adk_tool_lens.source.text import Span


@dataclass(frozen=True, eq=False)
class Cell:
    """One version of a cell."""

    source: RowText
    """Its text as it was written."""
    number: int
    """Its place among all cells of the notebook, counted from 1."""
    blocks: tuple[Block, ...]
    """Its Python, with a line end behind it."""
    hidden: tuple[Span, ...]
    """Where the blocks' text is not the cell's."""

    @classmethod
    def of(cls, source: RowText, number: int, before: Cell | None = None) -> Cell:
        """A cell, reusing the blocks of an earlier version of it."""
        if before is not None and before.source is source:
            return cls(source, number, before.blocks, before.hidden)
        python = hidden(source.text)
        blocks = row_of(f"{python.text}\n", before.blocks if before is not None else ()).blocks
        return cls(source, number, blocks, python.spans)


@dataclass(frozen=True, eq=False)
class CellsText(RowText):
    """One version of a notebook's Python. Offsets and lines count through all cells."""

    cells: tuple[Cell, ...] = ()
    stored: str | None = None
    """The text of the file, where the cells were read from one."""

    @classmethod
    def joined(cls, cells: Iterable[Cell], stored: str | None = None) -> CellsText:
        """The text of cells in their order."""
        kept = tuple(cells)
        blocks = tuple(block for cell in kept for block in cell.blocks)
        return cls(Row(blocks, settled=False), kept, stored)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(sum(len(b.text) for b in cell.blocks) for cell in self.cells)]

    @cached_property
    def _first_lines(self) -> list[int]:
        return [0, *accumulate(sum(b.line_count for b in cell.blocks) for cell in self.cells)]

    def span(self, index: int) -> Span:
        """Where a cell's text is."""
        return Span(self._starts[index], self._starts[index + 1] - 1)

    def index_at(self, offset: int) -> int:
        """Which cell an offset lies in, as an index of `cells`."""
        return max(0, min(bisect_right(self._starts, offset) - 1, len(self.cells) - 1))

    def view(self, index: int) -> CellView:
        """The text as seen in one of its cells."""
        return CellView(self.row, self, index, self._first_lines[index])

    def by_cell(self, edits: Iterable[Edit]) -> dict[int, tuple[Edit, ...]] | None:
        """Edits by the cell they change.

        Returns:
            Indices of `cells` with edits whose offsets stay those of the whole; None when one of them would
            reach from one cell into another, or change what only IPython understands.
        """
        found: dict[int, tuple[Edit, ...]] = {}
        for edit in edits:
            index = self.index_at(edit.start)
            if not self.cells or not self._within(edit, index):
                return None
            found[index] = (*found.get(index, ()), edit)
        return found

    def _within(self, edit: Edit, index: int) -> bool:
        span = self.span(index)
        own = edit.moved(-span.start)
        cell = self.cells[index]
        if own.start == 0 and cell.source.text.startswith("%%"):
            return False  # the magic of a cell has to stay its first line
        return edit.end <= span.end and not any(
            own.start < magic.end and magic.start < own.end for magic in cell.hidden
        )


@dataclass(frozen=True, eq=False)
class CellView(RowText):
    """A notebook's Python as an editor shows a cell: lines count from the cell's first, offsets do not."""

    whole: CellsText
    index: int
    first_line: int

    @property
    def text(self) -> str:
        """The text of all cells."""
        return self.whole.text

    @property
    def first_lines(self) -> list[int]:
        """The line each block begins in, counted through all cells."""
        return self.whole.first_lines

    @cached_property
    def cell_span(self) -> Span:
        """Where the cell's text is."""
        return self.whole.span(self.index)

    def covers(self, span: Span) -> bool:
        """Whether a span lies in the cell."""
        return self.cell_span.covers(span)

    def line_column(self, offset: int) -> tuple[int, int]:
        """Zero-based line and column of an offset, clamped to the cell."""
        inside = max(self.cell_span.start, min(offset, self.cell_span.end))
        line, column = super().line_column(inside)
        return line - self.first_line, column

    def line_span(self, line: int) -> Span:
        """The text of one of the cell's lines, without its line end; an empty span past the cell's end."""
        if line >= self.whole._first_lines[self.index + 1] - self.first_line:
            return Span(self.cell_span.end, self.cell_span.end)
        return super().line_span(self.first_line + max(0, line))


def cells_of(sources: Sequence[tuple[int, str]], before: Sequence[Cell] = ()) -> tuple[Cell, ...]:
    """Cells from their numbers and texts, reusing those of an earlier version that have the same text."""
    free: dict[str, list[Cell]] = {}
    for cell in reversed(before):
        free.setdefault(cell.source.text, []).append(cell)
    made = []
    for number, text in sources:
        known = free.get(text)
        old = known.pop() if known else None
        made.append(Cell.of(old.source if old is not None else RowText.of(text), number, old))
    return tuple(made)


def placed(source: RowText, offset: int) -> tuple[int | None, int, int]:
    """Where an offset is for a person: the number of its cell, and zero-based line and column there.

    The number is None for a text that is no notebook.
    """
    if not isinstance(source, CellsText) or not source.cells:
        return (None, *source.line_column(offset))
    index = source.index_at(offset)
    return (source.cells[index].number, *source.view(index).line_column(offset))


def stored(source: RowText) -> str | None:
    """The text of the file that a text is of; None for a notebook that was not read from its file."""
    return source.stored if isinstance(source, CellsText) else source.text
