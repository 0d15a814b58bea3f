"""What stands between the lines of code: a lens above each tool and agent, and marks in signatures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adk_tool_lens.declaration.model import Declared, Refused
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.ide.subjects import Subject, keyed, reports_of
from adk_tool_lens.ide.tokens import estimate, over_budget
from adk_tool_lens.source.text import Span

SEES = "what the model sees"
UNTOLD = "the model is told nothing about it"


@dataclass(frozen=True)
class Lens:
    """A line above a tool or agent; choosing it opens the preview of `subject`."""

    span: Span
    title: str
    subject: str


@dataclass(frozen=True)
class Hint:
    """A mark behind a parameter."""

    offset: int
    label: str
    explanation: str


def lenses(analysis: Analysis) -> Iterator[Lens]:
    """The lenses of a document: its tools at their `def`, its agents at their call."""
    seen: set[Place] = set()
    for key, subject in keyed(analysis):
        place = subject.tool.place if isinstance(subject, ToolReport) else subject.place
        if place.block in analysis.module.starts and place not in seen:
            seen.add(place)
            title = " · ".join([*_figures(analysis, subject), SEES])
            yield Lens(analysis.module.absolute(place), title, key)


def _figures(analysis: Analysis, subject: Subject) -> Iterator[str]:
    if isinstance(subject, ToolReport):
        whole = subject.tool.whole
        yield from _size(subject, analysis.facts.settings.token_budget)
    else:
        whole = subject.whole
        most = analysis.facts.settings.max_tools
        number = len(subject.entries)
        yield counted(number, "tool") + (f" (more than {most})" if number > most else "")
        tokens = sum(tokens_of(report) or 0 for _, report in reports_of(analysis, subject))
        if tokens:
            yield f"about {tokens} tokens"
    problems = problems_in(analysis, whole)
    if problems:
        yield counted(problems, "problem")


def _size(report: ToolReport, budget: int) -> Iterator[str]:
    tokens = tokens_of(report)
    if tokens is not None:
        approximately = " (approximate)" if report.approximations else ""
        yield f"about {tokens} tokens{approximately}{over_budget(tokens, budget)}"
    elif isinstance(report.answer, Refused):
        yield "google-adk cannot declare it"
    elif isinstance(report.answer, Declared):
        yield "no declaration"


def tokens_of(report: ToolReport | None) -> int | None:
    """What a tool's declaration costs; None while there is none."""
    if report is None or not isinstance(report.answer, Declared) or report.answer.declaration is None:
        return None
    return estimate(report.answer.declaration)


def problems_in(analysis: Analysis, whole: Place) -> int:
    """How many findings lie in the text of a tool or agent."""
    return sum(1 for finding in analysis.findings if finding.place.within(whole))


def counted(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def hints(analysis: Analysis, span: Span) -> Iterator[Hint]:
    """Marks behind the parameters in a range that the model is sent without a word about them."""
    for report in analysis.reports:
        if report.stale or not isinstance(report.answer, Declared):
            continue
        view = analysis.view(report)
        for parameter in view.parameters:
            if parameter.whole.block not in analysis.module.starts or view.reads_about(parameter.name):
                continue
            end = analysis.module.absolute(parameter.whole).end
            if span.start <= end <= span.end:
                explanation = (
                    f"Neither the schema nor the description of {report.tool.name} says anything about "
                    f"{parameter.name}: describe it in the docstring's Args."
                )
                yield Hint(end, UNTOLD, explanation)
