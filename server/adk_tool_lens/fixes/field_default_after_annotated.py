"""Writes a default that google-adk ignores in `Annotated[T, Field(default=3)]` behind the annotation."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.model import Metadata, Parameter, ParameterKind, Tool
from adk_tool_lens.fixes.annotations import call_at, cuts, fields_of, parts_of
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit
from adk_tool_lens.fixes.nodes import exactly, has_comment, text_of
from adk_tool_lens.source.text import Span


def repair(case: Case) -> Repair | None:
    """The edits; None when there is another default, or a parameter without one follows."""
    parameter, tool = case.parameter(), case.tool
    fields = fields_of(parameter) if parameter is not None else []
    if parameter is None or tool is None or len(fields) != 1 or parameter.annotation is None:
        return None
    call = call_at(fields[0])
    default = _default(call) if call is not None else None
    if call is None or default is None or not may_have_default(tool, parameter):
        return None
    if parameter.default is not None or has_comment(text_of(parameter.place.block, call)):
        return None
    end = parameter.annotation.place.span.end
    text = text_of(parameter.place.block, default[1])
    less = _without(parameter, fields[0], call, parameter.place.block.span(default[0]))
    if less is None:
        return None
    behind = edit(parameter.place, end, end, f" = {text}")
    title = f"Write the default of '{parameter.name}' behind its annotation"
    return Repair(title, (less, behind), freed=("Annotated", "Field"))


def _default(call: ast.Call) -> tuple[ast.expr | ast.keyword, ast.expr] | None:
    """The argument that is the default, and its value."""
    found: list[tuple[ast.expr | ast.keyword, ast.expr]] = [
        *((argument, argument) for argument in call.args),
        *((k, k.value) for k in call.keywords if k.arg == "default"),
    ]
    if len(found) != 1 or (isinstance(found[0][1], ast.Constant) and found[0][1].value is Ellipsis):
        return None
    return found[0]


def may_have_default(tool: Tool, parameter: Parameter) -> bool:
    """Whether the signature stays valid when the parameter gets a default."""
    if parameter.kind is ParameterKind.KEYWORD_ONLY:
        return True
    after = tool.parameters[tool.parameters.index(parameter) + 1 :]
    positional = {ParameterKind.NORMAL, ParameterKind.POSITIONAL_ONLY}
    return all(p.default is not None for p in after if p.kind in positional)


def _without(parameter: Parameter, field: Metadata, call: ast.Call, gone: Span) -> PlacedEdit | None:
    """The annotation without one argument of its `Field`, and without the `Field` when that is all of it."""
    block, annotation = field.place.block, parameter.annotation
    parts = parts_of(block, call)
    if len(parts) > 1 or annotation is None:
        (span,) = cuts(parts, [gone])
        return edit(field.place, span.start, span.end, "")
    node = exactly(annotation.place, ast.Subscript)
    if node is None or not isinstance(node.slice, ast.Tuple) or len(node.slice.elts) != 2:
        return None
    return PlacedEdit(annotation.place, text_of(block, node.slice.elts[0]))
