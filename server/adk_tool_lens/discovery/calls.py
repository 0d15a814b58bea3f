"""What calls give: of the project's own functions and classes, and of known outside ones."""

from __future__ import annotations

import ast
from dataclasses import replace

from adk_tool_lens.discovery.attributes import attribute, bases, class_member, is_agent
from adk_tool_lens.discovery.constants import TEXT_METHODS, fold, text_method
from adk_tool_lens.discovery.containers import as_sequence, dict_call, display, subscript
from adk_tool_lens.discovery.functions import bind_arguments, inner_scope, received, returned
from adk_tool_lens.discovery.loops import keys_of, pairs_of
from adk_tool_lens.discovery.module import FunctionNode, body_namespace
from adk_tool_lens.discovery.rebuilt import COPIES, PARTIAL, of_copy, of_partial
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
    Dictionary,
    Either,
    External,
    Function,
    Instance,
    Item,
    Lambda,
    Scope,
    Sequence,
    Unknown,
    Value,
)
from adk_tool_lens.discovery.world import World, either, evaluate

_SEQUENCE_MAKERS = {"builtins.list", "builtins.tuple", "builtins.set", "builtins.sorted"}
_LIST_FUNCTIONS = {f"builtins.{name}" for name in ("map", "filter", "enumerate", "zip", "reversed")}
_TRANSPARENT = {"copy.copy", "copy.deepcopy", "typing.cast"}


def call(node: ast.Call, scope: Scope, world: World) -> Value:
    """What a call expression gives."""
    known = _method_of_value(node, scope, world)
    if known is not None:
        return known
    return apply(evaluate(node.func, scope, world), node, scope, world)


def apply(  # noqa: C901 - one table
    callee: Value, node: ast.Call, scope: Scope, world: World
) -> Value:
    """What calling a value gives."""
    match callee:
        case Function() | Bound():
            function, arguments = received(callee, node, scope, world)
            skip = int(isinstance(callee, Bound))
            return _dressed(returned(function, arguments, world), function.node, skip, node, scope)
        case Class():
            return Instance(callee, node, scope)
        case Lambda():
            bound = bind_arguments(callee.node, node, scope, world)
            return evaluate(callee.node.body, inner_scope(callee, callee.node, bound), world)
        case External(name=name):
            return _external_call(name, callee, node, scope, world)
        case Called(callee=External(name=name)) if name == PARTIAL:
            made = of_partial(callee, node, scope, world)
            if made is not None:
                return apply(*made, world)
        case Either(options=options):
            return either(apply(option, node, scope, world) for option in options)
        case Unknown():
            return callee
        case Instance():
            method = class_member(callee.cls, "__call__", world, callee)
            if isinstance(method, Bound):
                return apply(method, node, scope, world)
    return Unknown("what this call gives is only known when the code runs", node, scope)


def _dressed(result: Value, callee: FunctionNode, skip: int, node: ast.Call, scope: Scope) -> Value:
    """A function that another one gives back with a new name or docstring."""
    if not isinstance(result, Function) or len(callee.args.args) <= skip:
        return result
    parameter = callee.args.args[skip].arg
    keys = [change.key for change in body_namespace(callee).dressing]
    if not any(isinstance(key, ast.Name) and key.id == parameter for key in keys):
        return result
    return replace(result, given_to=(*result.given_to, (node, scope)))


def _external_call(name: str, callee: External, node: ast.Call, scope: Scope, world: World) -> Value:
    if name in _SEQUENCE_MAKERS:
        return as_sequence(node, scope, world)
    if name in _LIST_FUNCTIONS:
        known = _with_builtin(name, node, scope, world)
        if known is not None:
            return known
    if name == "itertools.chain":
        parts = [ast.Starred(value=arg, ctx=ast.Load()) for arg in node.args]
        return display(ast.List(elts=list(parts), ctx=ast.Load()), scope, world)
    if name == "builtins.dict":
        return dict_call(node, scope, world)
    if name in _TRANSPARENT and node.args:
        return evaluate(node.args[-1], scope, world)
    if name == "builtins.getattr" and len(node.args) >= 2:
        attr = evaluate(node.args[1], scope, world)
        if isinstance(attr, Const) and isinstance(attr.value, str):
            return attribute(evaluate(node.args[0], scope, world), attr.value, node, scope, world)
    return Called(callee, node, scope)


def _with_builtin(name: str, node: ast.Call, scope: Scope, world: World) -> Value | None:
    """`map(FunctionTool, fs)`, `filter(None, fs)`, `enumerate(fs)`, `zip(a, b)`, `reversed(fs)`."""
    parts = [evaluate(argument, scope, world) for argument in node.args]
    match name, parts:
        case "builtins.map", [callee, Sequence(items=items, gaps=gaps)]:
            made = (Item(_applied(callee, node, item, world), item.node, item.scope) for item in items)
            return Sequence(tuple(made), gaps)
        case "builtins.filter", [_, Sequence(items=items, gaps=gaps)]:
            return Sequence(tuple(replace(item, conditional=True) for item in items), gaps)
        case "builtins.enumerate", [Sequence(items=items, gaps=gaps), *_]:
            rows = [(replace(item, value=Const(n)), item) for n, item in enumerate(items)]
            return Sequence(tuple(_row(row) for row in rows), gaps)
        case "builtins.zip", [_, *_] if all(isinstance(part, Sequence) for part in parts):
            columns = [part.items for part in parts if isinstance(part, Sequence)]
            return Sequence(tuple(_row(row) for row in zip(*columns, strict=False)))
        case "builtins.reversed", [Sequence() as value]:
            return value
    return None


def _row(items: tuple[Item, ...]) -> Item:
    return replace(items[-1], value=Sequence(items, kind="tuple"))


def _applied(callee: Value, node: ast.Call, item: Item, world: World) -> Value:
    """`callee(item)`."""
    argument = ast.copy_location(ast.Name(id="@item", ctx=ast.Load()), node)
    made = ast.copy_location(ast.Call(func=node.args[0], args=[argument], keywords=[]), node)
    scope = Scope(item.scope.module, item.scope.block, None, item.scope, {"@item": item.value})
    return apply(callee, made, scope, world)


def _method_of_value(  # noqa: C901 - one table
    node: ast.Call, scope: Scope, world: World
) -> Value | None:
    """`d.get("k")`, `d.values()`, `list_.copy()` on values that are known."""
    if isinstance(node.func, ast.Name):
        return fold(node, lambda part: evaluate(part, scope, world))
    if not isinstance(node.func, ast.Attribute):
        return None
    attr = node.func.attr
    if attr in TEXT_METHODS and not node.keywords:
        return _text_method(node, node.func, scope, world)
    if attr in COPIES:
        return _copied(evaluate(node.func.value, scope, world), node, scope, world)
    if attr not in {"get", "values", "copy", "items", "keys", "format", "join"}:
        return None
    base = evaluate(node.func.value, scope, world)
    match base, attr:
        case Dictionary(items=items, gaps=gaps), "values":
            return Sequence(tuple(item for _, item in items), gaps)
        case Dictionary(), "items":
            return pairs_of(base)
        case Dictionary(), "keys":
            return keys_of(base)
        case Dictionary(), "get" if node.args:
            return subscript(base, node.args[0], node, scope, world)
        case ((Dictionary() | Sequence()), "copy"):
            return base
        case Const(value=str()), ("format" | "join"):
            return fold(node, lambda part: evaluate(part, scope, world))
    return None


def _copied(base: Value, node: ast.Call, scope: Scope, world: World) -> Value | None:
    """`agent.clone(update={...})`."""
    match base:
        case Called(callee=External(name=name)) if is_agent(name):
            made = of_copy(base, node, scope, world)
        case Instance() if _is_agent_class(base, world):
            made = of_copy(base, node, scope, world)
        case _:
            return None
    return None if made is None else apply(*made, world)


def _is_agent_class(instance: Instance, world: World) -> bool:
    return any(isinstance(base, External) and is_agent(base.name) for base in bases(instance.cls, world))


def _text_method(node: ast.Call, func: ast.Attribute, scope: Scope, world: World) -> Value | None:
    """`"abc".upper()`, `"a b".split()`."""
    base = evaluate(func.value, scope, world)
    match text_method(base, func.attr, [evaluate(argument, scope, world) for argument in node.args]):
        case str(text):
            return Const(text)
        case list(parts):
            return Sequence(tuple(Item(Const(part), node, scope) for part in parts))
    return None
