"""A text as a row of blocks, with lines and offsets found through the blocks.

Finding a position costs what one block costs, so an edit in a file of ten thousand lines is not dearer
than in one of a hundred. `SourceText` gives the same answers for a text in one piece.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from adk_tool_lens.source.blocks import Block, Row, row_after, row_of
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.text import Span


@dataclass(frozen=True, eq=False)
class RowText:
    """One version of a text."""

    row: Row

    @classmethod
    def of(cls, text: str, before: Sequence[Block] = ()) -> RowText:
        """A text, reusing the blocks of an earlier version."""
        return cls(row_of(text, before))

    def after(self, edit: Edit) -> RowText:
        """The text after an edit whose offsets refer to this version."""
        row = row_after(self.row, edit)
        if row is not None:
            return RowText(row)
        text = self.text
        return RowText.of(text[: edit.start] + edit.text + text[edit.end :], self.row.blocks)

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "".join([block.text for block in self.row.blocks])

    @cached_property
    def length(self) -> int:
        """How many code points it has."""
        blocks = self.row.blocks
        return self.row.starts[-1] + len(blocks[-1].text) if blocks else 0

    @cached_property
    def first_lines(self) -> list[int]:
        """The line each block begins in, and last the line in which the text ends."""
        return [0, *accumulate([block.line_count for block in self.row.blocks])]

    def line_column(self, offset: int) -> tuple[int, int]:
        """Zero-based line and column (code points) of `offset`, clamped to the text."""
        blocks = self.row.blocks
        if not blocks:
            return 0, 0
        offset = max(0, min(offset, self.length))
        index = bisect_right(self.row.starts, offset) - 1
        line, column = blocks[index].source.line_column(offset - self.row.starts[index])
        return self.first_lines[index] + line, column

    def line_span(self, line: int) -> Span:
        """The text of a zero-based line, without its line end; an empty span past the end."""
        if line > self.first_lines[-1] or not self.row.blocks:
            return Span(self.length, self.length)
        index = min(bisect_right(self.first_lines, line) - 1, len(self.row.blocks) - 1)
        span = self.row.blocks[index].source.line_span(line - self.first_lines[index])
        return span.moved(self.row.starts[index])

    def line_text(self, line: int) -> str:
        """A zero-based line without its line end; empty past the end."""
        span = self.line_span(line)
        if span.start == span.end:
            return ""
        index = bisect_right(self.row.starts, span.start) - 1
        start = self.row.starts[index]
        return self.row.blocks[index].text[span.start - start : span.end - start]

    def offset(self, line: int, column: int) -> int:
        """The offset of a zero-based line and column (code points), clamped to the line and the text."""
        if line < 0:
            return 0
        span = self.line_span(line)
        return min(span.start + max(0, column), span.end)

    def covers(self, span: Span) -> bool:
        """Whether a span is part of what is seen: of a text in one piece, every one is."""
        return span.start >= 0

    @cached_property
    def newline(self) -> str:
        """The line end the text uses first, a line feed where it has none."""
        return next((b.source.newline for b in self.row.blocks if b.line_count), "\n")
