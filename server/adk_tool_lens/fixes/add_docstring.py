"""Adds a docstring with an entry for each parameter, to be filled in."""

from __future__ import annotations

from adk_tool_lens.fixes.docstring_text import PLACEHOLDER, entries, results
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.rules.model import ToolView


def repair(case: Case) -> Repair | None:
    """The edits; None when they cannot be made safely."""
    view = case.view
    if not isinstance(view, ToolView) or view.tool.docstring is not None:
        return None
    names = [parameter.name for parameter in view.parameters]
    edits = entries(case, dict.fromkeys(names, PLACEHOLDER)) if names else results(case, PLACEHOLDER)
    if not edits:
        return None
    return Repair("Add a docstring, to be described", edits, safe=False, snippet=True)
