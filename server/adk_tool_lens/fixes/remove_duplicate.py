"""Takes a tool out of a list that has the same tool already."""

from __future__ import annotations

from adk_tool_lens.fixes.correct_element import element_at, without_element
from adk_tool_lens.fixes.model import Case, Repair


def repair(case: Case) -> Repair | None:
    """The edit; None when the two are not the same function, handed over in the same way."""
    element = element_at(case)
    if element is None or case.agent is None:
        return None
    own, node, outer = element
    tool = own.tool
    if tool is None:
        return None
    same = [e for e in case.agent.agent.entries if e.tool is not None and e.tool.place == tool.place]
    written = {e.place.block.text[e.place.span.start : e.place.span.end] for e in same}
    if len(same) < 2 or len(written) != 1:
        return None
    edits = without_element(own.place, node, outer)
    return None if edits is None else Repair(f"Remove the second '{tool.name}'", edits, safe=False)
