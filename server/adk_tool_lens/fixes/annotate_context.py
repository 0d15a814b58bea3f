"""Annotates the context parameter as `ToolContext`, so that google-adk fills it in itself."""

from __future__ import annotations

import re

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.fixes.annotate_parameter import annotated
from adk_tool_lens.fixes.imports import name_for
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair

_CONTEXT = re.compile(r"\b(?:Tool|Callback|Readonly)?Context\b")
_ANYTHING = {"Any", "object", "typing.Any"}


def has_other_context(case: Case, parameter: Parameter) -> bool:
    """Whether another parameter is a context already: google-adk fills in one only."""
    others = [p for p in case.tool.parameters if p != parameter] if case.tool is not None else []
    return any(p.annotation is not None and _CONTEXT.search(p.annotation.text) for p in others)


def repair(case: Case) -> Repair | None:
    """The edits; None when they cannot be made safely."""
    parameter = case.parameter()
    module = case.module_of(parameter.place) if parameter is not None else None
    if parameter is None or module is None or has_other_context(case, parameter):
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
