"""Puts the entries of a docstring into the order of the signature."""

from __future__ import annotations

from adk_tool_lens.docstrings.editor import reorder_entries
from adk_tool_lens.fixes.docstring_text import function_text, parameter_order, placed
from adk_tool_lens.fixes.model import Case, Repair


def repair(case: Case) -> Repair | None:
    """The edits; None when they are in order."""
    tool = case.tool
    function = function_text(tool) if tool is not None else None
    if tool is None or function is None:
        return None
    edits = placed(tool, reorder_entries(function, parameter_order(tool)))
    return Repair("Put docstring Args into the order of the signature", edits) if edits else None
