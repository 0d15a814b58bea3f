"""Copies expressions and assignments into a stub, by whitelist."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from adk_tool_lens.declaration import calls, hints, names, signatures, syntax, values
from adk_tool_lens.declaration.frames import OpaqueError
from adk_tool_lens.declaration.worker import is_allowed_module, is_allowed_name
from adk_tool_lens.discovery.evaluate import bases, class_member
from adk_tool_lens.discovery.module import Binding
from adk_tool_lens.discovery.values import (
    Class,
    Const,
    Dictionary,
    External,
    ModuleRef,
    Sequence,
    Value,
)

if TYPE_CHECKING:
    from adk_tool_lens.declaration.sites import Site


def expression(site: Site, node: ast.expr) -> ast.expr:
    """A copy of an expression.

    Raises:
        OpaqueError: it is not of the kinds that a stub may hold, and no constant either.
    """
    try:
        return _expression(site, node)
    except OpaqueError as opaque:
        known = None if opaque.final or isinstance(node, ast.Starred) else literal(site.value(node))
        if known is None:
            raise
        return known


def literal(value: Value) -> ast.expr | None:
    """The literal for a value that is known from the text."""
    match value:
        case Const(value=constant):
            return syntax.constant(constant)
        case Sequence(items=items, gaps=(), kind=kind) if not any(item.conditional for item in items):
            parts = [literal(item.value) for item in items]
            known = [part for part in parts if part is not None]
            if len(known) == len(parts):
                return _display(kind, known)
        case Dictionary(items=items, gaps=()) if all(isinstance(key, str | int) for key, _ in items):
            return _dict(items)
    return None


def _display(kind: str, elts: list[ast.expr]) -> ast.expr | None:
    match kind:
        case "set":
            return ast.Set(elts) if elts else None
        case "tuple":
            return ast.Tuple(elts, ast.Load())
    return ast.List(elts, ast.Load())


def _dict(items: tuple[tuple[object, Any], ...]) -> ast.expr | None:
    parts = [literal(item.value) for _, item in items]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    keys: list[ast.expr | None] = [syntax.constant(key) for key, _ in items]
    return ast.Dict(keys, known)


def _expression(site: Site, node: ast.expr) -> ast.expr:  # noqa: C901 - one table
    match node:
        case ast.Constant():
            return ast.Constant(node.value)
        case ast.Name():
            names.need(site, node)
            return syntax.name(node.id)
        case ast.Attribute():
            return _attribute(site, node)
        case ast.Call():
            return calls.call(site, node)
        case ast.Subscript(value=value, slice=index):
            return ast.Subscript(expression(site, value), expression(site, index), ast.Load())
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return type(node)([expression(site, part) for part in elts], ast.Load())
        case ast.Set(elts=elts):
            return ast.Set([expression(site, part) for part in elts])
        case ast.Dict(keys=keys, values=parts) if None not in keys:
            copies: list[ast.expr | None] = [expression(site, key) for key in keys if key is not None]
            return ast.Dict(copies, [expression(site, part) for part in parts])
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=ast.Constant() as inner):
            return ast.UnaryOp(node.op, ast.Constant(inner.value))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return ast.BinOp(expression(site, left), ast.BitOr(), expression(site, right))
        case ast.Starred(value=value):
            return ast.Starred(expression(site, value), ast.Load())
        case ast.Lambda(args=args):
            return ast.Lambda(_names_only(args), ast.Constant(None))
    raise OpaqueError(f"`{ast.unparse(node)[:80]}` is worked out when the code runs")


def _names_only(args: ast.arguments) -> ast.arguments:
    copy = syntax.no_arguments()
    copy.args = [ast.arg(arg.arg) for arg in (*args.posonlyargs, *args.args)]
    return copy


def is_enum(site: Site, value: Value) -> bool:
    """Whether a value is an enumeration of the project."""
    return isinstance(value, Class) and any(
        isinstance(base, External) and base.name.startswith("enum.") for base in bases(value, site.w.world)
    )


def _attribute(site: Site, node: ast.Attribute) -> ast.expr:
    base = site.value(node.value)
    if _is_part_of_member(site, node):
        return ast.Attribute(expression(site, node.value), node.attr, ast.Load())
    match base:
        case ModuleRef(module=module):
            return names.member(site, module, node.attr)
        case External(name=name):
            return _external_attribute(site, node, name)
        case Class():
            return _class_attribute(site, node, base)
    if isinstance(node.value, ast.Name) and names.is_unbound(site, node.value):
        return ast.Attribute(syntax.name(node.value.id), node.attr, ast.Load())
    raise OpaqueError(f"`{ast.unparse(node)[:80]}` is only known when the code runs")


def _is_part_of_member(site: Site, node: ast.Attribute) -> bool:
    """`Color.RED.value`."""
    if node.attr not in {"value", "name"} or not isinstance(node.value, ast.Attribute):
        return False
    return is_enum(site, site.value(node.value.value))


def _class_attribute(site: Site, node: ast.Attribute, base: Class) -> ast.expr:
    """`Color.RED`, `Outer.Inner`, `Settings.limit`."""
    text = ast.unparse(node)
    if site.scope.module.mutations.get(text) or base.scope.module.mutations.get(
        f"{base.node.name}.{node.attr}"
    ):
        raise OpaqueError(f"`{text[:80]}` is set when the code runs", final=True)
    member = class_member(base, node.attr, site.w.world, base)
    if is_enum(site, base) or isinstance(member, Class):
        copy = ast.Attribute(expression(site, node.value), node.attr, ast.Load())
        if isinstance(member, Class):
            values.host_frame(site.w, member, typed=True)
        return copy
    known = None if member is None else literal(member)
    if known is None:
        raise OpaqueError(f"`{text[:80]}` is only known when the code runs")
    return known


def _external_attribute(site: Site, node: ast.Attribute, name: str) -> ast.expr:
    """`datetime.date` after `import datetime`; a module reached through a package is imported anew."""
    if is_allowed_module(name):
        if not is_allowed_name(name, node.attr):
            raise OpaqueError(f"`{name}.{node.attr}` is not run for a preview")
        return values.external(f"{name}.{node.attr}", site.frame)
    if is_allowed_module(f"{name}.{node.attr}"):
        raise OpaqueError(f"`{name}.{node.attr}` is a module")
    return ast.Attribute(expression(site, node.value), node.attr, ast.Load())


def assignment(site: Site, name: str, binding: Binding) -> ast.stmt:
    """`name = value`, with its annotation, or `type name = value`.

    Raises:
        OpaqueError: the value cannot be part of a stub.
    """
    assert binding.value is not None  # noqa: S101 - the caller looked
    target = syntax.target(name)
    node = binding.node
    if type(node).__name__ == "TypeAlias":
        inside, parameters = signatures.type_params(site, node)
        value = hints.hint(inside, binding.value)
        parts: dict[str, Any] = {"name": target, "type_params": parameters, "value": value}
        return type(node)(**parts)
    if _is_type_expression(binding.value):
        value = hints.hint(site, binding.value)
    else:
        value = expression(site, binding.value)
    return ast.Assign(targets=[target], value=value)


def _is_type_expression(node: ast.expr) -> bool:
    """Whether an assigned value can only be a type (`X = list[T]`, `X = A | B`)."""
    return isinstance(node, ast.Subscript) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr))
