"""Which files the tools of a module come from, without reading the tools: what an index needs of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from adk_tool_lens.discovery.additions import additions
from adk_tool_lens.discovery.agents import Creation, list_value
from adk_tool_lens.discovery.classify import FUNCTION_TOOLS, wrapped_by, wrapped_function
from adk_tool_lens.discovery.evaluate import World, evaluate
from adk_tool_lens.discovery.factories import Made, in_steps, made_at
from adk_tool_lens.discovery.members import members
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.discovery.sites import sites
from adk_tool_lens.discovery.values import Bound, Called, Class, External, Function, Instance, Lambda, Value


def reached(module: Module, world: World) -> frozenset[Path]:
    """The files that define, list or hold what a module registers or wraps."""
    found = {place for place in _reached(module, world) if place is not None}
    return frozenset(found)


def _reached(module: Module, world: World) -> Iterator[Path | None]:
    for site in sites(module):
        made = list(made_at(site, world))
        if not made and site.direct:
            for each_site in in_steps(site, world):
                yield from _defining(evaluate(each_site.call, each_site.scope, world), world)
        for each in made:
            yield from _of_agent(each, world)
    for added in additions(module, world):
        yield None if added.agent is None else added.agent.whole.path
        for member in members(added.value, world):
            yield member.item.scope.module.path
            yield from _defining(member.value, world)


def _of_agent(made: Made, world: World) -> Iterator[Path | None]:
    yield made.scope.module.path
    value = list_value("tools", Creation(made.call, made.scope, made.variable), world)
    for member in members(value if value is not None else made.default_tools, world):
        yield member.item.scope.module.path
        yield from _defining(member.value, world)


def _defining(value: Value, world: World) -> Iterator[Path | None]:
    """The files that define a tool and what it wraps."""
    match value:
        case Function(scope=scope) | Lambda(scope=scope) | Class(scope=scope):
            yield scope.module.path
        case Bound(function=function):
            yield function.scope.module.path
        case Instance(cls=cls):
            yield cls.scope.module.path
            inner = wrapped_by(value, world)
            if inner is not None and inner is not value:
                yield from _defining(inner, world)
        case Called(callee=External(name=name), call=call, scope=scope):
            target: Value | None = None
            if name.rpartition(".")[2] in FUNCTION_TOOLS:
                target = wrapped_function(call, scope, world)
            elif name == "functools.partial" and call.args:
                target = evaluate(call.args[0], scope, world)
            if target is not None:
                yield from _defining(target, world)
