"""Adds entries for parameters to the docstring's `Args:`, to be filled in."""

from __future__ import annotations

from adk_tool_lens.docstrings.editor import set_entries
from adk_tool_lens.fixes.docstring_text import function_text, parameter_order, placed, summary_of
from adk_tool_lens.fixes.model import Repair
from adk_tool_lens.rules.model import ToolView

PLACEHOLDER = "TODO: describe."


def repair(view: ToolView, arguments: tuple[str, ...]) -> Repair | None:
    """The edits for the named parameters; None when they cannot be made safely."""
    function = function_text(view.tool)
    if function is None:
        return None
    texts = dict.fromkeys(arguments, PLACEHOLDER)
    order = parameter_order(view.tool)
    edits = set_entries(function, texts, order=order, summary=summary_of(view.tool))
    if not edits:
        return None
    names = ", ".join(f"'{name}'" for name in arguments)
    title = f"Add {names} to docstring Args, to be described"
    return Repair(title, placed(view.tool, edits), safe=False, snippet=True)
