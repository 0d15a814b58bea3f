"""Writes `{name?}` for `{name}` in an instruction, which stays empty while the state has no value."""

from __future__ import annotations

import re

from adk_tool_lens.fixes.model import Case, Repair, edit

_VARIABLE = re.compile(r"\{+\s*(?P<name>\w+)\s*(?P<end>\}+)")


def repair(case: Case) -> Repair | None:
    """The edit; None where the variable is not written out at the finding."""
    place = case.finding.place if case.finding is not None else None
    match = _VARIABLE.fullmatch(place.block.text, *_bounds(case)) if place is not None else None
    if place is None or match is None:
        return None
    at = match.end("name")
    title = f"Write {{{match['name']}?}}, which may be missing in the state"
    return Repair(title, (edit(place, at, at, "?"),), safe=False)


def _bounds(case: Case) -> tuple[int, int]:
    assert case.finding is not None  # noqa: S101 - the caller looked
    return case.finding.place.span.start, case.finding.place.span.end
