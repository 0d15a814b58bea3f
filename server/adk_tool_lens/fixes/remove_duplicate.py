"""Takes a tool out of a list that has the same tool already."""

from __future__ import annotations

import ast

from adk_tool_lens.fixes.correct_element import without_element
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.fixes.nodes import exactly, parent_of


def repair(case: Case) -> Repair | None:
    """The edit; None when the two are not the same function, handed over in the same way."""
    place = case.place
    entries = case.agent.agent.entries if case.agent is not None else ()
    own = next((entry for entry in entries if entry.place == place), None)
    if place is None or own is None or own.tool is None:
        return None
    tool = own.tool
    same = [e for e in entries if e.tool is not None and e.tool.place == tool.place]
    written = {e.place.block.text[e.place.span.start : e.place.span.end] for e in same}
    node = exactly(place, ast.expr)
    outer = parent_of(place, node) if node is not None else None
    if len(same) < 2 or len(written) != 1 or node is None or not isinstance(outer, ast.List | ast.Tuple):
        return None
    edits = without_element(place, node, outer)
    return None if edits is None else Repair(f"Remove the second '{tool.name}'", edits, safe=False)
