"""Converts a part of a result that has no form in JSON: `str(x)`, or `sorted(x)` for a set."""

from __future__ import annotations

import ast

from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import exactly, local_names


def repair(case: Case) -> Repair | None:
    """The edits; `arguments` are the function to convert with."""
    place = case.place
    convert = next(iter(case.arguments), "")
    module = case.module_of(place) if place is not None else None
    if place is None or module is None or not convert or exactly(place, ast.expr) is None:
        return None
    if convert in local_names(place) or module.bindings.look(convert):
        return None
    start, end = place.span.start, place.span.end
    edits = (edit(place, start, start, f"{convert}("), edit(place, end, end, ")"))
    return Repair(f"Return {convert}(...) of it", edits, safe=False)
