"""Adds a docstring with an entry for each parameter, to be filled in."""

from __future__ import annotations

from adk_tool_lens.docstrings.editor import set_entries, set_returns
from adk_tool_lens.fixes.add_entry import PLACEHOLDER
from adk_tool_lens.fixes.docstring_text import function_text, parameter_order, placed, summary_of
from adk_tool_lens.fixes.model import Repair
from adk_tool_lens.rules.model import ToolView


def repair(view: ToolView, _arguments: tuple[str, ...]) -> Repair | None:
    """The edits; None when they cannot be made safely."""
    function = function_text(view.tool)
    if function is None or function.docstring is not None:
        return None
    order = parameter_order(view.tool)
    names = [parameter.name for parameter in view.parameters]
    if names:
        texts = dict.fromkeys(names, PLACEHOLDER)
        edits = set_entries(function, texts, order=order, summary=summary_of(view.tool))
    else:
        edits = set_returns(function, PLACEHOLDER, order=order, summary=summary_of(view.tool))
    if not edits:
        return None
    return Repair("Add a docstring, to be described", placed(view.tool, edits), safe=False, snippet=True)
