"""Edits to a text as plain data, and how they are applied."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """Replace the code points `start` to `end` (exclusive) by `text`."""

    start: int
    end: int
    text: str

    def moved(self, by: int) -> Edit:
        """The same edit, `by` code points further on."""
        return Edit(self.start + by, self.end + by, self.text)


class OverlapError(ValueError):
    """Two edits change the same place, so there is no one text that is meant."""


def ordered(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits in the order of the text, each once; insertions at one place keep the order they are given in."""
    return tuple(sorted(dict.fromkeys(edits), key=lambda edit: (edit.start, edit.end)))


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text after all edits, whose offsets all refer to `text`.

    Raises:
        OverlapError: two edits overlap.
    """
    parts: list[str] = []
    position = 0
    for edit in ordered(edits):
        if edit.start < position:
            raise OverlapError(f"edits overlap at offset {edit.start}")
        parts += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*parts, text[position:]])


def joined(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits in the order of the text, those that touch made one, those without effect left out."""
    result: list[Edit] = []
    for edit in ordered(edits):
        if result and result[-1].end == edit.start:
            last = result.pop()
            edit = Edit(last.start, edit.end, last.text + edit.text)  # noqa: PLW2901
        result.append(edit)
    return tuple(edit for edit in result if edit.start != edit.end or edit.text)


def overlap(left: Iterable[Edit], right: Iterable[Edit]) -> bool:
    """Whether applying both sets at once would be ambiguous."""
    rights = tuple(right)
    return any(a != b and a.start <= b.end and b.start <= a.end for a in left for b in rights)


def difference(before: str, after: str) -> Edit:
    r"""The one replacement that makes a text another one; neither end stands between `\r` and `\n`.

    Found by halving, so that texts of many lines are compared as fast as memory is.
    """
    first = _common(min(len(before), len(after)), lambda n: before[:n] == after[:n])
    if _cuts_line_end(before, first) or _cuts_line_end(after, first):
        first -= 1
    most = min(len(before), len(after)) - first
    last = _common(most, lambda n: before[len(before) - n :] == after[len(after) - n :])
    if _cuts_line_end(before, len(before) - last) or _cuts_line_end(after, len(after) - last):
        last -= 1
    return Edit(first, len(before) - last, after[first : len(after) - last])


def _common(most: int, same: Callable[[int], bool]) -> int:
    """The largest number up to `most` for which it holds, when it holds for all smaller ones."""
    return bisect_left(range(1, most + 1), True, key=lambda n: not same(n))


def _cuts_line_end(text: str, offset: int) -> bool:
    return 0 < offset < len(text) and text[offset - 1 : offset + 1] == "\r\n"
