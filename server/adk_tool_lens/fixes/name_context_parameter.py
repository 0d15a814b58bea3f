"""Renames the context parameter to `tool_context`, the name that every google-adk knows."""

from __future__ import annotations

from adk_tool_lens.fixes.annotate_context import has_other_context
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.fixes.renaming import renamed

NAME = "tool_context"


def repair(case: Case) -> Repair | None:
    """The edits; None when they cannot be made safely."""
    tool, parameter = case.tool, case.parameter()
    module = case.module_of(tool.whole) if tool is not None else None
    if tool is None or parameter is None or module is None or has_other_context(case, parameter):
        return None
    edits = renamed(module, tool, parameter.name, NAME)
    if edits is None:
        return None
    return Repair(f"Rename context parameter '{parameter.name}' to '{NAME}'", edits, safe=False)
