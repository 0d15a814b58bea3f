"""The card over a tool's name: what it is, and the exact JSON that the model gets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from adk_tool_lens.declaration.model import Backend, Declared, Provider, Refused, Unavailable
from adk_tool_lens.declaration.stub import NotBuilt
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.ide.agents import agent_card
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.ide.forms import PROVIDERS, Peek, own_form
from adk_tool_lens.ide.markdown import code, prose
from adk_tool_lens.ide.tokens import estimate, over_budget
from adk_tool_lens.source.cells import placed
from adk_tool_lens.source.text import Span

LONG = 400
"""Descriptions of more characters are shown as text, where they wrap, and shortened in the JSON."""
BACKENDS = {Backend.GEMINI: "Gemini API", Backend.VERTEX: "Vertex AI"}


@dataclass(frozen=True)
class Hover:
    """Markdown, and the range it is about as offsets into the file."""

    markdown: str
    span: Span


def hover(analysis: Analysis, offset: int, peek: Peek = lambda _request: None) -> Hover | None:
    """The card for what stands at an offset: a tool's name at its `def` or in `tools=[...]`."""
    for report, span in spans(analysis):
        if span.contains(offset):
            return Hover(card(report, analysis, peek), span)
    for agent in analysis.agents:
        if agent.place.block in analysis.module.starts:
            span = analysis.module.absolute(agent.place)
            if span.contains(offset):
                return Hover(agent_card(agent, analysis), span)
    return None


def spans(analysis: Analysis) -> Iterator[tuple[ToolReport, Span]]:
    """Every place of the document that names a tool."""
    starts = analysis.module.starts
    for report in (*analysis.reports, *analysis.foreign):
        if report.tool.place.block in starts:
            yield report, analysis.module.absolute(report.tool.place)
        for registration in report.tool.registrations:
            if registration.place.block in starts:
                yield report, analysis.module.absolute(registration.place)


def card(report: ToolReport, analysis: Analysis, peek: Peek = lambda _request: None) -> str:
    """The Markdown of one tool, in the form of its agents' model where that is known."""
    parts = [_heading(report, analysis)]
    match report.answer:
        case Declared(declaration=None):
            parts.append("google-adk sends no declaration for this tool.")
        case Declared(declaration=declaration) if declaration is not None:
            parts += _declaration(dict(declaration), *own_form(analysis, report, peek))
        case Refused(type=kind, message=message):
            parts.append(
                f"google-adk cannot build its declaration:\n\n{fenced(f'{kind}: {message[:1500]}', 'text')}"
            )
        case Unavailable(reason=reason) | NotBuilt(reason=reason):
            parts.append(f"No preview: {prose(reason)}")
        case None:
            parts.append("The declaration is being built ...")
    parts += [f"⚠ approximate because {prose(a.reason)}" for a in report.approximations]
    parts += _untold(report, analysis)
    return "\n\n".join(parts)


def _heading(report: ToolReport, analysis: Analysis) -> str:
    places: dict[str, Place | None] = {}
    for each in report.tool.registrations:
        if each.agent:
            places.setdefault(each.agent, each.agent_place)
    names = ", ".join(_agent_link(agent, place, analysis) for agent, place in places.items())
    used = f"used by agent {names}" if names else "tool"
    facts = analysis.facts
    parts = [f"**{prose(report.tool.name)}**", used]
    if facts.adk:
        parts.append(f"google-adk {facts.adk}")
    parts.append(BACKENDS[facts.backend])
    if isinstance(report.answer, Declared) and report.answer.declaration is not None:
        tokens, budget = estimate(report.answer.declaration), facts.settings.token_budget
        parts.append(f"about {tokens} tokens in every request{over_budget(tokens, budget)}")
    return " · ".join(parts)


def _agent_link(name: str, place: Place | None, analysis: Analysis) -> str:
    """An agent's name, leading to where the agent is made when that file is at hand."""
    shown = code(name)
    if place is None or place.path is None or not place.path.is_absolute():
        return shown
    own = place.block in analysis.module.starts
    module = analysis.module if own else analysis.world.module_at(place.path) if analysis.world else None
    if module is None or place.block not in module.starts:
        return shown
    cell, line, _ = placed(module.source, module.absolute(place).start)
    if cell is not None:  # only editors can name the cells of a notebook
        return f"{shown} (cell {cell})"
    return f"[{shown}]({place.path.as_uri()}#L{line + 1})"


def _declaration(
    declaration: dict[str, object], provider: Provider, form: Mapping[str, object] | None, missing: str | None
) -> list[str]:
    description = str(declaration.get("description") or "")
    shown = json.dumps(form or declaration, indent=2, ensure_ascii=False)
    parts = []
    if len(description) > LONG:
        parts.append(f"The description as the model reads it:\n\n{fenced(description, 'text')}")
        short = f"{description[:60]}… ({len(description)} characters, in full above)"
        shown = shown.replace(_quoted(description), _quoted(short))
    whose = f", {PROVIDERS[provider]}" if form is not None else ""
    parts.append(f"What the model gets{whose}:\n\n{fenced(shown, 'json')}")
    if missing is not None:
        parts.append(f"This is google-adk's own form: {prose(missing)}")
    return parts


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def fenced(text: str, language: str) -> str:
    """A code block whose fence is longer than any run of backticks in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"


def _untold(report: ToolReport, analysis: Analysis) -> list[str]:
    """What the model is not told, from the findings of this tool."""
    own = report.tool.whole.block
    lines = [
        f"- {prose(f.message)}"
        for f in analysis.findings
        if f.tool == report.tool.name and f.place.block is own
    ]
    return ["---", "\n".join(dict.fromkeys(lines))] if lines else []
