"""Adds a `Returns:` section to the docstring, to be filled in."""

from __future__ import annotations

from adk_tool_lens.docstrings.editor import set_returns
from adk_tool_lens.fixes.add_entry import PLACEHOLDER
from adk_tool_lens.fixes.docstring_text import function_text, parameter_order, placed, summary_of
from adk_tool_lens.fixes.model import Repair
from adk_tool_lens.rules.model import ToolView


def repair(view: ToolView, _arguments: tuple[str, ...]) -> Repair | None:
    """The edits; None when they cannot be made safely."""
    function = function_text(view.tool)
    if function is None:
        return None
    order = parameter_order(view.tool)
    edits = set_returns(function, PLACEHOLDER, order=order, summary=summary_of(view.tool))
    if not edits:
        return None
    title = "Add a Returns section to the docstring, to be described"
    return Repair(title, placed(view.tool, edits), safe=False, snippet=True)
