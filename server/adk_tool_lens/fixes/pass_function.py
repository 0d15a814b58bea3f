"""Passes the function instead of what calling it gives: `tools=[f()]` becomes `tools=[f]`."""

from __future__ import annotations

import ast

from adk_tool_lens.fixes.calls import call_of
from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import has_comment


def repair(case: Case) -> Repair | None:
    """The edits; None when the call has arguments, which would be lost."""
    place = case.place
    call = call_of(place) if place is not None else None
    if place is None or call is None or call.args or call.keywords:
        return None
    start, end = place.block.span(call.func).end, place.block.span(call).end
    if has_comment(place.block.text[start:end]):
        return None
    title = f"Pass {ast.unparse(call.func)} instead of calling it"
    return Repair(title, (edit(place, start, end, ""),), safe=False)
