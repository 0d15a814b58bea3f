"""Moves `Field(...)` from a default into the annotation: `x: int = Field(3, ge=1)` becomes a plain default.

Where the project's google-adk loses the text of `Field` in annotations, the description goes into the
docstring's `Args:`.
"""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.model import MetadataKind, Parameter, ParameterKind, Tool
from adk_tool_lens.fixes.annotations import (
    all_of,
    call_at,
    fields_of,
    is_annotated,
    names_at,
    parts_of,
    with_metadata,
)
from adk_tool_lens.fixes.docstring_text import entries
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit
from adk_tool_lens.fixes.nodes import exactly, has_comment, text_of
from adk_tool_lens.fixes.versions import sends_field_descriptions

_KEPT_OUT = {"default_factory", "alias", "validation_alias"}


def repair(case: Case) -> Repair | None:
    """The edits; None when the default cannot be told or its order in the signature forbids it."""
    parameter, tool = case.parameter(), case.tool
    fields = fields_of(parameter, MetadataKind.DEFAULT) if parameter is not None else []
    if parameter is None or tool is None or not fields:
        return None
    call = call_at(fields[0])
    if call is None or has_comment(text_of(parameter.place.block, call)) or not _plain(call):
        return None
    default = _default(call)
    if default is None and not _may_lose_default(tool, parameter):
        return None
    described = fields[0].description if not sends_field_descriptions(case.facts.adk) else None
    docs = entries(case, {parameter.name: described}) if described else ()
    own = _signature(case, parameter, call, drop_description=bool(described))
    edits = all_of(own, docs)
    if not edits:
        return None
    where = "the annotation and docstring Args" if described else "the annotation"
    title = f"Move Field(...) of '{parameter.name}' from its default to {where}"
    return Repair(title, edits, safe=default is not None, freed=("Field",))


def _plain(call: ast.Call) -> bool:
    names = {keyword.arg for keyword in call.keywords}
    return len(call.args) <= 1 and None not in names and not names & _KEPT_OUT


def _default(call: ast.Call) -> ast.expr | None:
    """The default inside; None where the parameter is required."""
    given = next((k.value for k in call.keywords if k.arg == "default"), None)
    value = call.args[0] if call.args else given
    if isinstance(value, ast.Constant) and value.value is Ellipsis:
        return None
    return value


def _may_lose_default(tool: Tool, parameter: Parameter) -> bool:
    """Whether the signature stays valid when the parameter has no default any more."""
    if parameter.kind is ParameterKind.KEYWORD_ONLY:
        return True
    before = tool.parameters[: tool.parameters.index(parameter)]
    return all(p.default is None for p in before)


def _signature(
    case: Case, parameter: Parameter, call: ast.Call, *, drop_description: bool
) -> list[PlacedEdit] | None:
    block, annotation = parameter.place.block, parameter.annotation
    node = exactly(annotation.place, ast.expr) if annotation is not None else None
    if parameter.default is None or annotation is None or node is None or is_annotated(parameter, node):
        return None
    gone = {"default"} | ({"description"} if drop_description else set())
    spans = [block.span(k) for k in call.keywords if k.arg not in gone]
    kept = [block.text[s.start : s.end] for s in parts_of(block, call) if s in spans]
    default = _default(call)
    if default is None:
        own = [edit(parameter.place, annotation.place.span.end, parameter.default.place.span.end, "")]
    else:
        own = [PlacedEdit(parameter.default.place, text_of(block, default))]
    if not kept:
        return own
    names = names_at(case, parameter)
    more = with_metadata(parameter, names, ", ".join(kept)) if names is not None else None
    return None if names is None or more is None else [*names.edits, *more, *own]
