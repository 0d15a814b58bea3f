"""What decorators and assignments make of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import values
from adk_tool_lens.discovery.evaluate import decorate, evaluate
from adk_tool_lens.discovery.functions import bind_arguments
from adk_tool_lens.discovery.module import FunctionNode, Mutation, body_namespace
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Const,
    Either,
    External,
    Function,
    Instance,
    Lambda,
    Scope,
    Value,
)

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEPT_DECORATORS = _words(
    "builtins.staticmethod builtins.classmethod functools.wraps functools.lru_cache functools.cache "
    "abc.abstractmethod typing.final typing.override typing_extensions.override"
)
"""Decorators that are written into the stub as they are."""

TRANSPARENT_DECORATORS = (
    "abc.", "aiocache.", "asyncio.", "backoff.", "cachetools.", "contextlib.", "decorator.",
    "deprecated.", "google.adk.features.", "google.adk.utils.", "joblib.", "langsmith.", "logfire.",
    "mlflow.", "opentelemetry.", "ratelimit.", "retry.", "tenacity.", "typing.",
    "typing_extensions.", "warnings.", "weave.", "wrapt.",
)  # fmt: skip
"""Libraries whose decorators keep name, docstring and signature (`functools.wraps` or the same)."""
_ATTRIBUTES = ("__doc__", "__name__", "__signature__", "__annotations__", "__wrapped__", "__defaults__")
"""What google-adk, `inspect` and `typing` read of a function."""
_SETTABLE = frozenset({"__doc__", "__name__"})


@dataclass(frozen=True)
class Change:
    """`f.__doc__ = "..."` or `f.__name__ = "..."`."""

    attribute: str
    value: object


def decorated(w: Writer, function: Function, below: ast.expr | None = None) -> tuple[Value, list[Change]]:
    """What the decorators make of a function: itself, or the wrapper that one of them returns.

    Args:
        w: The stub.
        function: The function as written.
        below: Only the decorators under this one count.
    """
    key = (id(function.node), id(function.scope.arguments))
    if key in w.bare:
        return function, []
    w.bare.add(key)
    value: Value = function
    changes: list[Change] = []
    for decorator in reversed(function.node.decorator_list):
        if decorator is below:
            break
        made = _decorated_once(w, decorator, value, function)
        found = list(_changes_by(w, decorator, function))
        changes = [*(changes if made is value else ()), *found]
        value = made
    return value, changes


def _decorated_once(w: Writer, decorator: ast.expr, value: Value, function: Function) -> Value:
    callee = evaluate(decorator, function.scope, w.world)
    name = decorator_name(callee)
    if name is not None and (name in KEPT_DECORATORS or name.startswith(TRANSPARENT_DECORATORS)):
        return value
    made = decorate(decorator, value, function, w.world)
    if isinstance(made, Either):
        made = values.choose(w, made.options, function.scope, decorator)
    match made:
        case Function() | Bound() | Called() | Instance() | Lambda():
            return made
    text = ast.unparse(decorator)
    w.approximate(
        f"what the decorator `@{text}` makes of it is only known when the code runs",
        function.scope,
        decorator,
    )
    return value


def decorator_name(callee: Value) -> str | None:
    """The full name of a decorator of a library, with or without arguments."""
    match callee:
        case External(name=name):
            return name
        case Called(callee=External(name=name)):
            return name
    return None


def wraps(node: FunctionNode) -> bool:
    """Whether a function takes over name and signature of another."""
    return any("wraps" in ast.unparse(decorator) for decorator in node.decorator_list)


def assigned(w: Writer, function: Function) -> list[Change]:
    """What is assigned to the attributes of a function where it is defined."""
    return list(_changes(w, function.node.name, _mutations_of(function)))


def _mutations_of(function: Function) -> Iterator[tuple[str, Scope, Mutation]]:
    scope, name = function.scope, function.node.name
    for attribute in _ATTRIBUTES:
        text = f"{name}.{attribute}"
        if scope.node is None:
            for block, change in scope.module.mutations.get(text):
                yield attribute, Scope(scope.module, block), change
        elif isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
            for change in body_namespace(scope.node).mutations.get(text, ()):
                yield attribute, scope, change


def _changes_by(w: Writer, decorator: ast.expr, function: Function) -> Iterator[Change]:
    """What the body of a decorator assigns to the function that it is given."""
    callee = evaluate(decorator, function.scope, w.world)
    if not isinstance(callee, Function) or not callee.node.args.args:
        return
    parameter = callee.node.args.args[0].arg
    argument = ast.copy_location(ast.Name(id=function.node.name, ctx=ast.Load()), decorator)
    call = ast.copy_location(ast.Call(func=decorator, args=[argument], keywords=[]), decorator)
    inner = Scope(
        function.scope.module, function.scope.block, None, function.scope, {function.node.name: function}
    )
    bound = bind_arguments(callee.node, call, inner, w.world)
    outer = callee.scope if callee.scope.node is not None or callee.scope.arguments else None
    scope = Scope(callee.scope.module, callee.scope.block, callee.node, outer, bound)
    mutations = (
        (attribute, scope, change)
        for attribute in _ATTRIBUTES
        for change in body_namespace(callee.node).mutations.get(f"{parameter}.{attribute}", ())
    )
    yield from _changes(w, parameter, mutations)


def _changes(w: Writer, name: str, found: Iterator[tuple[str, Scope, Mutation]]) -> Iterator[Change]:
    for attribute, scope, change in found:
        value = evaluate(change.value, scope, w.world)
        if isinstance(value, Const) and attribute in _SETTABLE and change.how == "set":
            yield Change(attribute, value.value)
        else:
            w.approximate(f"`{name}.{attribute}` is set when the code runs", scope, change.value)
