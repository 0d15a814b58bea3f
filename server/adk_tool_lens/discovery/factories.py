"""Agents that calls make: of an agent class, or of a function or class that makes agents of what it is given.

Models `Agent(...)`, `MyAgent(...)` of a project's subclass, and factories:

    def make_agent(name, tools):
        return Agent(name=name, tools=[*tools, log])

    orders = make_agent("orders", [find_order])
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from adk_tool_lens.discovery.attributes import method_scope
from adk_tool_lens.discovery.classify import is_super_init
from adk_tool_lens.discovery.evaluate import World, bases, class_member, evaluate, is_agent
from adk_tool_lens.discovery.facts import external_bases
from adk_tool_lens.discovery.functions import entered
from adk_tool_lens.discovery.loops import steps
from adk_tool_lens.discovery.module import Binding, DefNode, FunctionNode, Module, Place, absolute
from adk_tool_lens.discovery.rebuilt import COPIES
from adk_tool_lens.discovery.sites import Site, calls_of, last_name, looks_like_agent, root_name, sites_in
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Either,
    External,
    Function,
    Instance,
    Scope,
    Value,
)
from adk_tool_lens.source.blocks import Block, per_block

_MAKER = re.compile(r"agent|build|create|make|team|factory|pipeline|workflow|assistant", re.IGNORECASE)
MAX_FACTORIES = 3
"""How many factories may call one another."""
MAX_STEPS = 50
"""How many agents one comprehension makes at most."""


@dataclass(frozen=True, eq=False)
class Made:
    """A call that makes an agent, in a scope in which what it is given is known as well as can be."""

    call: ast.Call
    scope: Scope
    variable: str | None
    kind: str
    """The full name of google-adk's class behind it."""
    outer: tuple[Place, Place] | None = None
    """For an agent class of the project: the name of the class and the whole of the call that makes it."""
    default_tools: Value | None = None
    """For an agent class of the project: its attribute `tools`."""
    by_call: bool = False
    """Whether it is made by a factory, in one call of it."""


def made_at(site: Site, world: World) -> Iterator[Made]:
    """The agents that a call makes, itself or as a factory; in a comprehension, those of each step."""
    for each in in_steps(site, world):
        made = made_directly(each, world) if each.direct else None
        yield from (made,) if made is not None else made_by(each, world)


def in_steps(site: Site, world: World) -> list[Site]:
    """A call in a comprehension once for each step, with what the loop's names stand for then."""
    name = last_name(site.call.func) or ""
    if not site.loops or not (site.direct or _MAKER.search(name)):
        return [site]
    found = list(islice(steps(list(site.loops), site.scope, world, []), MAX_STEPS))
    return [replace(site, scope=step.scope) for step in found] or [site]


def made_directly(site: Site, world: World) -> Made | None:
    """The agent that a call makes itself; None when it makes none."""
    call, scope = site.call, site.scope
    if is_super_init(call):
        kind = _super_kind(scope, world)
        return None if kind is None else Made(call, scope, site.variable, kind)
    match evaluate(call.func, scope, world):
        case External(name=name) if is_agent(name):
            return Made(call, scope, site.variable, name)
        case Class() as cls:
            kind = _kind(cls, world)
            return None if kind is None else _of_class(site, cls, kind, world)
    return None


def _kind(cls: Class, world: World) -> str | None:
    return next((name for name in external_bases(cls, world) if is_agent(name)), None)


def _super_kind(scope: Scope, world: World) -> str | None:
    """The agent class that `super().__init__` in a method leads to."""
    parent = scope.parent
    if parent is None or not isinstance(parent.node, ast.ClassDef):
        return None
    return _kind(Class(parent.node, parent.parent or Scope(parent.module, parent.block)), world)


def _of_class(site: Site, cls: Class, kind: str, world: World) -> Made:
    """`MyAgent(...)`: what its `__init__` hands to google-adk's class, when it has its own."""
    outer = (site.scope.place(site.call.func), site.scope.place(site.call))
    instance = Instance(cls, site.call, site.scope)
    tools = class_member(cls, "tools", world, instance)
    init = class_member(cls, "__init__", world, instance)
    if isinstance(init, Bound) and init.function.owner is not None:
        inner = method_scope(init.function.owner, init.function.node, instance, world)
        for each in sites_in(init.function.node, inner):
            if is_super_init(each.call):
                return Made(each.call, each.scope, site.variable, kind, outer, tools)
    return Made(site.call, site.scope, site.variable, kind, outer, tools)


def made_by(site: Site, world: World, depth: int = 0) -> Iterator[Made]:
    """The agents that a factory makes in one call of it."""
    if depth >= MAX_FACTORIES or is_super_init(site.call):
        return
    if _stands_for_another(site):
        yield from _rebuilt(site, world)
        return
    if not _may_lead_to_agents(site, world):
        return
    callee = evaluate(site.call.func, site.scope, world)
    if isinstance(callee, Class) and (kind := _kind(callee, world)) is not None:
        yield _of_class(site, callee, kind, world)
        return
    for option in callee.options if isinstance(callee, Either) else (callee,):
        for node, scope in _bodies(option, site, world):
            for inner in sites_in(node, scope):
                made = made_directly(inner, world) if inner.direct else None
                if made is not None:
                    yield replace(made, variable=site.variable or made.variable, by_call=True)
                elif not inner.direct:
                    yield from made_by(inner, world, depth + 1)


def _stands_for_another(site: Site) -> bool:
    """Whether a call copies an agent, or calls what its module makes by `partial`."""
    if last_name(site.call.func) in COPIES:
        return True
    name = site.call.func.id if isinstance(site.call.func, ast.Name) else ""
    pairs = site.scope.module.bindings.get(name)
    return any(
        isinstance(binding.value, ast.Call) and last_name(binding.value.func) == "partial"
        for _, binding in pairs
    )


def _rebuilt(site: Site, world: World) -> Iterator[Made]:
    match evaluate(site.call, site.scope, world):
        case Called(callee=External(name=name), call=call, scope=scope) if is_agent(name):
            yield Made(call, scope, site.variable, name)
        case Instance(cls=cls, call=ast.Call() as call, scope=scope):
            kind = _kind(cls, world)
            if kind is not None:
                yield _of_class(Site(call, scope, site.variable, direct=True), cls, kind, world)


def makes_agents(node: DefNode, module: Module) -> bool:
    """Whether the text of a function or class looks like making agents, itself or by others of its module."""
    makers = direct_makers(module)
    if node.name in makers:
        return True
    return any(not makers.isdisjoint(_texts_of(block).calls.get(node.name, ())) for block in module.blocks)


def direct_makers(module: Module) -> frozenset[str]:
    """The names of a module's functions, methods and classes in which agents are made."""
    known: frozenset[str] | None = module.__dict__.get("_makers")
    if known is None:
        known = frozenset().union(*(_texts_of(block).makers for block in module.blocks))
        module.__dict__["_makers"] = known
    return known


@dataclass(frozen=True)
class _Texts:
    """What the calls of a block look like."""

    makers: frozenset[str]
    """The functions and classes around calls that look like making an agent."""
    calls: dict[str, set[str]]
    """For each function and class, the names that it calls."""


@per_block
def _texts_of(block: Block) -> _Texts:
    """The looks of a block's calls."""
    makers: set[str] = set()
    calls: dict[str, set[str]] = {}
    for written in calls_of(block):
        names = [around.name for around in written.path]
        if written.direct and looks_like_agent(written.call):
            makers.update(names)
        for name in names:
            calls.setdefault(name, set()).add(last_name(written.call.func) or "")
    return _Texts(frozenset(makers), calls)


def _bodies(callee: Value, site: Site, world: World) -> Iterator[tuple[FunctionNode, Scope]]:
    """The functions that a call runs, with their parameters bound."""
    match callee:
        case Function(node=node) if makes_agents(node, callee.scope.module):
            yield entered(callee, site.call, site.scope, world)
        case Bound(function=Function(node=node, scope=scope)) if node.args.args and makes_agents(
            node, scope.module
        ):
            yield entered(callee, site.call, site.scope, world)
        case Class() as cls if makes_agents(cls.node, cls.scope.module) and _kind(cls, world) is None:
            instance = Instance(cls, site.call, site.scope)
            for base in bases(cls, world):
                for member in base.node.body if isinstance(base, Class) else ():
                    if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef) and member.args.args:
                        assert isinstance(base, Class)  # noqa: S101 - for the type checker
                        yield member, method_scope(base, member, instance, world)


def _may_lead_to_agents(site: Site, world: World) -> bool:
    """Whether it is worth reading what is called, by what is cheap to tell."""
    root, last = root_name(site.call.func), last_name(site.call.func)
    module = site.scope.module
    if root is None or last is None:
        return False
    if last in direct_makers(module):
        return True
    scope: Scope | None = site.scope
    while scope is not None:
        if root in scope.arguments or (scope.names is not None and root in scope.names.bindings):
            return _MAKER.search(last) is not None
        scope = scope.parent
    pairs = module.bindings.get(root)
    if not pairs:
        return any(world.speaks(absolute(star, module), module) for star in module.stars)
    return any(_speaks(binding, last, module, world) for _, binding in pairs)


def _speaks(binding: Binding, last: str, module: Module, world: World) -> bool:
    if binding.imported is None:
        return isinstance(binding.node, ast.FunctionDef | ast.ClassDef) or _MAKER.search(last) is not None
    written, member = binding.imported
    full = absolute(written, module)
    return world.speaks(full, module) or bool(member and world.speaks(f"{full}.{member}", module))
