"""Finds the agents of a module and what their `tools` are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Sequence_
from dataclasses import dataclass, replace

from adk_tool_lens.discovery.agents import Creation, describe, list_value
from adk_tool_lens.discovery.body import body_of
from adk_tool_lens.discovery.elements import with_facts
from adk_tool_lens.discovery.evaluate import (
    World,
    bases,
    class_member,
    evaluate,
    is_agent,
    kept,
    keyword,
)
from adk_tool_lens.discovery.facts import external_bases, tool_of
from adk_tool_lens.discovery.memo import identity
from adk_tool_lens.discovery.model import (
    Agent,
    Entry,
    EntryKind,
    Registration,
    Tool,
)
from adk_tool_lens.discovery.module import DefNode, Module, Place
from adk_tool_lens.discovery.shadows import shadows_of
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
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
from adk_tool_lens.source.blocks import Block

FUNCTION_TOOLS = {
    "FunctionTool",
    "LongRunningFunctionTool",
    "AuthenticatedFunctionTool",
    "GoogleTool",
}
"""google-adk's tool classes that declare the function they are given."""


@dataclass(frozen=True, eq=False)
class Found:
    """A tool with the value that stands for it; the value is for building its stub only."""

    tool: Tool
    value: Value
    """The object in the agent's list: the function itself or the wrapper around it."""


@dataclass(frozen=True, eq=False)
class Discovery:
    """The agents and tools that a module registers, in the order they are written."""

    agents: tuple[Agent, ...]
    found: tuple[Found, ...]


@dataclass(frozen=True, eq=False)
class _Site:
    """A call with the scope it is read in, and the name its result is given."""

    call: ast.Call
    scope: Scope
    variable: str | None


def discover(module: Module, world: World) -> Discovery:
    """All agents that a module creates and all tools that it registers or wraps."""
    agents: list[Agent] = []
    uses: list[tuple[Found, Registration]] = []
    wrapped: list[tuple[Found, Registration]] = []
    for site in sites(module):
        kind = agent_kind(site, world)
        if kind is not None:
            agent, found = _agent(site, kind, world)
            agents.append(agent)
            uses.extend(found)
        else:
            wrapped.extend(_wrapped(site, world))
    registered = {_identity(found) for found, _ in uses}
    rest = [use for use in wrapped if _identity(use[0]) not in registered]
    return Discovery(tuple(agents), tuple(_merged([*uses, *rest])))


# ---------------------------------------------------------------- where calls stand


def sites(module: Module) -> Iterator[_Site]:
    """Calls that may create agents or wrap tools, in the order they are written."""
    for block in module.blocks:
        for call, path, variable in _calls(block):
            yield _Site(call, scope_of(module, block, path), variable)


def _calls(block: Block) -> list[tuple[ast.Call, tuple[DefNode, ...], str | None]]:
    """Candidate calls of a block with the definitions around them; kept with the block."""
    known = block.__dict__.get("calls")
    if known is None:
        known = [] if block.tree is None else list(_walk(block.tree, (), None))
        block.__dict__["calls"] = known
    return known


def _walk(
    node: ast.AST, path: tuple[DefNode, ...], variable: str | None
) -> Iterator[tuple[ast.Call, tuple[DefNode, ...], str | None]]:
    stack: list[tuple[ast.AST, tuple[DefNode, ...], str | None]] = [(node, path, variable)]
    while stack:
        current, around, name = stack.pop()
        if isinstance(current, ast.Call) and _is_candidate(current):
            yield current, around, name
        inside = around
        if isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = (*around, current)
        children = list(ast.iter_child_nodes(current))
        target = _target(current)
        stack.extend((child, inside, target) for child in reversed(children))


def _target(node: ast.AST) -> str | None:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return None


def _is_candidate(call: ast.Call) -> bool:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            if name.endswith(("Agent", "Tool")) or name == "__init__":
                return True
    return any(argument.arg in {"tools", "sub_agents"} for argument in call.keywords)


def scope_of(module: Module, block: Block, path: tuple[DefNode, ...]) -> Scope:
    """The scope inside nested definitions; `self` stands for an instance of its class."""
    scope = Scope(module, block)
    outer: Scope | None = None
    for node in path:
        parent = scope if outer is not None else None
        if isinstance(node, ast.ClassDef):
            scope = Scope(module, block, node, parent)
        else:
            scope = Scope(module, block, node, parent, _receiver(node, scope))
        outer = scope
    return scope


def _receiver(node: DefNode, scope: Scope) -> dict[str, Value]:
    """`self` in a method of a class."""
    if not isinstance(scope.node, ast.ClassDef) or isinstance(node, ast.ClassDef):
        return {}
    arguments = [*node.args.posonlyargs, *node.args.args]
    if not arguments or any(ast.unparse(d) == "staticmethod" for d in node.decorator_list):
        return {}
    around = scope.parent or Scope(scope.module, scope.block)
    cls = Class(scope.node, around)
    by_class = any(ast.unparse(d) == "classmethod" for d in node.decorator_list)
    return {arguments[0].arg: cls if by_class else Instance(cls, None, around)}


# ---------------------------------------------------------------- agents


def agent_kind(site: _Site, world: World) -> str | None:
    """The full name of the agent class a call creates; None when it creates no agent."""
    match site.call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"):
            return _super_kind(site.scope, world)
    match evaluate(site.call.func, site.scope, world):
        case External(name=name) if is_agent(name):
            return name
        case Class() as cls:
            names = [name for name in external_bases(cls, world) if is_agent(name)]
            return names[0] if names else None
    return None


def _super_kind(scope: Scope, world: World) -> str | None:
    parent = scope.parent
    if parent is None or not isinstance(parent.node, ast.ClassDef):
        return None
    cls = Class(parent.node, parent.parent or Scope(parent.module, parent.block))
    names = [name for name in external_bases(cls, world) if is_agent(name)]
    return names[0] if names else None


def _agent(site: _Site, kind: str, world: World) -> tuple[Agent, list[tuple[Found, Registration]]]:
    creation = Creation(site.call, site.scope, site.variable)
    agent = describe(creation, kind, world)
    value = list_value("tools", creation, world)
    entries, uses = _entries(value, agent.name or site.variable, agent.whole, world)
    return replace(agent, entries=tuple(entries), gaps=tuple(_gaps(value))), uses


def _gaps(value: Value | None) -> Iterator[tuple[Place | None, str]]:
    match value:
        case Sequence(gaps=gaps):
            yield from ((_gap_place(gap), gap.reason) for gap in gaps)
        case Unknown():
            yield _gap_place(value), value.reason
        case Either(options=options):
            for option in options:
                yield from _gaps(option)


def _gap_place(gap: Unknown) -> Place | None:
    if gap.node is None or gap.scope is None or not hasattr(gap.node, "lineno"):
        return None
    return gap.scope.place(gap.node)


def _entries(
    value: Value | None, agent: str | None, whole: Place, world: World
) -> tuple[list[Entry], list[tuple[Found, Registration]]]:
    entries: list[Entry] = []
    uses: list[tuple[Found, Registration]] = []
    for item in _items(value):
        for option in item.value.options if isinstance(item.value, Either) else (item.value,):
            conditional = item.conditional or isinstance(item.value, Either)
            entry, found = classify(option, item, world)
            entry = with_facts(entry, option, item, world)
            entries.append(replace(entry, conditional=conditional))
            if found is not None:
                place = item.scope.place(item.node)
                uses.append((found, Registration(place, agent, whole, conditional)))
    return entries, uses


def _items(value: Value | None) -> Iterator[Item]:
    match value:
        case Sequence(items=items):
            yield from items
        case Either(options=options):
            for option in options:
                yield from (replace(item, conditional=True) for item in _items(option))


# ---------------------------------------------------------------- one element


def classify(value: Value, item: Item, world: World) -> tuple[Entry, Found | None]:
    """What an element of a tool list is."""
    where = item.scope.place(item.node)
    text = where.block.text[where.span.start : where.span.end]
    match value:
        case Function() | Lambda() | Bound() | Class():
            return _function_entry(value, value, None, where, world)
        case Called(callee=External(name="functools.partial")):
            return _function_entry(value, value, None, where, world)
        case Called(callee=External(name=name)):
            return _library_call(value, name, where, text, world)
        case External(name=name):
            return Entry(EntryKind.BUILT_IN, name.rpartition(".")[2], where, reason=name), None
        case Instance():
            return _instance_entry(value, where, text, world)
        case Const() | Sequence():
            return Entry(EntryKind.NOT_A_TOOL, text, where), None
        case Unknown(reason=reason):
            return Entry(EntryKind.UNKNOWN, text, where, reason=reason), None
    return Entry(EntryKind.UNKNOWN, text, where, reason="it is made when the code runs"), None


def _function_entry(
    target: Value, value: Value, wrapper: str | None, where: Place, world: World
) -> tuple[Entry, Found | None]:
    tool = kept(world, ("tool", identity(target)), lambda: tool_of(target, world))
    text = where.block.text[where.span.start : where.span.end]
    if tool is None:
        reason = "the source of the function was not found"
        return Entry(EntryKind.UNKNOWN, text, where, reason=reason), None
    tool = replace(tool, wrapper=wrapper, shadows=shadows_of(target), read_body=body_of(target, world))
    return Entry(EntryKind.FUNCTION, tool.name, where, tool), Found(tool, value)


def _library_call(
    value: Called, name: str, where: Place, text: str, world: World
) -> tuple[Entry, Found | None]:
    last = name.rpartition(".")[2]
    if not name.startswith("google."):
        reason = f"`{last}` comes from another library; what it makes is known when it runs"
        return Entry(EntryKind.UNKNOWN, text, where, reason=reason), None
    if last in FUNCTION_TOOLS:
        target = wrapped_function(value.call, value.scope, world)
        if target is not None:
            return _function_entry(target, value, name, where, world)
        reason = f"the function given to `{last}` is not known"
        return Entry(EntryKind.UNKNOWN, text, where, reason=reason), None
    if last == "AgentTool":
        return Entry(EntryKind.AGENT, text, where, reason=name), None
    if last.endswith(("Toolset", "ToolSet")):
        return Entry(EntryKind.TOOLSET, last, where, reason=name), None
    if is_agent(name):
        return Entry(EntryKind.NOT_A_TOOL, text, where), None
    return Entry(EntryKind.BUILT_IN, last, where, reason=name), None


def wrapped_function(call: ast.Call, scope: Scope, world: World) -> Value | None:
    """The function in `FunctionTool(f)` or `FunctionTool(func=f)`."""
    argument = keyword(call, "func") or (call.args[0] if call.args else None)
    return None if argument is None else evaluate(argument, scope, world)


def _instance_entry(value: Instance, where: Place, text: str, world: World) -> tuple[Entry, Found | None]:
    names = external_bases(value.cls, world)
    last_names = {name.rpartition(".")[2] for name in names if name.startswith("google.adk")}
    if last_names & FUNCTION_TOOLS and value.call is not None:
        return _wrapper_subclass(value, next(iter(names)), where, text, world)
    if any(name.endswith("Toolset") for name in last_names):
        return Entry(EntryKind.TOOLSET, text, where, reason=value.cls.node.name), None
    if any(name.endswith("Tool") for name in last_names):
        return Entry(EntryKind.CUSTOM, text, where, reason=value.cls.node.name), None
    if class_member(value.cls, "__call__", world, value) is not None:
        return _function_entry(value, value, None, where, world)
    return Entry(EntryKind.NOT_A_TOOL, text, where, reason=value.cls.node.name), None


def _wrapper_subclass(
    value: Instance, base: str, where: Place, text: str, world: World
) -> tuple[Entry, Found | None]:
    """A subclass of `FunctionTool` in the project, as long as it keeps `_get_declaration`."""
    for cls in bases(value.cls, world):
        if isinstance(cls, Class) and any(
            isinstance(node, ast.FunctionDef) and node.name == "_get_declaration" for node in cls.node.body
        ):
            reason = f"`{cls.node.name}` makes its own declaration when it runs"
            return Entry(EntryKind.CUSTOM, text, where, reason=reason), None
    assert value.call is not None  # noqa: S101 - the caller looked
    target = wrapped_function(value.call, value.scope, world)
    if target is None:
        reason = f"the function given to `{value.cls.node.name}` is not known"
        return Entry(EntryKind.UNKNOWN, text, where, reason=reason), None
    return _function_entry(target, value, base, where, world)


def _wrapped(site: _Site, world: World) -> Iterator[tuple[Found, Registration]]:
    """`FunctionTool(f)` that stands in no agent's list."""
    name = site.call.func
    if not isinstance(name, ast.Name | ast.Attribute):
        return
    value = evaluate(site.call, site.scope, world)
    if not isinstance(value, Called | Instance):
        return
    item = Item(value, site.call, site.scope)
    entry, found = classify(value, item, world)
    if entry.kind is EntryKind.FUNCTION and found is not None and found.tool.wrapper:
        yield found, Registration(entry.place, None)


# ---------------------------------------------------------------- one tool, many places


def _identity(found: Found) -> tuple[object, ...]:
    return (id(found.tool.whole.block), found.tool.whole.span)


def together(module: Module, discoveries: Sequence_[Discovery]) -> tuple[Found, ...]:
    """The tools that a module defines, each once, with the registrations from all over the project."""
    return _collected(discoveries, lambda found, _: found.tool.whole.block in module.starts)


def listed(module: Module, discoveries: Sequence_[Discovery]) -> tuple[Found, ...]:
    """The tools of other files that a module registers, or lists for another one that registers them.

    Args:
        module: The module.
        discoveries: What it registers itself, then what others do.
    """
    own = discoveries[:1]
    return _collected(
        discoveries,
        lambda found, registration: (
            found.tool.whole.block not in module.starts
            and (registration.place.block in module.starts or any(found in each.found for each in own))
        ),
    )


def _collected(
    discoveries: Sequence_[Discovery], wanted: Callable[[Found, Registration], bool]
) -> tuple[Found, ...]:
    uses = [
        (found, registration)
        for discovery in discoveries
        for found in discovery.found
        for registration in found.tool.registrations
        if wanted(found, registration)
    ]
    held = {_identity(found) for found, registration in uses if registration.agent_place is not None}
    return tuple(_merged([u for u in uses if u[1].agent_place is not None or _identity(u[0]) not in held]))


def _merged(uses: list[tuple[Found, Registration]]) -> Iterator[Found]:
    """One `Found` a tool and wrapper; a tool that one agent surely holds twice is there twice."""
    groups: dict[tuple[object, ...], tuple[Found, list[Registration]]] = {}
    seen: dict[tuple[object, ...], list[Registration]] = {}
    for found, registration in uses:
        base = (*_identity(found), found.tool.wrapper, _variant(found))
        before = seen.setdefault((*base, registration.agent_place, registration.agent), [])
        if registration in before:
            continue
        number = 0 if registration.conditional else len(before)
        before.append(registration)
        groups.setdefault((*base, number), (found, []))[1].append(registration)
    for found, registrations in groups.values():
        yield Found(replace(found.tool, registrations=tuple(registrations)), found.value)


def _variant(found: Found) -> object:
    """What tells tools of one function apart: the call's own text for partials and factories."""
    match found.value:
        case Called(callee=External(name="functools.partial"), call=call):
            return ast.unparse(call)
    return None
