"""Reads what an element of `tools=[...]` is beside its function: its classes and its options."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from adk_tool_lens.discovery.agents import callbacks_in, creation_of, described, given_of, shape
from adk_tool_lens.discovery.evaluate import World, bases, evaluate, keyword
from adk_tool_lens.discovery.facts import tool_of
from adk_tool_lens.discovery.model import Agent, AgentKeyword, Callback, Entry, EntryKind, Tool
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    External,
    Function,
    Instance,
    Item,
    Scope,
    Value,
)

if TYPE_CHECKING:
    from adk_tool_lens.discovery.members import Member

CONFIRMATION = "require_confirmation"


def with_facts(entry: Entry, member: Member, world: World) -> Entry:
    """An entry with what rules about registration need to know.

    Args:
        entry: The entry as it was told apart.
        member: What the element stands for, or one of the values that it may stand for.
        world: How other modules are found.
    """
    value, item = member.value, member.item
    cls = value if isinstance(value, Class) else value.cls if isinstance(value, Instance) else None
    written = _inside(value, item, world)
    given = value if written is item else written.value
    return replace(
        entry,
        kind=EntryKind.CLASS if _is_class(value) else entry.kind,
        shape=shape(given),
        called=_called(written, given, world),
        bases=() if cls is None else tuple(_external_bases(cls, world)),
        methods=frozenset() if cls is None else frozenset(_methods(cls, world)),
        arguments=tuple(_arguments(value, world)),
        confirmation=_confirmation(value, world),
        agent=agent_of(value, world),
        conditional=member.conditional,
    )


def _is_class(value: Value) -> bool:
    match value:
        case Class():
            return True
        case External(name=name):
            last = name.rpartition(".")[2]
            return name.startswith("google.adk") and last[:1].isupper() and last.endswith(("Tool", "Toolset"))
    return False


def _inside(value: Value, item: Item, world: World) -> Item:
    """What stands for the function: the call in `FunctionTool(weather())`, else the element itself."""
    match value:
        case Called(callee=External(name=name), call=call, scope=scope) if name.endswith("FunctionTool"):
            node = keyword(call, "func") or (call.args[0] if call.args else None)
            if isinstance(node, ast.Call):
                return Item(evaluate(node, scope, world), node, scope)
    return item


def _called(item: Item, value: Value, world: World) -> Tool | None:
    """The function of the project in `tools=[weather()]`, when the call makes no tool."""
    if not isinstance(item.node, ast.Call) or isinstance(value, Instance):
        return None
    function = evaluate(item.node.func, item.scope, world)
    return tool_of(function, world) if isinstance(function, Function | Bound) else None


def _external_bases(cls: Class, world: World) -> Iterator[str]:
    for base in bases(cls, world):
        if isinstance(base, External):
            yield base.name
    if _has_unknown_base(cls, world):
        yield "?"


def _has_unknown_base(cls: Class, world: World) -> bool:
    """Whether a base class, anywhere up, cannot be told."""
    for base in bases(cls, world):
        if isinstance(base, Class):
            for node in base.node.bases:
                target = node.value if isinstance(node, ast.Subscript) else node
                if not isinstance(evaluate(target, base.scope, world), Class | External):
                    return True
    return False


def _methods(cls: Class, world: World) -> Iterator[str]:
    for base in bases(cls, world):
        if isinstance(base, Class):
            for node in base.node.body:
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield node.name


def _site(value: Value) -> tuple[ast.Call, Scope] | None:
    match value:
        case Called(call=call, scope=scope) | Instance(call=ast.Call() as call, scope=scope):
            return call, scope
    return None


def _arguments(value: Value, world: World) -> Iterator[AgentKeyword]:
    site = _site(value)
    if site is not None:
        yield from given_of(*site, world)


def _confirmation(value: Value, world: World) -> Callback | None:
    """The function in `FunctionTool(f, require_confirmation=needs_approval)`."""
    site = _site(value)
    argument = None if site is None else keyword(site[0], CONFIRMATION)
    if site is None or argument is None:
        return None
    found = list(callbacks_in(CONFIRMATION, argument, site[1], world))
    return found[0] if len(found) == 1 and found[0].function is not None else None


def agent_of(value: Value, world: World) -> Agent | None:
    """The agent in `AgentTool(agent=helper)`."""
    match value:
        case Called(callee=External(name=name), call=call, scope=scope) if name.endswith(".AgentTool"):
            node = keyword(call, "agent") or (call.args[0] if call.args else None)
            if node is not None:
                made = creation_of(Item(evaluate(node, scope, world), node, scope))
                return None if made is None else described(made, world)
    return None


def agent_tool(agent: Agent, wrapper: str, where: Place) -> Tool:
    """`AgentTool(agent)` as a tool, called like its agent.

    Args:
        agent: The agent.
        wrapper: The full name of google-adk's class.
        where: Where the tool is made.
    """
    name = agent.name or agent.variable or "agent"
    return Tool(
        name=name,
        qualname=name,
        place=where,
        whole=where,
        parameters=(),
        docstring=None,
        returns=None,
        layout=None,
        wrapper=wrapper,
    )
