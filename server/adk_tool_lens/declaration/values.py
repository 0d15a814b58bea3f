"""Writes values into a stub: expressions that make, in the worker, what the user's code makes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import classes, signatures, syntax, tools
from adk_tool_lens.declaration.frames import IMPORTS, LAST, Frame, OpaqueError, order_of
from adk_tool_lens.declaration.worker import is_allowed_module, is_allowed_name
from adk_tool_lens.discovery.evaluate import decorate, evaluate
from adk_tool_lens.discovery.module import FunctionNode, Mutation, body_namespace
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
    Either,
    External,
    Function,
    Instance,
    Lambda,
    Scope,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PLAIN_BUILTINS = _words(
    "bool bytearray bytes complex dict float frozenset int list object range set slice str tuple "
    "type property staticmethod classmethod None True False Ellipsis NotImplemented Exception "
    "ValueError TypeError RuntimeError KeyError LookupError ArithmeticError"
)
"""Built-ins that a stub may name."""

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


def write(w: Writer, value: Value, into: Frame) -> ast.expr:  # noqa: C901 - one table
    """An expression for a value at the end of a module's frame.

    Raises:
        OpaqueError: the value cannot be part of a stub.
    """
    match value:
        case Function():
            return _function(w, value, into)
        case Bound(receiver=receiver, function=function):
            return _bound(w, receiver, function, into)
        case Instance():
            return classes.instance(w, value, into)
        case Class():
            return class_expression(w, value, into, typed=True, with_init=True)
        case Lambda(node=node, scope=scope):
            return signatures.lambda_(w, node, w.frame_of(scope))
        case Called():
            return tools.called(w, value, into)
        case Const(value=constant):
            return syntax.constant(constant)
        case External(name=name):
            return external(name, into)
        case Either(options=options):
            return write(w, choose(w, options, None, None), into)
        case Unknown(reason=reason):
            raise OpaqueError(reason)
    raise OpaqueError("it is made when the code runs")


def choose(w: Writer, options: tuple[Value, ...], scope: Scope | None, node: ast.AST | None) -> Value:
    """One of several possible values; says so when they may differ for the model."""
    callables = [o for o in options if isinstance(o, Function | Bound | Lambda | Called)]
    wrapping = [o for o in callables if isinstance(o, Function) and _wraps(o.node)]
    if not wrapping or len(wrapping) < len(callables):
        w.approximate("which of several definitions is used is decided at run time", scope, node)
    chosen = wrapping or callables
    return chosen[0] if chosen else options[-1]


def _function(w: Writer, function: Function, into: Frame) -> ast.expr:
    final = _decorated(w, function)
    if final is not function:
        return write(w, final, into)
    if function.owner is not None:
        host = host_frame(w, function.owner, typed=False)
        classes.add_method(w, host, function)
        return ast.Attribute(_reach(w, host, into), function.node.name, ast.Load())
    frame = w.frame_of(function.scope)
    define(w, function, frame)
    return _reach_name(w, frame, function.node.name, into)


def _decorated(w: Writer, function: Function) -> Value:
    """What the decorators make of a function: itself, or the wrapper that one of them returns."""
    key = (id(function.node), id(function.scope.arguments))
    if key in w.bare:
        return function
    w.bare.add(key)
    value: Value = function
    for decorator in reversed(function.node.decorator_list):
        value = _decorate(w, decorator, value, function)
    return value


def _decorate(w: Writer, decorator: ast.expr, value: Value, function: Function) -> Value:
    callee = evaluate(decorator, function.scope, w.world)
    name = decorator_name(callee)
    if name is not None and (name in KEPT_DECORATORS or name.startswith(TRANSPARENT_DECORATORS)):
        return value
    made = decorate(decorator, value, function, w.world)
    if isinstance(made, Either):
        made = choose(w, made.options, function.scope, decorator)
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


def define(w: Writer, function: Function, frame: Frame) -> None:
    """Writes a function's skeleton into a frame, once."""
    name = function.node.name
    if name in frame.needed:
        return
    frame.needed[name] = None
    order = order_of(function.scope.module, function.scope.block, function.node)
    frame.add(order, signatures.function(w, function, frame))
    _assigned_attributes(w, function, frame)


def _assigned_attributes(w: Writer, function: Function, frame: Frame) -> None:
    """Models `f.__doc__ = "..."` and `f.__name__ = "..."` beside the definition."""
    for attr in ("__doc__", "__name__", "__signature__", "__annotations__"):
        for scope, change in _mutations(function, f"{function.node.name}.{attr}"):
            value = evaluate(change.value, scope, w.world)
            if isinstance(value, Const) and attr in {"__doc__", "__name__"}:
                target = ast.Attribute(syntax.name(function.node.name), attr, ast.Store())
                if frame.parent is None:
                    order = order_of(scope.module, scope.block, change.node)
                    statement = ast.Assign(targets=[target], value=syntax.constant(value.value))
                    frame.add(order, statement)
                    continue
            w.approximate(f"`{attr}` is set when the code runs", scope, change.value)


def _bound(w: Writer, receiver: Instance | Class, function: Function, into: Frame) -> ast.expr:
    cls = receiver.cls if isinstance(receiver, Instance) else receiver
    owner = function.owner or cls
    host = host_frame(w, cls, typed=False)
    defining = host_frame(w, owner, typed=False)
    classes.add_method(w, defining, function)
    expression = _reach(w, host, into)
    if isinstance(receiver, Instance):
        expression = _named_call(expression, [], into)
    return ast.Attribute(expression, function.node.name, ast.Load())


def host_frame(w: Writer, cls: Class, *, typed: bool) -> Frame:
    """The frame of a class's body: as a type with bases and fields, or only to hold methods."""
    frame = w.frame_of(Scope(cls.scope.module, cls.scope.block, cls.node, _outer(cls.scope)))
    if typed:
        classes.make_typed(w, frame)
    return frame


def class_expression(w: Writer, cls: Class, into: Frame, *, typed: bool, with_init: bool = False) -> ast.expr:
    """An expression for a class at module level."""
    frame = host_frame(w, cls, typed=typed)
    if with_init:
        classes.add_init(w, frame)
    return _reach(w, frame, into)


def external(full: str, into: Frame) -> ast.expr:
    """A name for something of an allowed library.

    Raises:
        OpaqueError: stubs may not import it.
    """
    module, _, name = full.rpartition(".")
    if module == "builtins" and name in PLAIN_BUILTINS:
        return syntax.name(name)
    if not (is_allowed_module(module) and is_allowed_name(module, name)):
        raise OpaqueError(f"`{full}` comes from a library that is not run for a preview")
    alias = into.module.fresh(name)
    names = [ast.alias(name, alias)]
    into.module.add(IMPORTS, ast.ImportFrom(module, names, 0))
    return syntax.name(alias)


def _reach(w: Writer, frame: Frame, into: Frame) -> ast.expr:
    """An expression, at module level, for the class or function that a frame stands for."""
    assert frame.parent is not None  # noqa: S101 - modules are reached by import
    assert frame.shell is not None  # noqa: S101
    return _reach_name(w, frame.parent, frame.shell.name, into)


def _reach_name(w: Writer, frame: Frame, name: str, into: Frame) -> ast.expr:
    if frame.parent is None:
        return _reach_member(frame, name, into)
    if isinstance(frame.shell, ast.ClassDef):
        return ast.Attribute(_reach(w, frame, into), name, ast.Load())
    if frame.result not in {None, name}:
        raise OpaqueError(f"`{frame.shell.name if frame.shell else ''}` makes several tools")
    frame.result = name
    callee = _reach(w, frame, into)
    arguments = [
        ast.keyword(parameter, _argument(w, value, frame, into))
        for parameter, value in frame.parameters.items()
    ]
    return _named_call(callee, arguments, into)


def _argument(w: Writer, value: Value, frame: Frame, into: Frame) -> ast.expr:
    try:
        return write(w, value, into)
    except OpaqueError as opaque:
        w.approximate(opaque.reason, frame.scope, frame.scope.node)
        return ast.Constant(None)


def _named_call(callee: ast.expr, keywords: list[ast.keyword], into: Frame) -> ast.expr:
    """`lens_call_0 = make(prefix="a")`: what a call gives, under a name of its own."""
    name = into.module.fresh("call")
    call = ast.Call(func=callee, args=[], keywords=keywords)
    into.module.add(LAST, ast.Assign([syntax.target(name)], call))
    return syntax.name(name)


def _reach_member(frame: Frame, name: str, into: Frame) -> ast.expr:
    if frame is into.module:
        return syntax.name(name)
    alias = into.module.fresh(name)
    names = [ast.alias(name, alias)]
    into.module.add(IMPORTS, ast.ImportFrom(frame.scope.module.name, names, 0))
    into.module.uses.append(frame)
    return syntax.name(alias)


def decorator_name(callee: Value) -> str | None:
    """The full name of a decorator of a library, with or without arguments."""
    match callee:
        case External(name=name):
            return name
        case Called(callee=External(name=name)):
            return name
    return None


def _wraps(node: FunctionNode) -> bool:
    return any("wraps" in ast.unparse(decorator) for decorator in node.decorator_list)


def _outer(scope: Scope) -> Scope | None:
    return scope if scope.node is not None or scope.arguments else None


def _mutations(function: Function, name: str) -> Iterator[tuple[Scope, Mutation]]:
    scope = function.scope
    if scope.node is None:
        for block, change in scope.module.mutations.get(name, ()):
            yield Scope(scope.module, block), change
    elif isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef):
        for change in body_namespace(scope.node).mutations.get(name, ()):
            yield scope, change
