r"""Lines and offsets of a text, as Python and LSP count them.

There are four ways to say where something is, and mixing them up is the classic defect of language
servers written in Python:

* an *offset*: code points from the start of a text. Everything in this project but `lsp/` uses it.
* a *line and column* in code points, for people (`line 3, column 7`) and for jedi.
* `ast`'s line and column: the column counts UTF-8 **bytes**.
* LSP's line and character: the character counts UTF-16 units unless negotiated otherwise. Only
  `lsp/convert.py` and `lsp/documents.py` know it.

Lines end at ``\n``, ``\r\n`` and ``\r`` and nowhere else: `str.splitlines` also breaks at form
feeds and U+2028, which neither Python's tokenizer nor LSP does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Span:
    """A half-open range of offsets, in code points."""

    start: int
    end: int

    def moved(self, by: int) -> Span:
        """The same range, `by` code points further on."""
        return Span(self.start + by, self.end + by)

    def covers(self, other: Span) -> bool:
        """Whether another range lies in this one."""
        return self.start <= other.start and other.end <= self.end

    def contains(self, offset: int) -> bool:
        """Whether a cursor at `offset` touches the range; its end counts, as editors count it."""
        return self.start <= offset <= self.end


@dataclass(frozen=True)
class SourceText:
    """A text and its line starts."""

    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offsets at which lines begin; the first is 0."""
        return (0, *(match.end() for match in _LINE_END.finditer(self.text)))

    def line_column(self, offset: int) -> tuple[int, int]:
        """Zero-based line and column (code points) of `offset`, clamped to the text."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset) - 1
        return line, offset - self.line_starts[line]

    def line_span(self, line: int) -> Span:
        """The text of a zero-based line, without its line end."""
        start = self.line_starts[line]
        end = self.line_starts[line + 1] if line + 1 < len(self.line_starts) else len(self.text)
        return Span(start, start + len(self.text[start:end].rstrip("\r\n")))

    def line_around(self, offset: int) -> Span:
        """The text of the line that an offset is on, without its line end."""
        return self.line_span(self.line_column(offset)[0])

    def offset(self, line: int, column: int) -> int:
        """The offset of a zero-based line and column, clamped to the line and the text."""
        if line < 0:
            return 0
        if line >= len(self.line_starts):
            return len(self.text)
        span = self.line_span(line)
        return min(span.start + max(0, column), span.end)

    def ast_offset(self, lineno: int, col_offset: int) -> int:
        """The offset of an `ast` position: lines from 1, columns in UTF-8 bytes."""
        start = self.line_starts[lineno - 1]
        if self.text.isascii():
            return start + col_offset
        end = self.line_starts[lineno] if lineno < len(self.line_starts) else len(self.text)
        line = self.text[start:end]
        if line.isascii():
            return start + col_offset
        return start + len(line.encode("utf-8", "surrogatepass")[:col_offset].decode("utf-8", "replace"))

    @cached_property
    def newline(self) -> str:
        """The line end the text uses first, a line feed where it has none."""
        match = _LINE_END.search(self.text)
        return match.group() if match else "\n"
