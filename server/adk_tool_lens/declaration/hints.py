"""Copies annotations into a stub; what is not known in them becomes `Any`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import expressions, values
from adk_tool_lens.declaration.frames import OpaqueError
from adk_tool_lens.discovery.evaluate import class_member
from adk_tool_lens.discovery.values import Class, External

if TYPE_CHECKING:
    from adk_tool_lens.declaration.sites import Site


def hint(site: Site, node: ast.expr) -> ast.expr:
    """An annotation; parts that cannot be part of a stub become `Any`, and the preview says so."""
    match node:
        case ast.Constant(value=str(text)):
            return _quoted(site, text, node)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return ast.BinOp(hint(site, left), ast.BitOr(), hint(site, right))
        case ast.Subscript():
            return _subscript(site, node)
        case ast.List(elts=elts):
            return ast.List([hint(site, part) for part in elts], ast.Load())
        case ast.Starred(value=value):
            return ast.Starred(hint(site, value), ast.Load())
    try:
        return expressions.expression(site, node)
    except OpaqueError as opaque:
        text = ast.unparse(node)
        site.approximate(f"the type `{text[:80]}` is not known: {opaque.reason}", node)
        return values.external("typing.Any", site.frame)


def base(site: Site, node: ast.expr) -> ast.expr:
    """A base class, with its type arguments.

    Raises:
        OpaqueError: it cannot be part of a stub.
    """
    if isinstance(node, ast.Subscript):
        expressions.expression(site, node.value)
        return _subscript(site, node)
    return expressions.expression(site, node)


def _quoted(site: Site, text: str, node: ast.expr) -> ast.expr:
    """`x: "list[Node]"`: a text that typing reads as code, so it is read the same way here."""
    try:
        inner = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Constant(text)
    known = len(site.w.approximations)
    copy = hint(site.late, inner)
    reasons = [approximation.reason for approximation in site.w.approximations[known:]]
    del site.w.approximations[known:]
    for reason in reasons:
        site.approximate(reason, node)
    return ast.Constant(ast.unparse(ast.fix_missing_locations(ast.Expression(copy))))


def _subscript(site: Site, node: ast.Subscript) -> ast.expr:
    callee = site.value(node.value)
    if isinstance(callee, Class):
        _note_subscription(site, callee, node)
    form = callee.name.rpartition(".")[2] if isinstance(callee, External) else ""
    copy = hint(site, node.value)
    if form == "Literal":
        try:
            return ast.Subscript(copy, _choices(site, node.slice), ast.Load())
        except OpaqueError as opaque:
            text = ast.unparse(node)
            site.approximate(f"the values of `{text[:80]}` are not known: {opaque.reason}", node)
            return values.external("typing.Any", site.frame)
    match node.slice:
        case ast.Tuple(elts=[first, *rest]) if form == "Annotated":
            parts = [hint(site, first)]
            parts += [part_copy for part in rest for part_copy in _metadata(site, part)]
            if len(parts) == 1:
                return parts[0]
            return ast.Subscript(copy, ast.Tuple(parts, ast.Load()), ast.Load())
        case ast.Tuple(elts=elts):
            inner = [hint(site, part) for part in elts]
            return ast.Subscript(copy, ast.Tuple(inner, ast.Load()), ast.Load())
    return ast.Subscript(copy, hint(site, node.slice), ast.Load())


def _note_subscription(site: Site, cls: Class, node: ast.Subscript) -> None:
    """`Box[int]`, where `Box` says itself what that is, in `__class_getitem__`."""
    if class_member(cls, "__class_getitem__", site.w.world, cls) is not None:
        reason = (
            f"what `{ast.unparse(node)[:80]}` is, `{cls.node.name}.__class_getitem__` decides when it runs"
        )
        site.approximate(reason, node)


def _choices(site: Site, node: ast.expr) -> ast.expr:
    """What stands in `Literal[...]`: the values themselves.

    Raises:
        OpaqueError: one of them is not known.
    """
    if isinstance(node, ast.Tuple):
        return ast.Tuple([expressions.expression(site, part) for part in node.elts], ast.Load())
    return expressions.expression(site, node)


def _metadata(site: Site, node: ast.expr) -> list[ast.expr]:
    try:
        return [expressions.expression(site, node)]
    except OpaqueError as opaque:
        text = ast.unparse(node)
        site.approximate(f"`{text[:80]}` is left out: {opaque.reason}", node)
        return []
