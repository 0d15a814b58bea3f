"""Gives a parameter that may be None the default None, so that the model can leave it out."""

from __future__ import annotations

from adk_tool_lens.discovery.model import ParameterKind
from adk_tool_lens.fixes.field_default_after_annotated import may_have_default
from adk_tool_lens.fixes.model import Case, Repair, edit


def repair(case: Case) -> Repair | None:
    """The edit; None when a parameter without a default follows, or None is not allowed."""
    parameter, tool = case.parameter(), case.tool
    if parameter is None or tool is None or parameter.default is not None:
        return None
    if parameter.type is None or not parameter.type.optional or parameter.annotation is None:
        return None
    if parameter.kind is ParameterKind.VAR_KEYWORD or not may_have_default(tool, parameter):
        return None
    end = parameter.whole.span.end
    return Repair(
        f"Give '{parameter.name}' the default None",
        (edit(parameter.whole, end, end, " = None"),),
        safe=False,
    )
