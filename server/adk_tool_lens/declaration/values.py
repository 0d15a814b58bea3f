"""Writes values into a stub: expressions that make, in the worker, what the user's code makes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import classes, decorating, expressions, signatures, syntax, tools
from adk_tool_lens.declaration.frames import IMPORTS, LAST, Frame, OpaqueError, Order, order_of
from adk_tool_lens.declaration.sites import Site
from adk_tool_lens.declaration.worker import is_allowed_module, is_allowed_name
from adk_tool_lens.discovery.evaluate import evaluate
from adk_tool_lens.discovery.module import DefNode
from adk_tool_lens.discovery.positions import runs_at_once
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
            return tools.instance(w, value, into)
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


def given(w: Writer, node: ast.expr, scope: Scope, into: Frame) -> ast.expr:
    """An argument of a call, at the end of a module's frame.

    Raises:
        OpaqueError: it cannot be part of a stub.
    """
    if runs_at_once(scope) and w.module_frame(scope.module) is into.module:
        return expressions.expression(Site.of(w, w.frame_of(scope), scope), node)
    value = evaluate(node, scope, w.world)
    return expressions.literal(value) or write(w, value, into)


def choose(w: Writer, options: tuple[Value, ...], scope: Scope | None, node: ast.AST | None) -> Value:
    """One of several possible values; says so when they may differ for the model."""
    callables = [o for o in options if isinstance(o, Function | Bound | Lambda | Called)]
    wrapping = [o for o in callables if isinstance(o, Function) and decorating.wraps(o.node)]
    if not wrapping or len(wrapping) < len(callables):
        w.approximate("which of several definitions is used is decided at run time", scope, node)
    chosen = wrapping or callables
    return chosen[0] if chosen else options[-1]


def _function(w: Writer, function: Function, into: Frame) -> ast.expr:
    final, changes = decorating.decorated(w, function)
    changes = [*changes, *decorating.assigned(w, function)]
    if final is not function:
        return _changed(write(w, final, into), changes, into)
    if function.owner is not None:
        host = host_frame(w, function.owner, typed=False)
        classes.add_method(w, host, function)
        classes.add_inherited(w, function.owner, function)
        expression: ast.expr = ast.Attribute(_reach(w, host, into), function.node.name, ast.Load())
    else:
        frame = w.frame_of(function.scope)
        define(w, function, frame)
        expression = _reach_name(w, frame, function.node, into)
    return _changed(expression, changes, into)


def _changed(expression: ast.expr, changes: list[decorating.Change], into: Frame) -> ast.expr:
    """Models what sets `__doc__` or `__name__` of a function after it was made."""
    if not changes:
        return expression
    name = into.module.fresh("changed")
    into.module.add(LAST, ast.Assign([syntax.target(name)], expression))
    for change in changes:
        target = ast.Attribute(syntax.name(name), change.attribute, ast.Store())
        into.module.add(LAST, ast.Assign([target], syntax.constant(change.value)))
    return syntax.name(name)


def note_changes(w: Writer, changes: list[decorating.Change], function: Function, name: str) -> None:
    """Says that what is done to a method, known by a name, is not shown."""
    for change in changes:
        reason = f"`{name}.{change.attribute}` is set when the code runs"
        w.approximate(reason, function.scope, function.node)


def define(w: Writer, function: Function, frame: Frame) -> None:
    """Writes a function's skeleton into a frame, once."""
    node = function.node
    key = frame.key(node.name, node)
    if key in frame.needed:
        return
    frame.needed[key] = None
    order = order_of(function.scope.module, function.scope.block, node)
    frame.add(order, signatures.function(w, function, frame))
    _keep(frame, node, order)


def _keep(frame: Frame, node: DefNode, order: Order) -> None:
    """Gives a definition whose name is bound again a name of its own."""
    if frame.parent is None and frame.rebinds(node.name):
        alias = frame.fresh(node.name)
        frame.aliases[node] = alias
        start, line, column = order
        frame.add((start, line, column + 1), ast.Assign([syntax.target(alias)], syntax.name(node.name)))


def _bound(w: Writer, receiver: Instance | Class, function: Function, into: Frame) -> ast.expr:
    final, changes = decorating.decorated(w, function)
    if final is not function and isinstance(final, Function):
        if isinstance(receiver, Class) and decorating.wraps(final.node):
            # What it wraps is a class method of the stub already, and has lost its first parameter.
            return _changed(write(w, final, into), changes, into)
        return _wrapped_method(w, final, changes, into)
    if function.node.name.startswith("__"):
        raise OpaqueError(f"`{function.node.name}` of an object is not read for a preview")
    cls = receiver.cls if isinstance(receiver, Instance) else receiver
    owner = function.owner or cls
    host = host_frame(w, cls, typed=False)
    defining = host_frame(w, owner, typed=False)
    classes.add_method(w, defining, function)
    classes.add_inherited(w, cls, function)
    changes = [*changes, *decorating.assigned(w, function)]
    if isinstance(receiver, Class):
        # A class method is bound wherever it can be reached.
        note_changes(w, changes, function, function.node.name)
    else:
        method = ast.Attribute(_reach(w, defining, into), function.node.name, ast.Load())
        _changed(method, changes, into)
    expression = _reach(w, host, into)
    if isinstance(receiver, Instance):
        expression = _named_call(expression, [], into)
    return ast.Attribute(expression, function.node.name, ast.Load())


def _wrapped_method(w: Writer, final: Function, changes: list[decorating.Change], into: Frame) -> ast.expr:
    """A method under a decorator that replaces it: bound, it lacks its first parameter."""
    function = _changed(write(w, final, into), changes, into)
    name, holder = into.module.fresh("method"), into.module.fresh("holder")
    shell = syntax.class_def(holder, [ast.Assign([syntax.target(name)], function)])
    into.module.add(LAST, shell)
    return ast.Attribute(_named_call(syntax.name(holder), [], into), name, ast.Load())


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
        classes.note_made_docstring(w, cls, frame)
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
    node = frame.scope.node
    if (
        isinstance(node, ast.ClassDef)
        and frame.parent.rebinds(node.name)
        and node not in frame.parent.aliases
    ):
        _keep(frame.parent, node, order_of(frame.scope.module, frame.scope.block, node))
    return _reach_name(w, frame.parent, frame.shell, into, node)


def _reach_name(
    w: Writer, frame: Frame, shell: DefNode, into: Frame, node: ast.AST | None = None
) -> ast.expr:
    if frame.parent is None:
        return _reach_member(frame, frame.aliases.get(node or shell, shell.name), into)
    if frame.is_class:
        return ast.Attribute(_reach(w, frame, into), shell.name, ast.Load())
    if frame.result not in {None, shell.name}:
        raise OpaqueError(f"`{frame.shell.name if frame.shell else ''}` makes several tools")
    frame.result = shell.name
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
    into.module.add_import(frame, name, alias)
    return syntax.name(alias)


def _outer(scope: Scope) -> Scope | None:
    return scope if scope.node is not None or scope.arguments else None
