"""Puts together what is found of one tool in many places."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from adk_tool_lens.discovery.classify import Found
from adk_tool_lens.discovery.model import Agent, Entry, Plugin, Registration
from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.discovery.values import Called, External


@dataclass(frozen=True, eq=False)
class Discovery:
    """The agents and tools that a module registers, in the order they are written."""

    agents: tuple[Agent, ...]
    found: tuple[Found, ...]
    plugins: tuple[Plugin, ...] = ()
    """The plugins that it defines."""
    additions: tuple[tuple[Place, Entry], ...] = ()
    """What it gives agents after they were made, by the whole of the call that makes them."""


def completed(agents: tuple[Agent, ...], added: Sequence[tuple[Place, Entry]]) -> tuple[Agent, ...]:
    """Agents with what they are given after they were made."""
    if not added:
        return agents
    return tuple(_with(agent, [entry for whole, entry in added if whole == agent.whole]) for agent in agents)


def _with(agent: Agent, entries: list[Entry]) -> Agent:
    known = {entry.place for entry in agent.entries}
    fresh = [entry for entry in entries if entry.place not in known]
    return replace(agent, entries=(*agent.entries, *fresh)) if fresh else agent


def identity_of(found: Found) -> tuple[object, ...]:
    """What makes two findings the same function: where it is written."""
    return (id(found.tool.whole.block), found.tool.whole.span)


def together(module: Module, discoveries: Sequence[Discovery]) -> tuple[Found, ...]:
    """The tools that a module defines, each once, with the registrations from all over the project."""
    return _collected(discoveries, lambda found, _: found.tool.whole.block in module.starts)


def listed(module: Module, discoveries: Sequence[Discovery]) -> tuple[Found, ...]:
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
    discoveries: Sequence[Discovery], wanted: Callable[[Found, Registration], bool]
) -> tuple[Found, ...]:
    uses = [
        (found, registration)
        for discovery in discoveries
        for found in discovery.found
        for registration in found.tool.registrations
        if wanted(found, registration)
    ]
    held = {identity_of(found) for found, registration in uses if registration.agent_place is not None}
    return tuple(merged([u for u in uses if u[1].agent_place is not None or identity_of(u[0]) not in held]))


def merged(uses: list[tuple[Found, Registration]]) -> Iterator[Found]:
    """One `Found` a tool and wrapper; a tool that one agent surely holds twice is there twice."""
    groups: dict[tuple[object, ...], tuple[Found, list[Registration]]] = {}
    seen: dict[tuple[object, ...], list[Registration]] = {}
    for found, registration in uses:
        base = (*identity_of(found), found.tool.wrapper, _variant(found))
        before = seen.setdefault((*base, registration.agent_place, registration.agent), [])
        if registration in before:
            continue
        number = 0 if registration.conditional else len(before)
        before.append(registration)
        groups.setdefault((*base, number), (found, []))[1].append(registration)
    for found, registrations in groups.values():
        same = found.tool.registrations == tuple(registrations)
        yield found if same else Found(replace(found.tool, registrations=tuple(registrations)), found.value)


def _variant(found: Found) -> object:
    """What tells tools of one function apart: the call's own text for partials and factories."""
    match found.value:
        case Called(callee=External(name="functools.partial"), call=call):
            return ast.unparse(call)
    return None
