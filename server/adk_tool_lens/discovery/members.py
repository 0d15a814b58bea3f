"""The single elements of a value that is given as `tools`, what toolsets hold included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from adk_tool_lens.discovery.classify import FUNCTION_TOOLS, wrapped_function
from adk_tool_lens.discovery.evaluate import World, class_member
from adk_tool_lens.discovery.facts import external_bases
from adk_tool_lens.discovery.functions import returned
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Either,
    External,
    Instance,
    Item,
    Scope,
    Sequence,
    Value,
)

MAX_NESTING = 4


@dataclass(frozen=True, eq=False)
class Member:
    """One thing that an element of a list may be."""

    value: Value
    item: Item
    conditional: bool


def members(value: Value | None, world: World, nesting: int = 0) -> Iterator[Member]:
    """What a list holds, in order; each of several possible values counts."""
    for item in _items(value):
        options = list(_options(item.value, world))
        conditional = item.conditional or len(options) > 1
        for option in options:
            yield Member(option, item, conditional)
            if nesting < MAX_NESTING:
                yield from _in_toolset(option, conditional, world, nesting)


def _items(value: Value | None) -> Iterator[Item]:
    match value:
        case Sequence(items=items):
            yield from items
        case Either(options=options):
            for option in options:
                yield from (replace(item, conditional=True) for item in _items(option))


def _options(value: Value, world: World) -> Iterator[Value]:
    """One of several values each; `FunctionTool(f)` of one of several functions is one of several tools."""
    match value:
        case Either(options=options):
            for option in options:
                yield from _options(option, world)
        case Called(callee=External(name=name) as callee, call=call, scope=scope) if (
            name.rpartition(".")[2] in FUNCTION_TOOLS
        ):
            target = wrapped_function(call, scope, world)
            if isinstance(target, Either):
                for option in target.options:
                    yield Called(callee, *_with_function(call, scope, option))
            else:
                yield value
        case _:
            yield value


def _with_function(call: ast.Call, scope: Scope, function: Value) -> tuple[ast.Call, Scope]:
    """`FunctionTool(f)` where `f` is known to be one function."""
    name = ast.copy_location(ast.Name(id="@function", ctx=ast.Load()), call)
    rest = [argument for argument in call.keywords if argument.arg != "func"]
    bound = ast.copy_location(ast.Call(func=call.func, args=[name], keywords=rest), call)
    return bound, Scope(scope.module, scope.block, None, scope, {"@function": function})


def _in_toolset(value: Value, conditional: bool, world: World, nesting: int) -> Iterator[Member]:
    """What `get_tools` of a project's `BaseToolset` returns."""
    if not isinstance(value, Instance) or not _is_toolset(value, world):
        return
    method = class_member(value.cls, "get_tools", world, value)
    if isinstance(method, Bound) and method.function.node.args.args:
        receiver = {method.function.node.args.args[0].arg: method.receiver}
        for member in members(returned(method.function, dict(receiver), world), world, nesting + 1):
            yield replace(member, conditional=member.conditional or conditional)


def _is_toolset(value: Instance, world: World) -> bool:
    names = external_bases(value.cls, world)
    return any(name.startswith("google.adk") and name.endswith("Toolset") for name in names)
