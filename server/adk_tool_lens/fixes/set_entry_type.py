"""Takes a type out of the docstring that says another one than the signature does."""

from __future__ import annotations

from adk_tool_lens.docstrings.editor import set_entry_type
from adk_tool_lens.fixes.docstring_text import function_text, parameter_order, placed
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.fixes.remove_entry import documented_at
from adk_tool_lens.rules.model import ToolView


def repair(case: Case) -> Repair | None:
    """The edits: the entry gets the annotation's text where that is plain, else no type."""
    view = case.view
    named = [p.name for p in case.parameters()]
    name = next(iter(case.arguments or named or documented_at(case)), "")
    if not isinstance(view, ToolView) or not name:
        return None
    parameter = next((p for p in view.tool.parameters if p.name == name), None)
    function = function_text(view.tool)
    if function is None or parameter is None or parameter.annotation is None:
        return None
    text = " ".join(parameter.annotation.text.split())
    wanted = text if len(text) <= 40 and "Annotated" not in text and "(" not in text else None
    edits = placed(view.tool, set_entry_type(function, name, wanted, order=parameter_order(view.tool)))
    if not edits:
        return None
    if wanted is None:
        return Repair(f"Remove the type of '{name}' from docstring Args", edits, safe=False)
    return Repair(f"Say {wanted} for '{name}' in docstring Args, as the signature does", edits, safe=False)
