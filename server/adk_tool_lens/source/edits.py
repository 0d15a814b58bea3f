"""Edits to a text as plain data, and how they are applied."""

from __future__ import annotations

from collections.abc import Iterable
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
