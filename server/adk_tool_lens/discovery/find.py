"""Finds the agents of a module and what their `tools` are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from adk_tool_lens.discovery.additions import additions
from adk_tool_lens.discovery.agents import SPREAD, Creation, describe, list_value
from adk_tool_lens.discovery.classify import FUNCTION_TOOLS, Found, classify, wrapped_function
from adk_tool_lens.discovery.elements import with_facts
from adk_tool_lens.discovery.evaluate import World, evaluate
from adk_tool_lens.discovery.factories import Made, in_steps, made_at
from adk_tool_lens.discovery.members import members
from adk_tool_lens.discovery.merge import Discovery, completed, identity_of, listed, merged, together
from adk_tool_lens.discovery.model import Agent, Entry, EntryKind, Registration
from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.discovery.plugins import plugins
from adk_tool_lens.discovery.sites import Site, sites
from adk_tool_lens.discovery.values import Called, Either, Instance, Item, Sequence, Unknown, Value
from adk_tool_lens.project.survey import speaks

__all__ = [
    "FUNCTION_TOOLS",
    "Discovery",
    "Found",
    "completed",
    "discover",
    "listed",
    "together",
    "wrapped_function",
]

Use = tuple[Found, Registration]


def discover(module: Module, world: World) -> Discovery:
    """All agents that a module creates and all tools that it registers or wraps."""
    if not speaks(module.text):
        return Discovery((), ())
    agents: list[tuple[Made, Agent]] = []
    uses: list[Use] = []
    wrapped: list[Use] = []
    for site in sites(module):
        made = list(made_at(site, world))
        if not made and site.direct:
            wrapped.extend(use for each in in_steps(site, world) for use in _wrapped(each, world))
        for each in made:
            agent, found = _agent(each, world)
            agents.append((each, agent))
            uses.extend(found)
    added, later = _additions(module, [agent for _, agent in agents], world)
    uses.extend(later)
    registered = {identity_of(found) for found, _ in uses}
    rest = [use for use in wrapped if identity_of(use[0]) not in registered]
    own = completed(tuple(_known(agents)), added)
    return Discovery(own, tuple(merged([*uses, *rest])), tuple(plugins(module, world)), added)


def _additions(
    module: Module, agents: list[Agent], world: World
) -> tuple[tuple[tuple[Place, Entry], ...], list[Use]]:
    """What is added to agents after they were made, beside what belongs to the agents' own entries."""
    known = {(agent.whole, entry.place) for agent in agents for entry in agent.entries}
    found: list[tuple[Place, Entry]] = []
    uses: list[Use] = []
    for each in additions(module, world):
        label = each.agent.name or each.agent.variable if each.agent is not None else None
        whole = each.agent.whole if each.agent is not None else None
        entries, own = _entries(each.value, label, whole, world)
        if whole is not None:
            fresh = [entry for entry in entries if (whole, entry.place) not in known]
            found += [(whole, replace(e, conditional=e.conditional or not each.sure)) for e in fresh]
            own = [use for use in own if (whole, use[1].place) not in known]
        uses += own
    return tuple(found), uses


def _known(agents: list[tuple[Made, Agent]]) -> Iterator[Agent]:
    """The agents, without a factory's own view of what its callers decide where such a caller is there."""
    called = {agent.whole for made, agent in agents if made.by_call}
    for made, agent in agents:
        undecided = agent.gaps and not agent.entries
        if made.by_call or not undecided or agent.whole not in called:
            yield agent


def _agent(made: Made, world: World) -> tuple[Agent, list[Use]]:
    creation = Creation(made.call, made.scope, made.variable)
    agent = describe(creation, made.kind, world)
    value = list_value("tools", creation, world)
    if value is None and made.default_tools is not None:
        value = made.default_tools
    if made.outer is not None:
        agent = replace(agent, place=made.outer[0], whole=made.outer[1])
    label = agent.name or (made.variable if made.scope.node is None else None)
    entries, uses = _entries(value, label, agent.whole, world)
    gaps = tuple(_gaps(value)) if value is not None else tuple(_hidden(agent))
    return replace(agent, entries=tuple(entries), gaps=gaps), uses


def _hidden(agent: Agent) -> Iterator[tuple[Place | None, str]]:
    """The reason why an agent without `tools` may have some: `Agent(**settings)`."""
    given = agent.keyword(SPREAD)
    if given is not None:
        text = " ".join(given.value.text.split())
        yield given.place, f"`**{text}` may hold some, and what it holds is only known when the code runs"


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
    value: Value | None, agent: str | None, whole: Place | None, world: World
) -> tuple[list[Entry], list[Use]]:
    entries: dict[tuple[object, ...], Entry] = {}
    uses: list[Use] = []
    for member in members(value, world):
        entry, found = classify(member.value, member.item, world)
        entry = with_facts(entry, member, world)
        key = _sameness(entry, found)
        if key in entries:
            continue
        entries[key] = entry
        if found is not None:
            place = member.item.scope.place(member.item.node)
            uses.append((found, Registration(place, agent, whole, member.conditional)))
    return list(entries.values()), uses


def _sameness(entry: Entry, found: Found | None) -> tuple[object, ...]:
    """What makes two elements one: the same thing from the same place of the text."""
    what: object = entry.name if found is None else (identity_of(found), found.tool.wrapper)
    return what, entry.kind, entry.place


def _wrapped(site: Site, world: World) -> Iterator[tuple[Found, Registration]]:
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
