"""Copies expressions and assignments into a stub, by whitelist."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from adk_tool_lens.declaration import classes, hints, names, signatures, syntax, values
from adk_tool_lens.declaration.frames import Frame, OpaqueError
from adk_tool_lens.declaration.worker import is_allowed_module, is_allowed_name
from adk_tool_lens.discovery.evaluate import bases, class_member, evaluate
from adk_tool_lens.discovery.module import Binding
from adk_tool_lens.discovery.values import (
    Class,
    Const,
    Dictionary,
    External,
    Function,
    Lambda,
    ModuleRef,
    Sequence,
    Value,
)

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

_RUN_TIME = frozenset({"now", "utcnow", "today", "uuid1", "uuid4", "cwd", "home", "fromtimestamp", "time"})
"""Methods of allowed libraries whose answer differs from run to run."""
_EMPTY = frozenset({"list", "dict", "set", "tuple", "frozenset", "str", "int", "float", "bool"})


def expression(w: Writer, node: ast.expr, frame: Frame) -> ast.expr:
    """A copy of an expression.

    Raises:
        OpaqueError: it is not of the kinds that a stub may hold, and no constant either.
    """
    try:
        return _expression(w, node, frame)
    except OpaqueError:
        known = _literal(evaluate(node, frame.scope, w.world))
        if known is None:
            raise
        return known


def _literal(value: Value) -> ast.expr | None:
    """The literal for a value that is known from the text."""
    match value:
        case Const(value=constant):
            return ast.parse(repr(constant), mode="eval").body if constant is not ... else None
        case Sequence(items=items, gaps=(), kind=kind):
            parts = [_literal(item.value) for item in items]
            if all(part is not None for part in parts):
                elts = [part for part in parts if part is not None]
                if kind == "set":
                    return ast.Set(elts) if elts else None
                return ast.Tuple(elts, ast.Load()) if kind == "tuple" else ast.List(elts, ast.Load())
        case Dictionary(items=items, gaps=()):
            values = [_literal(item.value) for _, item in items]
            if all(v is not None for v in values) and all(isinstance(k, str | int) for k, _ in items):
                return ast.Dict(
                    [ast.Constant(k) for k, _ in items],  # type: ignore[arg-type]
                    [v for v in values if v is not None],
                )
    return None


def _expression(w: Writer, node: ast.expr, frame: Frame) -> ast.expr:  # noqa: C901 - one table
    match node:
        case ast.Constant():
            return ast.Constant(node.value)
        case ast.Name(id=name):
            names.need(w, name, frame)
            return syntax.name(name)
        case ast.Attribute():
            return _attribute(w, node, frame)
        case ast.Call():
            return _call(w, node, frame)
        case ast.Subscript(value=value, slice=index):
            return ast.Subscript(expression(w, value, frame), expression(w, index, frame), ast.Load())
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return type(node)([expression(w, part, frame) for part in elts], ast.Load())
        case ast.Set(elts=elts):
            return ast.Set([expression(w, part, frame) for part in elts])
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return ast.Dict(
                [expression(w, key, frame) for key in keys if key is not None],
                [expression(w, value, frame) for value in values],
            )
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=ast.Constant() as inner):
            return ast.UnaryOp(node.op, ast.Constant(inner.value))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return ast.BinOp(expression(w, left, frame), ast.BitOr(), expression(w, right, frame))
        case ast.Lambda(args=args):
            return ast.Lambda(_names_only(args), ast.Constant(None))
    raise OpaqueError(f"`{ast.unparse(node)[:80]}` is worked out when the code runs")


def _names_only(args: ast.arguments) -> ast.arguments:
    copy = syntax.no_arguments()
    copy.args = [ast.arg(arg.arg) for arg in (*args.posonlyargs, *args.args)]
    return copy


def _is_enum(w: Writer, value: Value) -> bool:
    return isinstance(value, Class) and any(
        isinstance(base, External) and base.name.startswith("enum.") for base in bases(value, w.world)
    )


def _attribute(w: Writer, node: ast.Attribute, frame: Frame) -> ast.expr:
    base = evaluate(node.value, frame.scope, w.world)
    if node.attr in {"value", "name"} and isinstance(node.value, ast.Attribute):
        owner = evaluate(node.value.value, frame.scope, w.world)
        if _is_enum(w, owner):
            return ast.Attribute(expression(w, node.value, frame), node.attr, ast.Load())
    match base:
        case ModuleRef(module=module):
            return names.member(w, module, node.attr, frame)
        case External(name=name):
            return _external_attribute(w, node, name, frame)
        case Class():
            member = class_member(base, node.attr, w.world, base)
            if _is_enum(w, base) or isinstance(member, Class):
                copy = ast.Attribute(expression(w, node.value, frame), node.attr, ast.Load())
                if isinstance(member, Class):
                    values.host_frame(w, member, typed=True)
                return copy
    raise OpaqueError(f"`{ast.unparse(node)[:80]}` is only known when the code runs")


def _external_attribute(w: Writer, node: ast.Attribute, name: str, frame: Frame) -> ast.expr:
    """`datetime.date` after `import datetime`; a module reached through a package is imported anew."""
    if is_allowed_module(name):
        if not is_allowed_name(name, node.attr):
            raise OpaqueError(f"`{name}.{node.attr}` is not run for a preview")
        return values.external(f"{name}.{node.attr}", frame)
    if is_allowed_module(f"{name}.{node.attr}"):
        raise OpaqueError(f"`{name}.{node.attr}` is a module")
    return ast.Attribute(expression(w, node.value, frame), node.attr, ast.Load())


def _call(w: Writer, node: ast.Call, frame: Frame) -> ast.expr:
    callee = evaluate(node.func, frame.scope, w.world)
    match callee:
        case External(name="builtins.object") if not node.args:
            return _object(frame)
        case External(name=name):
            return _library_call(w, node, name, frame)
        case Class():
            classes.note_code(w, callee, node, frame)
            func = expression(w, node.func, frame)
            return ast.Call(func, *_call_arguments(w, node, frame))
        case Function() | Lambda():
            pass
    text = ast.unparse(node.func)
    raise OpaqueError(f"it calls `{text[:80]}`, which is not run for a preview")


def _object(frame: Frame) -> ast.expr:
    """`object()` as a marker: an instance of an empty class serves as well."""
    name = frame.module.fresh("object")
    frame.module.add((-1, 1, 0), syntax.class_def(name, [ast.Pass()]))
    return ast.Call(syntax.name(name), [], [])


def _library_call(w: Writer, node: ast.Call, name: str, frame: Frame) -> ast.expr:
    module, _, last = name.rpartition(".")
    if last in _RUN_TIME:
        raise OpaqueError(f"`{ast.unparse(node)[:80]}` differs from run to run")
    if module == "builtins" and not (last in _EMPTY and not node.args):
        raise OpaqueError(f"it calls `{last}`, which is not run for a preview")
    func = expression(w, node.func, frame)
    return ast.Call(func, *_call_arguments(w, node, frame))


def _call_arguments(w: Writer, node: ast.Call, frame: Frame) -> tuple[list[ast.expr], list[ast.keyword]]:
    positional = [_call_argument(w, None, arg, frame) for arg in node.args]
    keywords = [ast.keyword(k.arg, _call_argument(w, k.arg, k.value, frame)) for k in node.keywords]
    return positional, keywords


def _call_argument(w: Writer, name: str | None, node: ast.expr, frame: Frame) -> ast.expr:
    """One argument. A factory is only there to say that a default exists: it is never called for one."""
    if name in {"default_factory", "factory"}:
        return ast.Lambda(syntax.no_arguments(), ast.Constant(None))
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return ast.Constant(node.value)
    return expression(w, node, frame)


def assignment(w: Writer, name: str, binding: Binding, frame: Frame) -> ast.stmt:
    """`name = value`, with its annotation, or `type name = value`.

    Raises:
        OpaqueError: the value cannot be part of a stub.
    """
    assert binding.value is not None  # noqa: S101 - the caller looked
    target = syntax.target(name)
    node = binding.node
    if type(node).__name__ == "TypeAlias":
        parts: dict[str, Any] = {"name": target, "type_params": signatures.type_params(w, node, frame)}
        parts["value"] = hints.hint(w, binding.value, frame.scope, frame)
        return type(node)(**parts)
    if _is_type_expression(binding.value):
        value = hints.hint(w, binding.value, frame.scope, frame)
    else:
        value = expression(w, binding.value, frame)
    return ast.Assign(targets=[target], value=value)


def _is_type_expression(node: ast.expr) -> bool:
    """Whether an assigned value can only be a type (`X = list[T]`, `X = A | B`)."""
    return isinstance(node, ast.Subscript) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr))
