"""What repairs give: edits placed in blocks, under a title that says all they do."""

from __future__ import annotations

from dataclasses import dataclass

from adk_tool_lens.discovery.module import Place


@dataclass(frozen=True)
class PlacedEdit:
    """Replace the text of a place."""

    place: Place
    text: str


@dataclass(frozen=True)
class Repair:
    """A code action: its title and its edits."""

    title: str
    edits: tuple[PlacedEdit, ...]
    safe: bool = True
    snippet: bool = False
    """Whether the text holds placeholders that a person has to fill in."""
