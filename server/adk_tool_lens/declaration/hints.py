"""Copies annotations into a stub; what is not known in them becomes `Any`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import expressions, values
from adk_tool_lens.declaration.frames import Frame, OpaqueError
from adk_tool_lens.discovery.evaluate import evaluate
from adk_tool_lens.discovery.values import External, Scope

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer


def hint(w: Writer, node: ast.expr, scope: Scope, frame: Frame) -> ast.expr:
    """An annotation; parts that cannot be part of a stub become `Any`, and the preview says so."""
    match node:
        case ast.Constant(value=str(text)):
            return _quoted(w, text, scope, frame)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return ast.BinOp(hint(w, left, scope, frame), ast.BitOr(), hint(w, right, scope, frame))
        case ast.Subscript():
            return _subscript(w, node, scope, frame)
        case ast.List(elts=elts):
            return ast.List([hint(w, part, scope, frame) for part in elts], ast.Load())
        case ast.Starred(value=value):
            return ast.Starred(hint(w, value, scope, frame), ast.Load())
    try:
        return expressions.expression(w, node, frame)
    except OpaqueError as opaque:
        text = ast.unparse(node)
        w.approximate(f"the type `{text[:80]}` is not known: {opaque.reason}", scope, node)
        return values.external("typing.Any", frame)


def base(w: Writer, node: ast.expr, scope: Scope, frame: Frame) -> ast.expr:
    """A base class, with its type arguments.

    Raises:
        OpaqueError: it cannot be part of a stub.
    """
    if isinstance(node, ast.Subscript):
        expressions.expression(w, node.value, frame)
        return _subscript(w, node, scope, frame)
    return expressions.expression(w, node, frame)


def _quoted(w: Writer, text: str, scope: Scope, frame: Frame) -> ast.expr:
    """`x: "list[Node]"`: a text that typing reads as code, so it is read the same way here."""
    try:
        inner = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Constant(text)
    copy = hint(w, inner, scope, frame.module)
    return ast.Constant(ast.unparse(ast.fix_missing_locations(ast.Expression(copy))))


def _subscript(w: Writer, node: ast.Subscript, scope: Scope, frame: Frame) -> ast.expr:
    base = hint(w, node.value, scope, frame)
    callee = evaluate(node.value, frame.scope, w.world)
    form = callee.name.rpartition(".")[2] if isinstance(callee, External) else ""
    if form == "Literal":
        return ast.Subscript(base, expressions.expression(w, node.slice, frame), ast.Load())
    match node.slice:
        case ast.Tuple(elts=[first, *rest]) if form == "Annotated":
            parts = [hint(w, first, scope, frame)]
            parts += [copy for part in rest for copy in _metadata(w, part, scope, frame)]
            if len(parts) == 1:
                return parts[0]
            return ast.Subscript(base, ast.Tuple(parts, ast.Load()), ast.Load())
        case ast.Tuple(elts=elts):
            inner = [hint(w, part, scope, frame) for part in elts]
            return ast.Subscript(base, ast.Tuple(inner, ast.Load()), ast.Load())
    return ast.Subscript(base, hint(w, node.slice, scope, frame), ast.Load())


def _metadata(w: Writer, node: ast.expr, scope: Scope, frame: Frame) -> list[ast.expr]:
    try:
        return [expressions.expression(w, node, frame)]
    except OpaqueError as opaque:
        text = ast.unparse(node)
        w.approximate(f"`{text[:80]}` is left out: {opaque.reason}", scope, node)
        return []
