"""Takes a type out of the docstring that says another one than the signature does."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.docstrings.editor import set_entry_type
from adk_tool_lens.fixes.annotations import is_annotated
from adk_tool_lens.fixes.docstring_text import LONGEST_TYPE, function_text, parameter_order, placed
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.fixes.nodes import exactly, text_of
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
    wanted = _written(view, parameter)
    edits = placed(view.tool, set_entry_type(function, name, wanted, order=parameter_order(view.tool)))
    if not edits:
        return None
    if wanted is None:
        return Repair(f"Remove the type of '{name}' from docstring Args", edits, safe=False)
    return Repair(f"Say {wanted} for '{name}' in docstring Args, as the signature does", edits, safe=False)


def _written(view: ToolView, parameter: Parameter) -> str | None:
    """The type as docstrings say it; None where it is too long for that."""
    assert parameter.annotation is not None  # noqa: S101 - the caller looked
    node = exactly(parameter.annotation.place, ast.expr)
    text = parameter.annotation.text.strip("\"'")
    if isinstance(node, ast.Subscript) and is_annotated(parameter, node):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        text = text_of(parameter.place.block, parts[0]) if parts else ""
    text = " ".join(text.split())
    if not text or len(text) > LONGEST_TYPE or "(" in text:
        return None
    entry = view.docstring.entry(parameter.name)
    said = (entry.type or "") if entry is not None else ""
    optional = parameter.default is not None and said.endswith("optional")
    return f"{text}, optional" if optional else text
