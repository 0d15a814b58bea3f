"""Gives a keyword argument of an agent the name of the field that was meant."""

from __future__ import annotations

from adk_tool_lens.fixes.model import Case, Repair, edit


def repair(case: Case) -> Repair | None:
    """The edit; `arguments` are the keyword's name and the field's."""
    place = case.place
    if place is None or len(case.arguments) != 2:
        return None
    old, new = case.arguments
    start = place.span.start
    if place.block.text[start : start + len(old)] != old:
        return None
    return Repair(f"Write {new} instead of {old}", (edit(place, start, start + len(old), new),), safe=False)
