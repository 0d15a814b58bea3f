"""Random edits of the layers under the session: blocks, lines, names and what is shown between two analyses.

Each layer keeps what it can from one version to the next; after every edit it must be as a first look is.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from random import Random

from lsprotocol import types

from adk_tool_lens.discovery.module import Module
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.changes import Change, Changes, Replacement, replacement
from adk_tool_lens.lsp.documents import Documents
from adk_tool_lens.lsp.shown import Shown, moved
from adk_tool_lens.source.blocks import row_of
from adk_tool_lens.source.rowtext import RowText
from adk_tool_lens.source.text import SourceText

from .corpus import PIECES, SMALL

ENCODINGS = ("utf-8", "utf-16", "utf-32")
UNITS = {
    "utf-8": (("utf-8", "surrogatepass"), 1),
    "utf-16": (("utf-16-le", "surrogatepass"), 2),
    "utf-32": (("utf-32-le", "surrogatepass"), 4),
}
LINE_END = re.compile(r"\r\n|\n|\r")
Mark = tuple[int, int]
LONGEST = 1000
"""Edits do the same in long texts; in short ones more of them can be tried."""


def _part(text: str, random: Random) -> str:
    """Some neighbouring lines of a text."""
    lines = text.splitlines(keepends=True)
    first = random.randrange(len(lines) or 1)
    return "".join(lines[first : first + random.randrange(3, 25)])[:LONGEST]


@lru_cache(maxsize=4)
def _starts(text: str) -> list[int]:
    return [0, *(match.end() for match in LINE_END.finditer(text))]


def at(text: str, offset: int, encoding: str) -> types.Position:
    """The position of an offset, counted afresh."""
    starts = _starts(text)
    line = bisect_right(starts, offset) - 1
    return types.Position(
        line, len(text[starts[line] : offset].encode(*UNITS[encoding][0])) // UNITS[encoding][1]
    )


def between(text: str, offset: int) -> bool:
    """Whether an offset splits a line end, so that no position names it."""
    return text[offset - 1 : offset + 1] == "\r\n"


def carried(mark: Mark, start: int, end: int, length: int) -> Mark | None:
    """Where a range is after a replacement: behind it, it moves; around it, it stretches; within, it goes."""
    first, last = mark
    if start <= first and last <= end and start != end:
        return None
    by = length - (end - start)
    first = first if first < start or first == start != end else max(first, end) + by
    return first, max(first, last if last <= start else max(last, end) + by)


def names_of(module: Module) -> list[object]:
    """What a module's names stand for, by number of the block and line in it."""
    number = {block: index for index, block in enumerate(module.blocks)}
    listed: list[object] = [module.stars, module.postponed]
    for kind in ("bindings", "mutations"):
        pairs = getattr(module, kind)
        listed.append(
            {
                name: [(number[b], each.node.lineno, type(each.node)) for b, each in pairs[name]]
                for name in sorted(pairs)
            }
        )
    return listed


class Texts:
    """One text under random edits.

    Args:
        seed: The same seed gives the same edits.
    """

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.encoding = self.random.choice(ENCODINGS)
        self.documents = Documents()
        text = _part(self.random.choice(SMALL).read_text("utf-8"), self.random)
        if self.random.random() < 0.3:
            text = text.replace("\n", self.random.choice(("\r\n", "\r")))
        elif self.random.random() < 0.2:
            text = "".join(self.random.choice("\r\n") if each == "\n" else each for each in text)
        self.text = text
        self.documents.open(types.TextDocumentItem("u", "python", 0, text))
        self.module = Module.of(text)
        self.marks: list[Mark] = []
        self.shown: tuple[Shown, ...] = ()
        self.mark()

    def mark(self) -> None:
        """Effect: shows something at a few places, as an analysis does."""
        spots = [self._spot() for _ in range(6)]
        self.marks = [(a, b) for a, b in spots if not between(self.text, a) and not between(self.text, b)]
        self.shown = tuple(self._shown(a, b) for a, b in self.marks)

    def _shown(self, start: int, end: int) -> Shown:
        first, last = at(self.text, start, self.encoding), at(self.text, end, self.encoding)
        return Shown(first.line, first.character, last.line, last.character, "}")

    def _spot(self) -> Mark:
        start = self.random.randrange(len(self.text) + 1)
        if self.random.random() < 0.3:
            start = self.text.rfind("\n", 0, start) + 1
        return start, min(len(self.text), start + self.random.choice((0, 0, 0, 1, 1, 2, 4, 9, 30, 150)))

    def step(self, *, names: bool) -> None:
        """Effect: an edit, or some that come together, looked at in every layer; `names` are dearer."""
        before, sent, exact = self.shown, list[Replacement](), True
        for start, end, inserted in self._edits():
            changes, precise = self._edit(start, end, inserted)
            sent += changes
            exact = exact and precise
        source = self.documents.by_uri["u"].source
        self._check_rows(source)
        self._check_shown(before, sent, exact=exact)
        if names:
            self._check_names(source)

    def _edits(self) -> Iterator[tuple[int, int, str]]:
        """One edit anywhere, and sometimes more in the line where it ended, as typing makes them."""
        start, end = self._spot()
        yield start - between(self.text, start), end + between(self.text, end), self._inserted()
        for _ in range(self.random.choice((0, 0, 0, 1, 3, 9))):
            first, last = self._line_around(min(start, len(self.text)))
            start = self.random.randint(first, last)
            end = self.random.choice((start, start, self.random.randint(start, last), last))
            if self.random.random() < 0.1:
                start, end = first, last
            yield start, end, self.random.choice(("x", "\U0001f600", "é", '"""', "", "", "(", "# "))

    def _line_around(self, offset: int) -> Mark:
        starts = _starts(self.text)
        line = bisect_right(starts, offset) - 1
        end = LINE_END.search(self.text, starts[line])
        return starts[line], end.start() if end else len(self.text)

    def _edit(self, start: int, end: int, inserted: str) -> tuple[Sequence[Replacement], bool]:
        """Makes one edit: what the document made of it, and whether what is shown after it can be told."""
        before, after = self.text, self.text[:start] + inserted + self.text[end:]
        where = types.Range(at(before, start, self.encoding), at(before, end, self.encoding))
        whole = self.random.random() < 0.05
        sent: Change = after if whole else replacement(where, inserted)
        changed = self.documents.change(Changes("u", 1, [sent]), self.encoding)
        assert changed is not None
        self.text = after
        self.marks = [m for old in self.marks if (m := carried(old, start, end, len(inserted))) is not None]
        splits = (
            before[start - 1 : start] + inserted[:1] == "\r\n"
            or inserted[-1:] + before[end : end + 1] == "\r\n"
            or (not inserted and before[start - 1 : start] + before[end : end + 1] == "\r\n")
        )
        return changed[1], not (whole or splits)

    def _inserted(self) -> str:
        if self.random.random() < 0.15:
            start, end = self._spot()
            return self.text[start:end]
        return self.random.choice(PIECES)

    def _check_rows(self, source: RowText) -> None:
        assert source.text == self.text
        fresh = row_of(self.text)
        assert [block.text for block in source.row.blocks] == [block.text for block in fresh.blocks]
        assert source.row.settled == fresh.settled
        whole = SourceText(self.text)
        offset = self.random.randrange(len(self.text) + 1)
        assert source.line_column(offset) == whole.line_column(offset)
        line = whole.line_column(offset)[0]
        assert source.line_span(line) == whole.line_span(line)
        if not between(self.text, offset):
            assert convert.position(source, offset, self.encoding) == at(self.text, offset, self.encoding)
            assert convert.offset_of(source, at(self.text, offset, self.encoding), self.encoding) == offset

    def _check_shown(self, before: Sequence[Shown], changes: Sequence[Replacement], *, exact: bool) -> None:
        units = partial(convert.units, encoding=self.encoding)
        self.shown = moved(before, changes, units)
        one_by_one = tuple(before)
        for change in changes:
            one_by_one = moved(one_by_one, [change], units)
        assert self.shown == one_by_one
        if not exact or self.random.random() < 0.1:
            self.mark()
            return
        assert self.shown == tuple(self._shown(a, b) for a, b in self.marks)

    def _check_names(self, source: RowText) -> None:
        self.module = Module(source, before=self.module)
        assert names_of(self.module) == names_of(Module(RowText(row_of(self.text))))


def play(seed: int, edits: int, *, names_each: int = 5) -> None:
    """Edits a text at random.

    Args:
        seed: Which text and edits.
        edits: How many.
        names_each: After how many edits names are looked at, too.
    """
    texts = Texts(seed)
    for number in range(edits):
        texts.step(names=number % names_each == 0)
        if len(texts.text) > LONGEST or number % 60 == 59:
            texts.__init__(seed * 1000 + number)  # type: ignore[misc]  # another text
