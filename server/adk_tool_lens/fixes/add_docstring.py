"""Adds a docstring with an entry for each parameter and for the result, to be filled in."""

from __future__ import annotations

from adk_tool_lens.fixes.docstring_text import PLACEHOLDER, whole
from adk_tool_lens.fixes.document_result_keys import described
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.rules.model import ToolView


def repair(case: Case) -> Repair | None:
    """The edits; None when they cannot be made safely."""
    view = case.view
    if not isinstance(view, ToolView) or view.tool.docstring is not None:
        return None
    names = [parameter.name for parameter in view.parameters]
    edits = whole(case, dict.fromkeys(names, PLACEHOLDER), _result(view))
    if not edits:
        return None
    return Repair("Add a docstring, to be described", edits, safe=False, snippet=True)


def _result(view: ToolView) -> str:
    """What to say about the result; empty where nothing is returned, or the model is sent a schema."""
    tool = view.tool
    if view.has_response_schema or (tool.returns is not None and tool.returns.text in {"None", "NoReturn"}):
        return ""
    if tool.returns is None and all(result.kind == "none" for result in tool.body.returns):
        return ""
    known = "" if tool.is_generator else described(tool.body.returns)
    return known or PLACEHOLDER
