"""What decorators and assignments make of a function."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import signatures, values
from adk_tool_lens.discovery.conditions import guard_holds
from adk_tool_lens.discovery.evaluate import decorate, evaluate
from adk_tool_lens.discovery.functions import decorator_call, entered
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
_ATTRIBUTES = _words(
    "__doc__ __name__ __signature__ __annotations__ __wrapped__ __defaults__ __kwdefaults__ __code__ "
    "__dict__ __type_params__ __globals__ __annotate__ __text_signature__ __no_type_check__"
)
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


def maker(w: Writer, function: Function, call: ast.Call) -> ast.expr:
    """The decorator of a function whose answer is a given call: `@as_tool` that returns `FunctionTool(f)`."""
    value: Value = function
    for decorator in reversed(function.node.decorator_list):
        made = decorate(decorator, value, function, w.world)
        if isinstance(made, Called) and made.call is call:
            return decorator
        value = made if isinstance(made, Function) else value
    return call.func


def _decorated_once(w: Writer, decorator: ast.expr, value: Value, function: Function) -> Value:
    callee = evaluate(decorator, function.scope, w.world)
    name = decorator_name(callee)
    if name is not None and (name in KEPT_DECORATORS or name.startswith(TRANSPARENT_DECORATORS)):
        return value
    made = decorate(decorator, value, function, w.world)
    if isinstance(made, Either):
        made = values.choose(w, made.options, function.scope, decorator)
    match made:
        case Function(node=node) if isinstance(value, Function) and node is value.node:
            return value
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
    """What statements of its module, function or class do to the attributes of a function."""
    name = function.node.name
    found = list(_changes(w, name, _done_to(w, function)))
    for call, scope in function.given_to:
        found += _changes(w, name, _done_by(w, call, function, scope))
    return found


def _done_to(w: Writer, function: Function) -> Iterator[tuple[str, Scope, Mutation]]:
    scope, name = function.scope, function.node.name
    for inside, change in _dressing(scope):
        meant = _is_meant(change, inside, function, w)
        if meant is not False:
            yield change.name, inside, change if meant else replace(change, how="perhaps")
    for inside, change in scope.changes(f"{name}()"):
        assert isinstance(change.value, ast.Call)  # noqa: S101 - what `given` is
        yield from _done_by(w, change.value, function, inside)


def _dressing(scope: Scope) -> Iterator[tuple[Scope, Mutation]]:
    """What is done to functions where one is defined, and for methods also at the end of the module."""
    module = Scope(scope.module)
    for block, change in scope.module.dressing if _is_in_module(scope) else ():
        yield module.at(block), change
    if scope.names is not None:
        yield from ((scope, change) for change in scope.names.dressing)


def _is_in_module(scope: Scope) -> bool:
    return scope.node is None or (
        isinstance(scope.node, ast.ClassDef) and _is_in_module(scope.parent or scope)
    )


def _is_meant(change: Mutation, scope: Scope, function: Function, w: Writer) -> bool | None:
    """Whether the object of `f.__doc__ = ...` is a given function; None when it is one of several."""
    if change.key is None or change.name not in _ATTRIBUTES:
        return False
    value = evaluate(change.key, scope, w.world)
    if isinstance(value, Function):
        return value.node is function.node
    options = value.options if isinstance(value, Either) else ()
    if not any(isinstance(option, Function) and option.node is function.node for option in options):
        return False
    # `for f in (a, b): f.__doc__ = "..."` means each of them.
    return any(guard.loop is not None for guard in change.guards) or None


def _changes_by(w: Writer, decorator: ast.expr, function: Function) -> Iterator[Change]:
    """What the body of a decorator assigns to the function that it is given."""
    call = decorator_call(decorator, function.node)
    yield from _changes(w, function.node.name, _done_by(w, call, function, function.scope))


def _done_by(
    w: Writer, call: ast.Call, function: Function, where: Scope
) -> Iterator[tuple[str, Scope, Mutation]]:
    """What a function of the project does to the attributes of its first argument."""
    callee = evaluate(call.func, where, w.world)
    if not isinstance(callee, Function | Bound):
        return
    rows = callee.function.node.args.args[1:] if isinstance(callee, Bound) else callee.node.args.args
    if not rows:
        return
    parameter = rows[0].arg
    inner = Scope(where.module, where.block, None, where, {function.node.name: function})
    node, scope = entered(callee, call, inner, w.world)
    for change in body_namespace(node).dressing:
        match change.key:
            case ast.Name(id=name) if name == parameter and change.name in _ATTRIBUTES:
                yield change.name, scope, change


def _changes(w: Writer, name: str, found: Iterator[tuple[str, Scope, Mutation]]) -> Iterator[Change]:
    for attribute, scope, change in found:
        truths = [guard_holds(guard, scope, w.world) for guard in change.guards]
        if False in truths or signatures.is_update(change, scope, w):
            continue
        value = evaluate(change.value, scope, w.world)
        settled = change.how == "set" and None not in truths
        if isinstance(value, Const) and attribute in _SETTABLE and settled:
            yield Change(attribute, value.value)
        else:
            w.approximate(f"`{name}.{attribute}` is set when the code runs", scope, change.value)
