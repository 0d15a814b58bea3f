"""What can be done with descriptions at a place although nothing is wrong there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.fixes import catalogue
from adk_tool_lens.ide.actions import PLAIN, Action, Context, action, case_of
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.rules.model import Fix
from adk_tool_lens.source.text import Span

KINDS = (
    "move-description",
    "describe-in-field",
    "document-bounds",
    "document-model-fields",
    "order-entries",
)
"""Repairs that are offered wherever they have something to do."""


def at_tool(analysis: Analysis, span: Span) -> bool:
    """Whether a range touches the header or docstring of a tool."""
    return any(_covers(analysis, report, span) for report in analysis.reports)


def refactorings(analysis: Analysis, span: Span, context: Context = PLAIN) -> list[Action]:
    """What is offered for the parameters or the tool at a range."""
    found: list[Action] = []
    for report in analysis.reports:
        if _covers(analysis, report, span):
            for kind in KINDS:
                found += _offers(analysis, report, span, kind, context)
    return found


def _covers(analysis: Analysis, report: ToolReport, span: Span) -> bool:
    """Whether a range touches a tool's header or docstring."""
    whole = report.tool.whole
    if whole.block not in analysis.module.starts:
        return False
    own = analysis.module.absolute(whole)
    layout, text = report.tool.layout, report.tool.docstring
    if layout is None:
        return False
    base = analysis.module.starts[whole.block]
    end = base + layout.header_end
    if text is not None and text.place.block is whole.block:
        end = max(end, base + text.place.span.end)
    return own.start <= span.end and span.start <= end


def _offers(
    analysis: Analysis, report: ToolReport, span: Span, kind: str, context: Context
) -> Iterator[Action]:
    case = replace(case_of(analysis, None, context), view=analysis.view(report))
    at = [p for p in report.tool.parameters if _is_at(analysis, report, p, span)]
    every = tuple(p.name for p in report.tool.parameters)
    chosen: list[tuple[str, ...]] = [(p.name,) for p in at]
    if len(every) > 1 or not at:
        chosen.append(every)
    for names in chosen:
        made = catalogue.repair(Fix(kind, names), case)
        found = action(analysis, made, refactoring=True) if made is not None else None
        if found is not None:
            yield found


def _is_at(analysis: Analysis, report: ToolReport, parameter: Parameter, span: Span) -> bool:
    """Whether a range touches a parameter, or what the docstring says about it."""
    own = analysis.module.absolute(parameter.whole)
    if own.start <= span.end and span.start <= own.end:
        return True
    text = report.tool.docstring
    entry = analysis.view(report).docstring.entry(parameter.name)
    if text is None or entry is None or text.place.block not in analysis.module.starts:
        return False
    literal = analysis.module.absolute(text.place)
    line = analysis.module.source.line_column(span.start)[0]
    first = analysis.module.source.line_column(literal.start)[0]
    top = first + text.value[: entry.span[0]].count("\n")
    return top <= line <= first + text.value[: entry.span[1]].count("\n")
