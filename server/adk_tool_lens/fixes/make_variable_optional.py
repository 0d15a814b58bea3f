"""Writes `{name?}` for `{name}` in an instruction, which stays empty while the state has no value."""

from __future__ import annotations

import re

from adk_tool_lens.fixes.model import Case, Repair, edit

_VARIABLE = re.compile(r"\{+\s*(?P<name>\w+)\s*(?P<end>\}+)")


def repair(case: Case) -> Repair | None:
    """The edit; None where the variable is not written out at the finding."""
    place = case.place
    if place is None:
        return None
    match = _VARIABLE.fullmatch(place.block.text, place.span.start, place.span.end)
    if match is None:
        return None
    at = match.end("name")
    title = f"Write {{{match['name']}?}}, which may be missing in the state"
    return Repair(title, (edit(place, at, at, "?"),), safe=False)
