"""Applying and joining edits."""

from __future__ import annotations

from collections.abc import Iterable

from adk_tool_lens.docstrings.model import Edit


def apply(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits applied; insertions at one place keep their order."""
    parts: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            raise ValueError(f"edits overlap at {edit.start}")
        parts += text[position : edit.start], edit.text
        position = edit.end
    return "".join([*parts, text[position:]])


def joined(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Edits in the order of the text, those that touch made one, those without effect left out."""
    result: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if result and result[-1].end == edit.start:
            last = result.pop()
            edit = Edit(last.start, edit.end, last.text + edit.text)  # noqa: PLW2901
        result.append(edit)
    return tuple(edit for edit in result if edit.start != edit.end or edit.text)
