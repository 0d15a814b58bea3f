"""Tells what an element of a tool list is: a function, a built-in, a toolset, another agent."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from adk_tool_lens.discovery.attributes import method_scope
from adk_tool_lens.discovery.elements import agent_of, agent_tool
from adk_tool_lens.discovery.evaluate import World, bases, class_member, evaluate, is_agent, keyword
from adk_tool_lens.discovery.facts import external_bases, known_tool
from adk_tool_lens.discovery.model import Entry, EntryKind, Tool
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.discovery.shadows import shadows_of
from adk_tool_lens.discovery.sites import sites_in
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
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
        case External(name=name) if not name.startswith(("google.", "builtins.")):
            module, _, last = name.rpartition(".")
            reason = f"the source of `{last}` from `{module or last}` was not found"
            return Entry(EntryKind.UNKNOWN, text, where, reason=reason), None
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
    tool = known_tool(target, world)
    text = where.block.text[where.span.start : where.span.end]
    if tool is None:
        reason = "the source of the function was not found"
        return Entry(EntryKind.UNKNOWN, text, where, reason=reason), None
    shadows = shadows_of(target)
    if wrapper is not None or shadows:
        tool = replace(tool, wrapper=wrapper, shadows=shadows)
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
        entry = Entry(EntryKind.AGENT, text, where, reason=name)
        agent = agent_of(value, world)
        return entry, None if agent is None else Found(agent_tool(agent, name, where), value)
    if last.endswith(("Toolset", "ToolSet")):
        return Entry(EntryKind.TOOLSET, last, where, reason=name), None
    if is_agent(name):
        return Entry(EntryKind.NOT_A_TOOL, text, where), None
    return Entry(EntryKind.BUILT_IN, last, where, reason=name), None


def wrapped_function(call: ast.Call, scope: Scope, world: World) -> Value | None:
    """The function in `FunctionTool(f)` or `FunctionTool(func=f)`."""
    argument = keyword(call, "func") or (call.args[0] if call.args else None)
    return None if argument is None else evaluate(argument, scope, world)


def wrapped_by(instance: Instance, world: World) -> Value | None:
    """The function that an object of a project's subclass of `FunctionTool` wraps.

    Models `MyTool(f)` and `class MyTool(FunctionTool)` with `super().__init__(self.run)` in its `__init__`.
    """
    init = class_member(instance.cls, "__init__", world, instance)
    if isinstance(init, Bound) and isinstance(init.function.owner, Class):
        scope = method_scope(init.function.owner, init.function.node, instance, world)
        for site in sites_in(init.function.node, scope):
            if is_super_init(site.call):
                return wrapped_function(site.call, site.scope, world)
    return None if instance.call is None else wrapped_function(instance.call, instance.scope, world)


def is_super_init(call: ast.Call) -> bool:
    """Whether a call is `super().__init__(...)`."""
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"):
            return True
    return False


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
    target = wrapped_by(value, world)
    if target is None:
        reason = f"the function given to `{value.cls.node.name}` is not known"
        return Entry(EntryKind.UNKNOWN, text, where, reason=reason), None
    return _function_entry(target, value, base, where, world)
