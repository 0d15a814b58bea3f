"""What a call hands to a function of the project, and what the function returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adk_tool_lens.discovery.conditions import guard_holds
from adk_tool_lens.discovery.containers import display
from adk_tool_lens.discovery.module import FunctionNode, Namespace, body_namespace
from adk_tool_lens.discovery.values import (
    Bound,
    Const,
    Dictionary,
    Function,
    Item,
    Lambda,
    Scope,
    Sequence,
    Value,
)
from adk_tool_lens.discovery.world import World, either, evaluate


def inner_scope(
    function: Function | Lambda, node: FunctionNode | ast.Lambda, arguments: dict[str, Value]
) -> Scope:
    """The body of a function, its parameters bound."""
    outer = function.scope
    parent = outer if outer.node is not None or outer.arguments else None
    return Scope(outer.module, outer.block, node, parent, arguments)


def returned(function: Function, arguments: dict[str, Value], world: World) -> Value:
    """What a function of the project returns for given arguments."""
    names = body_namespace(function.node)
    scope = inner_scope(function, function.node, arguments)
    if names.yields:
        items = [Item(evaluate(value, scope, world), value, scope) for value in names.yields]
        return Sequence(tuple(items))
    if not names.returns:
        return Const(None)
    return either(evaluate(value, scope, world) for value in _reached(names, scope, world))


def _reached(names: Namespace, scope: Scope, world: World) -> Iterator[ast.expr]:
    """The `return` statements that may end a body, nested functions and classes not entered.

    Models `if fn is None: return partial(deco, times=times)` before the end that is for a given `fn`.
    """
    left = []
    for value, guards in names.returns:
        truths = [guard_holds(guard, scope, world) for guard in guards if guard.loop is None]
        if False in truths and not any(guard.imports for guard in guards):
            continue
        left.append(value)
        if guards and all(guard.test is not None for guard in guards) and all(truths):
            break
    yield from left or (value for value, _ in names.returns)


def parameters(node: FunctionNode | ast.Lambda) -> list[ast.arg]:
    """The parameters that take one argument each, so without `*args` and `**kwargs`."""
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def received(
    callee: Function | Bound, call: ast.Call, scope: Scope, world: World
) -> tuple[Function, dict[str, Value]]:
    """The function that a call runs, and what its parameters stand for, `self` of a method included."""
    if isinstance(callee, Function):
        return callee, bind_arguments(callee.node, call, scope, world)
    function = callee.function
    arguments = bind_arguments(function.node, call, scope, world, skip=1)
    if function.node.args.args:
        arguments[function.node.args.args[0].arg] = callee.receiver
    return function, arguments


def entered(
    callee: Function | Bound, call: ast.Call, scope: Scope, world: World
) -> tuple[FunctionNode, Scope]:
    """The function that a call runs, and its body with the parameters bound."""
    function, arguments = received(callee, call, scope, world)
    return function.node, inner_scope(function, function.node, arguments)


def decorator_call(decorator: ast.expr, node: FunctionNode) -> ast.Call:
    """`decorator(f)`: the call that `@decorator` over `def f` is."""
    argument = ast.copy_location(ast.Name(id=node.name, ctx=ast.Load()), decorator)
    return ast.copy_location(ast.Call(func=decorator, args=[argument], keywords=[]), decorator)


def bind_arguments(
    node: FunctionNode | ast.Lambda, call: ast.Call, scope: Scope, world: World, skip: int = 0
) -> dict[str, Value]:
    """What the parameters of a function stand for in a call, defaults included."""
    signature = node.args
    positional = [*signature.posonlyargs, *signature.args]
    bound: dict[str, Value] = {}
    for name, default in _defaults(signature):
        bound[name] = evaluate(default, scope, world)
    spread = False
    for parameter, argument in zip(positional[skip:], call.args, strict=False):
        if isinstance(argument, ast.Starred):
            spread = True
            break
        bound[parameter.arg] = evaluate(argument, scope, world)
    rest = call.args[len(positional) - skip :] if len(call.args) > len(positional) - skip else []
    if signature.vararg is not None and not spread:
        shown = ast.Tuple(elts=list(rest), ctx=ast.Load())
        bound[signature.vararg.arg] = display(shown, scope, world)
    _bind_keywords(signature, call, scope, world, bound)
    return bound


def _defaults(signature: ast.arguments) -> Iterator[tuple[str, ast.expr]]:
    positional = [*signature.posonlyargs, *signature.args]
    if signature.defaults:
        pairs = zip(positional[-len(signature.defaults) :], signature.defaults, strict=True)
        yield from ((parameter.arg, default) for parameter, default in pairs)
    for parameter, default in zip(signature.kwonlyargs, signature.kw_defaults, strict=True):
        if default is not None:
            yield parameter.arg, default


def _bind_keywords(
    signature: ast.arguments,
    call: ast.Call,
    scope: Scope,
    world: World,
    bound: dict[str, Value],
) -> None:
    names = {p.arg for p in (*signature.args, *signature.kwonlyargs)}
    extra: list[tuple[object, Item]] = []
    for argument in call.keywords:
        value = evaluate(argument.value, scope, world)
        if argument.arg is None:
            if isinstance(value, Dictionary):
                for key, item in value.items:
                    if key in names:
                        bound[str(key)] = item.value
                    else:
                        extra.append((key, item))
        elif argument.arg in names:
            bound[argument.arg] = value
        else:
            extra.append((argument.arg, Item(value, argument.value, scope)))
    if signature.kwarg is not None:
        bound[signature.kwarg.arg] = Dictionary(tuple(extra))
