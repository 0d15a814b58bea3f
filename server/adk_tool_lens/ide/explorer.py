"""Agents with their tools, as a tree to walk through."""

from __future__ import annotations

from dataclasses import dataclass

from adk_tool_lens.declaration.model import Refused, Unavailable
from adk_tool_lens.declaration.stub import NotBuilt
from adk_tool_lens.discovery.model import Agent, Entry, EntryKind
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.ide.agents import shortened
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.ide.lenses import problems_in, tokens_of
from adk_tool_lens.ide.subjects import keyed, name_of, reports_of


@dataclass(frozen=True)
class ToolItem:
    """One tool of an agent."""

    name: str
    kind: str
    """What the element is (`EntryKind`)."""
    place: Place
    """Where it is defined, else where it is listed."""
    detail: str = ""
    """Why it is not known or has no declaration."""
    tokens: int | None = None
    problems: int = 0
    subject: str = ""
    """Its key, when there is something to preview."""


@dataclass(frozen=True)
class AgentItem:
    """One agent."""

    name: str
    kind: str
    model: str
    place: Place
    subject: str
    tools: tuple[ToolItem, ...]
    gaps: tuple[str, ...]
    """Why there may be more tools than these."""
    sub_agents: tuple[str, ...]
    tokens: int
    problems: int


def outline(analysis: Analysis) -> tuple[AgentItem, ...]:
    """The agents that a document creates, in the order they are written."""
    keys = {id(subject): key for key, subject in keyed(analysis)}
    return tuple(_agent(analysis, agent, keys) for agent in analysis.agents)


def _agent(analysis: Analysis, agent: Agent, keys: dict[int, str]) -> AgentItem:
    tools = tuple(_tool(analysis, entry, report, keys) for entry, report in reports_of(analysis, agent))
    return AgentItem(
        name_of(agent),
        agent.kind.rpartition(".")[2],
        agent.model_name or "",
        agent.place,
        keys.get(id(agent), ""),
        tools,
        tuple(reason for _, reason in agent.gaps),
        tuple(name_of(member) for member in agent.sub_agents),
        sum(tool.tokens or 0 for tool in tools),
        problems_in(analysis, agent.whole) + sum(tool.problems for tool in tools),
    )


def _tool(analysis: Analysis, entry: Entry, report: ToolReport | None, keys: dict[int, str]) -> ToolItem:
    if report is None:
        detail = entry.reason if entry.kind is EntryKind.UNKNOWN else ""
        return ToolItem(shortened(entry.name), entry.kind.value, entry.place, detail)
    return ToolItem(
        report.tool.name,
        entry.kind.value,
        report.tool.place,
        _detail(report),
        tokens_of(report),
        problems_in(analysis, report.tool.whole),
        keys.get(id(report), ""),
    )


def _detail(report: ToolReport) -> str:
    match report.answer:
        case Refused(type=kind, message=message):
            return f"google-adk cannot declare it: {kind}: {shortened(message, 200)}"
        case Unavailable(reason=reason) | NotBuilt(reason=reason):
            return reason
    return "; ".join(f"approximate because {a.reason}" for a in report.approximations)
