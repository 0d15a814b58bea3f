"""What stands in a function's place when the model calls it: wrappers of decorators, `partial`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adk_tool_lens.discovery.evaluate import World, decorate, evaluate
from adk_tool_lens.discovery.model import Argument, Expression
from adk_tool_lens.discovery.module import FunctionNode, Place
from adk_tool_lens.discovery.values import Const, Function, Instance, Lambda, Scope, Value
from adk_tool_lens.source.text import Span


def bound_arguments(call: ast.Call, scope: Scope, world: World) -> Iterator[Argument]:
    """The arguments that `partial(f, ...)` binds, in order."""
    written = [(None, value) for value in call.args[1:]] + [(k.arg, k.value) for k in call.keywords]
    for name, node in written:
        value = evaluate(node, scope, world)
        where = scope.place(node)
        text = where.block.text[where.span.start : where.span.end]
        literal = value.value if isinstance(value, Const) else None
        yield Argument(name, Expression(text, where), literal=literal)


def hiding_decorator(function: Function, world: World) -> Expression | None:
    """The decorator whose result has a name, docstring and signature of its own.

    Models `def timed(fn): def wrapper(*args, **kwargs): ...; return wrapper` without `functools.wraps`.
    """
    value: Value = function
    for decorator in reversed(function.node.decorator_list):
        made = decorate(decorator, value, function, world)
        if isinstance(made, Function) and made.node is not function.node and not wraps(made.node):
            return _with_at(decorator, function.scope)
        if isinstance(made, Lambda):
            return _with_at(decorator, function.scope)
        if isinstance(made, Function):
            value = made
    return None


def hiding_class(value: Instance) -> Expression | None:
    """The decorator whose object, of a class of the project, stands in a function's place.

    Models `class Timed: def __init__(self, fn): ...; def __call__(self, *args, **kwargs): ...` without
    `functools.update_wrapper`.
    """
    function = getattr(value.call, "_lens_decorates", None)
    if value.call is None or not isinstance(function, Function):
        return None
    if any(
        isinstance(part, ast.Attribute | ast.Name) and _is_wrapping(part) for part in ast.walk(value.cls.node)
    ):
        return None
    return _with_at(value.call.func, function.scope)


def _is_wrapping(node: ast.Attribute | ast.Name) -> bool:
    return (node.attr if isinstance(node, ast.Attribute) else node.id) in {"wraps", "update_wrapper"}


def wraps(node: FunctionNode) -> bool:
    """Whether a wrapper takes over name, docstring and signature: `@wraps(fn)` under any name."""
    texts = (ast.unparse(decorator) for decorator in node.decorator_list)
    return any("wraps" in text or "update_wrapper" in text or "decorator" in text for text in texts)


def _with_at(decorator: ast.expr, scope: Scope) -> Expression:
    where = scope.place(decorator)
    at = where.block.text.rfind("@", 0, where.span.start)
    return Expression(ast.unparse(decorator), Place(where.path, where.block, Span(at, where.span.end)))
