"""Annotates the context parameter as `ToolContext`, so that google-adk fills it in itself."""

from __future__ import annotations

from adk_tool_lens.fixes.annotate_parameter import annotated
from adk_tool_lens.fixes.imports import name_for
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair

_ANYTHING = {"Any", "object", "typing.Any"}


def repair(case: Case) -> Repair | None:
    """The edits; None when they cannot be made safely."""
    parameter = case.parameter()
    module = case.module_of(parameter.place) if parameter is not None else None
    if parameter is None or module is None:
        return None
    context = name_for(
        module, "google.adk.tools", "ToolContext", parameter.place, "google.adk.tools.tool_context"
    )
    if context is None:
        return None
    annotation = parameter.annotation
    if annotation is not None and annotation.text == context.text:
        return None
    own = (
        annotated(parameter, context.text)
        if annotation is None
        else (PlacedEdit(annotation.place, context.text),)
    )
    return Repair(
        f"Annotate context parameter '{parameter.name}' as ToolContext",
        (*context.edits, *own),
        safe=annotation is None or annotation.text.strip("\"'") in _ANYTHING,
        freed=("Any",),
    )
