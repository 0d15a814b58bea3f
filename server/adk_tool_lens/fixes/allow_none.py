"""Writes `| None` behind the type of a parameter whose default is None."""

from __future__ import annotations

import ast

from adk_tool_lens.fixes.annotations import is_annotated
from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import exactly


def repair(case: Case) -> Repair | None:
    """The edit; None for types in quotes, those that cannot stand beside `|`, and Python before 3.10."""
    parameter = case.parameter()
    if case.world.python < (3, 10):
        return None
    annotation = parameter.annotation if parameter is not None else None
    node = exactly(annotation.place, ast.expr) if annotation is not None else None
    if parameter is None or annotation is None or node is None:
        return None
    if parameter.default is None or parameter.default.text != "None":
        return None
    if parameter.type is not None and parameter.type.optional:
        return None
    if isinstance(node, ast.Subscript) and is_annotated(parameter, node):
        inner = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) else None
        node = inner
    if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.BinOp):
        return None
    end = annotation.place.block.span(node).end
    title = f"Write | None behind the type of '{parameter.name}'"
    return Repair(title, (edit(annotation.place, end, end, " | None"),))
