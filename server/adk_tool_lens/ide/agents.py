"""What is shown of an agent: its tools in order, with what cannot be told of them."""

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.declaration.model import Declared, Refused
from adk_tool_lens.discovery.model import Agent, Entry, EntryKind
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.ide.markdown import code, prose
from adk_tool_lens.ide.tokens import estimate


def agent_card(agent: Agent, analysis: Analysis) -> str:
    """The Markdown of one agent: its tools in order."""
    name = agent.name or agent.variable
    heading = [
        f"**{prose(name)}**" if name else "**an agent without a known name**",
        agent.kind.rpartition(".")[2],
    ]
    if agent.model_name:
        heading.append(f"model {code(agent.model_name)}")
    reports = {(r.tool.whole, r.tool.wrapper): r for r in (*analysis.reports, *analysis.foreign)}
    rows = [_row(entry, reports) for entry in agent.entries]
    total = sum(_tokens(entry, reports) for entry in agent.entries)
    if total:
        heading.append(f"its tools take about {total} tokens in every request")
    parts = [" · ".join(heading)]
    parts.append(
        "\n".join(f"{n}. {row}" for n, row in enumerate(rows, 1)) if rows else "It has no known tools."
    )
    parts += [f"⚠ some tools are not known: {prose(reason)}" for _, reason in agent.gaps]
    if agent.sub_agents:
        members = ", ".join(code(member.name or member.variable or "?") for member in agent.sub_agents)
        parts.append(f"Sub-agents: {members}")
    return "\n\n".join(parts)


def _row(entry: Entry, reports: dict[tuple[Place, str | None], ToolReport]) -> str:
    text = f"{code(shortened(entry.name))} · {entry.kind.value}"
    tokens = _tokens(entry, reports)
    if tokens:
        text += f" · about {tokens} tokens"
    report = _report(entry, reports)
    if report is not None and isinstance(report.answer, Refused):
        text += " · google-adk cannot build its declaration"
    if entry.kind is EntryKind.UNKNOWN:
        text += f": {prose(entry.reason)}"
    return f"{text} (under a condition)" if entry.conditional else text


def _report(entry: Entry, reports: dict[tuple[Place, str | None], ToolReport]) -> ToolReport | None:
    return reports.get((entry.tool.whole, entry.tool.wrapper)) if entry.tool is not None else None


def _tokens(entry: Entry, reports: dict[tuple[Place, str | None], ToolReport]) -> int:
    report = _report(entry, reports)
    if report is None or not isinstance(report.answer, Declared) or report.answer.declaration is None:
        return 0
    return estimate(report.answer.declaration)


def unknown_tools(agent: Agent) -> Iterator[tuple[Place | None, str]]:
    """The parts of an agent's tools that cannot be told from the text, each with the reason."""
    for entry in agent.entries:
        if entry.kind is EntryKind.UNKNOWN:
            yield entry.place, f"`{shortened(entry.name)}` is not known: {entry.reason}"
    for place, reason in agent.gaps:
        yield place, f"some are not known: {reason}"


def shortened(text: str, most: int = 60) -> str:
    """A text on one line, cut where it gets too long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
