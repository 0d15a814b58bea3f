"""Code actions: repairs of findings, and all that can be repaired at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from adk_tool_lens.fixes import move_description
from adk_tool_lens.fixes.catalogue import repair
from adk_tool_lens.fixes.model import PlacedEdit, Repair
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.rules.model import Finding
from adk_tool_lens.source.edits import Edit, OverlapError, apply, overlap
from adk_tool_lens.source.text import Span


@dataclass(frozen=True)
class Action:
    """An edit of one or more files under a title."""

    title: str
    edits: dict[Path | None, tuple[Edit, ...]]
    safe: bool
    preferred: bool = False
    finding: Finding | None = None


def actions(analysis: Analysis, span: Span) -> list[Action]:
    """What can be done about the findings that touch a range."""
    found: list[Action] = []
    touched = [f for f in analysis.findings if _touches(analysis, f, span)]
    for finding in touched:
        found += _of_finding(analysis, finding)
    found += _whole_tools(analysis, touched)
    return _without_doubles(found)


def _touches(analysis: Analysis, finding: Finding, span: Span) -> bool:
    if finding.place.block not in analysis.module.starts:
        return False
    own = analysis.module.absolute(finding.place)
    return own.start <= span.end and span.start <= own.end


def _of_finding(analysis: Analysis, finding: Finding) -> Iterator[Action]:
    for index, fix in enumerate(finding.fixes):
        report = report_of(analysis, finding)
        made = repair(fix, analysis.view(report)) if report is not None else None
        if made is not None:
            yield action(analysis, made, preferred=index == 0, finding=finding)


def report_of(analysis: Analysis, finding: Finding) -> ToolReport | None:
    """The tool that a finding is about."""
    return next(
        (
            report
            for report in analysis.reports
            if report.tool.name == finding.tool
            and (report.tool.whole.block is finding.place.block)
            and report.tool.whole.span.start <= finding.place.span.start <= report.tool.whole.span.end
        ),
        None,
    )


def _whole_tools(analysis: Analysis, touched: Iterable[Finding]) -> Iterator[Action]:
    """One action for all descriptions of a tool, where several are lost."""
    for report in dict.fromkeys(filter(None, (report_of(analysis, f) for f in touched))):
        lost = _lost(analysis, report)
        if len(lost) > 1:
            made = move_description.repair(analysis.view(report), lost)
            if made is not None:
                yield action(analysis, made)


def _lost(analysis: Analysis, report: ToolReport) -> tuple[str, ...]:
    names = [
        fix.arguments[0]
        for finding in analysis.findings
        if report_of(analysis, finding) is report
        for fix in finding.fixes
        if fix.kind == "move-description"
    ]
    return tuple(dict.fromkeys(names))


def action(
    analysis: Analysis, made: Repair, *, preferred: bool = False, finding: Finding | None = None
) -> Action:
    """A repair with its edits as offsets into files."""
    return Action(
        made.title, {analysis.module.path: _absolute(analysis, made.edits)}, made.safe, preferred, finding
    )


def _absolute(analysis: Analysis, edits: Iterable[PlacedEdit]) -> tuple[Edit, ...]:
    spans = ((analysis.module.absolute(edit.place), edit.text) for edit in edits)
    return tuple(sorted(Edit(span.start, span.end, text) for span, text in spans))


def _without_doubles(found: list[Action]) -> list[Action]:
    seen: set[tuple[str, str]] = set()
    unique = []
    for each in found:
        key = (each.title, repr(each.edits))
        if key not in seen:
            seen.add(key)
            unique.append(each)
    return unique


def fix_all(analysis: Analysis, *, unsafe: bool = False) -> tuple[Edit, ...]:
    """Edits of this document that repair all that can be repaired at once without overlapping."""
    chosen: list[Edit] = []
    handled: set[int] = set()
    for finding in analysis.findings:
        report = report_of(analysis, finding)
        if report is None or not finding.fixes or id(report) in handled:
            continue
        lost = _lost(analysis, report)
        made = (
            move_description.repair(analysis.view(report), lost)
            if lost
            else repair(finding.fixes[0], analysis.view(report))
        )
        if made is None or not (made.safe or unsafe):
            continue
        edits = _absolute(analysis, made.edits)
        if not overlap(edits, chosen):
            chosen += edits
            handled.add(id(report))
    return tuple(sorted(set(chosen)))


def fixed_text(analysis: Analysis, *, unsafe: bool = False) -> str:
    """The document's text after `fix_all`.

    Raises:
        OverlapError: never, as overlapping edits are left for the next round.
    """
    return apply(analysis.module.text, fix_all(analysis, unsafe=unsafe))


__all__ = ["Action", "OverlapError", "action", "actions", "fix_all", "fixed_text", "report_of"]
