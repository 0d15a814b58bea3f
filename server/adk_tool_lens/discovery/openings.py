"""What stands where a docstring was meant to be."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.model import Opening, OpeningKind
from adk_tool_lens.discovery.module import FunctionNode
from adk_tool_lens.discovery.values import Scope

_LATEST = 4
"""A string further down is a comment, not a docstring that slipped."""


def opening(node: FunctionNode, scope: Scope) -> Opening | None:
    """The text that is no docstring for Python although it was meant as one."""
    first = node.body[0]
    if isinstance(first, ast.Expr):
        kind = _kind(first.value)
        if kind is not None:
            return Opening(kind, scope.place(first.value))
        if isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            return None
    for statement in node.body[1:_LATEST]:
        match statement:
            case ast.Expr(value=ast.Constant(value=str(text)) as literal) if text.strip():
                return Opening(OpeningKind.LATER, scope.place(literal))
    return None


def _kind(value: ast.expr) -> OpeningKind | None:
    match value:
        case ast.JoinedStr():
            return OpeningKind.F_STRING
        case ast.Constant(value=bytes()):
            return OpeningKind.BYTES
        case ast.BinOp(left=left, op=ast.Mod()) if _is_text(left):
            return OpeningKind.FORMATTED
        case ast.BinOp(op=ast.Add()) if any(map(_is_text, _terms(value))):
            return OpeningKind.SUM
        case ast.Call(func=ast.Attribute(value=base)) if _is_text(base):
            return OpeningKind.CALL
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[argument]) if name in {
            "dedent",
            "cleandoc",
        } and _is_text(argument):
            return OpeningKind.CALL
    return None


def _terms(value: ast.expr) -> list[ast.expr]:
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return [*_terms(value.left), *_terms(value.right)]
    return [value]


def _is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )
