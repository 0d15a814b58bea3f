"""Puts what is given as `tools` into a list: `tools=f` becomes `tools=[f]`, and `tools=None` goes."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.module import Place
from adk_tool_lens.fixes.annotations import parts_of, without_part
from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import exactly, parent_of

_TOOLS = {"function", "tool", "class"}


def repair(case: Case) -> Repair | None:
    """The edits; None where the value is no tool either."""
    place = case.place
    given = case.agent.agent.keyword("tools") if case.agent is not None else None
    if place is None or given is None or given.value.place != place:
        return None
    if given.shape == "NoneType":
        return _left_out(place)
    if given.shape not in _TOOLS or exactly(place, ast.expr) is None:
        return None
    start, end = place.span.start, place.span.end
    edits = (edit(place, start, start, "["), edit(place, end, end, "]"))
    return Repair(f"Put {' '.join(given.value.text.split())} into a list", edits, safe=given.shape != "class")


def _left_out(place: Place) -> Repair | None:
    """The agent's call without `tools=None`."""
    value = exactly(place, ast.Constant)
    keyword = parent_of(place, value) if value is not None else None
    call = parent_of(place, keyword) if keyword is not None else None
    if not isinstance(call, ast.Call) or keyword is None:
        return None
    edits = without_part(place, parts_of(place.block, call), place.block.span(keyword))
    return None if edits is None else Repair("Leave tools=None out", edits)
