"""What a view can be about: a tool or an agent, found by place or by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from adk_tool_lens.discovery.model import Agent, Entry
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.ide.hover import spans
from adk_tool_lens.source.text import Span

Subject: TypeAlias = ToolReport | Agent


def subject_at(analysis: Analysis, offset: int) -> Subject | None:
    """The tool or agent at an offset: what is named there, else the innermost one around it."""
    named = [(report, span) for report, span in spans(analysis) if span.contains(offset)]
    around: list[tuple[Subject, Span]] = [*named]
    if not named:
        around = [(each, span) for each, span in _wholes(analysis) if span.contains(offset)]
    found = min(around, key=lambda pair: pair[1].end - pair[1].start, default=None)
    return found[0] if found is not None else None


def _wholes(analysis: Analysis) -> Iterator[tuple[Subject, Span]]:
    for each in subjects(analysis):
        whole = each.tool.whole if isinstance(each, ToolReport) else each.whole
        if whole.block in analysis.module.starts:
            yield each, analysis.module.absolute(whole)


def subjects(analysis: Analysis) -> Iterator[Subject]:
    """All tools and agents that a document defines or registers."""
    yield from analysis.reports
    yield from analysis.foreign
    yield from analysis.agents


def key_of(analysis: Analysis, subject: Subject) -> str:
    """A name for a tool or agent that stays the same while the text around it is edited."""
    return next((key for key, each in keyed(analysis) if each is subject), "")


def subject_named(analysis: Analysis, key: str) -> Subject | None:
    """The tool or agent that has a key; None when there is none any more."""
    return next((each for own, each in keyed(analysis) if own == key), None)


def keyed(analysis: Analysis) -> Iterator[tuple[str, Subject]]:
    """Every tool and agent with its key: the second one of a name has a number."""
    seen: dict[str, int] = {}
    for each in subjects(analysis):
        if isinstance(each, ToolReport):
            name = f"tool:{each.tool.qualname}"
        else:
            name = f"agent:{each.name or each.variable or ''}"
        seen[name] = count = seen.get(name, 0) + 1
        yield (name if count == 1 else f"{name}#{count}"), each


def reports_of(analysis: Analysis, agent: Agent) -> Iterator[tuple[Entry, ToolReport | None]]:
    """An agent's tools in order; the report of those whose text is known."""
    every = (*analysis.reports, *analysis.foreign)
    reports = {(report.tool.whole, report.tool.wrapper): report for report in every}
    for entry in agent.entries:
        tool = entry.tool
        yield entry, reports.get((tool.whole, tool.wrapper)) if tool is not None else None


def name_of(agent: Agent) -> str:
    """What an agent is called for people."""
    return agent.name or agent.variable or "an agent without a known name"
