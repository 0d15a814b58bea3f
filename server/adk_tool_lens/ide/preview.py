"""The preview beside the code: the exact JSON of one tool, or all that one agent sends.

Everything is a function of an analysis and of answers: a caller asks `questions`, gets them answered by
the google-adk that it wants to know of, and hands them to `preview`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from adk_tool_lens.declaration.model import (
    Answer,
    Backend,
    Declared,
    Provider,
    Refused,
    Request,
    Unavailable,
)
from adk_tool_lens.declaration.stub import NotBuilt
from adk_tool_lens.declaration.tokens import estimate, estimate_text
from adk_tool_lens.discovery.model import Agent, Entry, EntryKind
from adk_tool_lens.ide.agents import shortened
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.ide.forms import PROVIDERS, missing_converter
from adk_tool_lens.ide.hover import BACKENDS, fenced
from adk_tool_lens.ide.subjects import Subject, key_of, name_of, reports_of

_KINDS = {
    EntryKind.BUILT_IN: "built into the model's API, which describes it itself",
    EntryKind.TOOLSET: "a toolset: its tools are known when the agent runs",
    EntryKind.AGENT: "another agent as a tool: google-adk declares it from that agent's description",
    EntryKind.CUSTOM: "makes its own declaration when the agent runs",
    EntryKind.CLASS: "a class where an object of it was meant",
    EntryKind.NOT_A_TOOL: "no tool: google-adk refuses it",
    EntryKind.FUNCTION: "a function whose text cannot be reached",
}

Answers = Mapping[Request, Answer]


@dataclass(frozen=True)
class Choice:
    """For which back end, and in whose form, a preview is made."""

    backend: Backend = Backend.GEMINI
    provider: Provider = Provider.ADK

    def of(self, request: Request) -> Request:
        """The same question under this choice."""
        return replace(request, backend=self.backend, provider=self.provider)


@dataclass(frozen=True)
class Preview:
    """A read-only text about one tool or agent."""

    title: str
    """What it is about, and by which google-adk, back end and form."""
    language: str
    """`json` for a tool's declaration, exactly; `markdown` for an agent and where there is no declaration."""
    text: str
    subject: str
    """The key of the tool or agent (`subjects.key_of`)."""
    notes: tuple[str, ...] = ()
    """What a reader must know of a JSON text, which has no room for it: why it is approximate."""
    tokens: int = 0
    choice: Choice = Choice()
    detail: str = ""
    """By which google-adk, back end and form, in short: for a narrow line above the text."""
    missing: str | None = None
    """Why there is nothing in the provider's form."""
    json: str | None = None
    """The declaration, or for an agent the list of all that are known, for the clipboard."""


@dataclass(frozen=True)
class Marks:
    """How one text differs from an earlier one; lines of the new text, from zero."""

    changed: tuple[int, ...] = ()
    """Lines that are new or other than before."""
    removed: tuple[int, ...] = ()
    """Lines before which lines are gone."""


def questions(analysis: Analysis, subject: Subject, choice: Choice) -> list[Request]:
    """What must be asked for a preview."""
    reports = [subject] if isinstance(subject, ToolReport) else [r for _, r in reports_of(analysis, subject)]
    asked = (report.request for report in reports if report is not None)
    return list(dict.fromkeys(choice.of(request) for request in asked if request is not None))


def preview(analysis: Analysis, subject: Subject, choice: Choice, answers: Answers) -> Preview:
    """The preview of a tool or agent.

    Args:
        analysis: The document; its `facts` name the google-adk that gave the answers.
        subject: A tool or agent of it.
        choice: The back end and form that were asked for.
        answers: The answers to `questions`.
    """
    if isinstance(subject, ToolReport):
        made = _tool(analysis, subject, choice, answers)
    else:
        made = _agent(analysis, subject, choice, answers)
    reasons = [reason for answer in answers.values() if (reason := missing_converter(answer)) is not None]
    missing = reasons[0] if reasons else None
    return replace(made, choice=choice, detail=_detail(analysis, choice), missing=missing)


def marks(old: str, new: str) -> Marks:
    """What differs between two texts, line by line."""
    changed: list[int] = []
    removed: list[int] = []
    matcher = SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    for kind, _, _, first, last in matcher.get_opcodes():
        if kind == "delete":
            removed.append(first)
        elif kind != "equal":
            changed += range(first, last)
    return Marks(tuple(changed), tuple(removed))


def _asked_of(analysis: Analysis, choice: Choice) -> str:
    version = f"google-adk {analysis.facts.adk}" if analysis.facts.adk else "no google-adk"
    return " · ".join([version, BACKENDS[choice.backend], PROVIDERS[choice.provider]])


def _detail(analysis: Analysis, choice: Choice) -> str:
    parts = [f"ADK {analysis.facts.adk}" if analysis.facts.adk else "no google-adk", BACKENDS[choice.backend]]
    if choice.provider is not Provider.ADK:
        parts.append(PROVIDERS[choice.provider])
    return " · ".join(parts)


def _answer(report: ToolReport, choice: Choice, answers: Answers) -> Answer | NotBuilt | None:
    return report.answer if report.request is None else answers.get(choice.of(report.request))


def _shown(answer: Answer | NotBuilt | None, choice: Choice) -> Mapping[str, object] | None:
    if not isinstance(answer, Declared):
        return None
    return answer.declaration if choice.provider is Provider.ADK else answer.provider_form


def as_json(declaration: Mapping[str, object] | list[Mapping[str, object]]) -> str:
    """Declarations as they are shown everywhere: its own order, two blanks, every character itself."""
    return json.dumps(declaration, indent=2, ensure_ascii=False)


def _without(answer: Answer | NotBuilt | None) -> str:
    """Why there is no declaration."""
    match answer:
        case Refused(type=kind, message=message):
            return f"google-adk cannot build the declaration:\n\n{fenced(f'{kind}: {message}', 'text')}"
        case Unavailable(reason=reason) | NotBuilt(reason=reason):
            return f"There is no preview: {reason}"
        case Declared():
            return "google-adk sends no declaration for this tool."
        case None:
            return "The declaration is being built."


# ---------------------------------------------------------------- a tool


def _tool(analysis: Analysis, report: ToolReport, choice: Choice, answers: Answers) -> Preview:
    answer = _answer(report, choice, answers)
    declaration = _shown(answer, choice)
    title = f"{report.tool.name} · {_asked_of(analysis, choice)}"
    key = key_of(analysis, report)
    if declaration is None:
        text = f"# {report.tool.name}\n\n{_without(answer)}\n"
        return Preview(title, "markdown", text, key, _notes(report))
    text = as_json(declaration)
    return Preview(title, "json", text, key, _notes(report), estimate(declaration), json=text)


def _notes(report: ToolReport) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"approximate because {a.reason}" for a in report.approximations))


# ---------------------------------------------------------------- an agent


def _agent(analysis: Analysis, agent: Agent, choice: Choice, answers: Answers) -> Preview:
    tools = [(e, r, _answer(r, choice, answers) if r else None) for e, r in reports_of(analysis, agent)]
    counts = [_tokens(answer, choice) for _, _, answer in tools]
    spoken = _spoken(agent)
    words = sum(estimate_text(text) for _, text, known in spoken if known)
    total = sum(counts) + words
    parts = [f"# {name_of(agent)}", _facts(agent)]
    for heading, text, known in spoken:
        size = f": about {estimate_text(text)} tokens" if known else ""
        parts += [f"## {heading}{size}", fenced(text, "text") if known else text]
    parts.append(f"## Tools: about {sum(counts)} tokens in every request" if tools else "## No known tools")
    lines = [f"{n}. {_line(*tool, choice)}" for n, tool in enumerate(tools, 1)]
    lines += [f"{len(lines) + 1}. not known: {reason}" for _, reason in agent.gaps]
    parts += ["\n".join(lines)] if lines else []
    parts += _others(agent)
    parts += [_section(n, *tool, choice) for n, tool in enumerate(tools, 1) if tool[1] is not None]
    title = f"{name_of(agent)} · {_asked_of(analysis, choice)}"
    text = "\n\n".join(part for part in parts if part)
    shown = [d for _, _, answer in tools if (d := _shown(answer, choice)) is not None]
    return Preview(title, "markdown", f"{text}\n", key_of(analysis, agent), (), total, json=as_json(shown))


def _facts(agent: Agent) -> str:
    facts = [agent.kind.rpartition(".")[2]]
    if agent.model_name or agent.model:
        facts.append(f"model `{agent.model_name or (agent.model.text if agent.model else '')}`")
    return " · ".join(facts)


def _spoken(agent: Agent) -> list[tuple[str, str, bool]]:
    """The texts that an agent sends: heading, text, and whether the text is the one that is sent."""
    found = []
    for name, heading in (("global_instruction", "Global instruction"), ("instruction", "Instruction")):
        given = agent.keyword(name)
        literal = agent.instruction if name == "instruction" else None
        if literal is None and given is not None and isinstance(given.literal, str):
            literal = given.literal
        if literal is not None:
            found.append((heading, literal, True))
        elif given is not None:
            reason = f"Not known without running the code: `{shortened(given.value.text)}`"
            found.append((heading, reason, False))
    return found


def _tokens(answer: Answer | NotBuilt | None, choice: Choice) -> int:
    declaration = _shown(answer, choice)
    return estimate(declaration) if declaration is not None else 0


def _line(entry: Entry, report: ToolReport | None, answer: Answer | NotBuilt | None, choice: Choice) -> str:
    parts = [f"`{shortened(report.tool.name if report else entry.name)}`"]
    tokens = _tokens(answer, choice)
    if tokens:
        parts.append(f"about {tokens} tokens")
    elif entry.kind is EntryKind.UNKNOWN:
        parts.append(f"not known: {entry.reason}")
    elif report is None:
        parts.append(_KINDS[entry.kind])
    elif isinstance(answer, Refused):
        parts.append("google-adk cannot build its declaration")
    else:
        parts.append("no declaration")
    if entry.conditional:
        parts.append("only under a condition")
    return " · ".join(parts)


def _section(
    number: int, _entry: Entry, report: ToolReport | None, answer: Answer | NotBuilt | None, choice: Choice
) -> str:
    if report is None:
        return ""
    declaration = _shown(answer, choice)
    body = fenced(as_json(declaration), "json") if declaration is not None else _without(answer)
    notes = [f"⚠ {note}" for note in _notes(report)]
    return "\n\n".join([f"### {number}. {report.tool.name}", *notes, body])


def _others(agent: Agent) -> Iterator[str]:
    if agent.sub_agents:
        members = ", ".join(f"`{name_of(member)}`" for member in agent.sub_agents)
        yield f"## Sub-agents: {members}"
        yield ("When it runs, google-adk adds the tool `transfer_to_agent` and text that names these agents.")
