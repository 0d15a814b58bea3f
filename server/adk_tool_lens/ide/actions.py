"""Code actions: repairs of findings, and all that can be repaired at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from adk_tool_lens.discovery.model import Agent, Plugin
from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.fixes import catalogue
from adk_tool_lens.fixes.catalogue import fixes_of, is_grouped
from adk_tool_lens.fixes.model import Case, FileEdit, PlacedEdit, Repair, Taste
from adk_tool_lens.fixes.unused import removals
from adk_tool_lens.ide.analysis import Analysis, ToolReport, agent_view
from adk_tool_lens.rules.model import AgentView, CallbacksView, Finding, Fix, ToolView
from adk_tool_lens.source.edits import Edit, OverlapError, apply, ordered, overlap
from adk_tool_lens.source.text import Span

Edits = dict[Path | None, tuple[Edit, ...]]


@dataclass(frozen=True)
class Action:
    """An edit of one or more files under a title."""

    title: str
    edits: Edits
    safe: bool
    preferred: bool = False
    finding: Finding | None = None
    snippet: bool = False
    """Whether the edits hold placeholders."""
    modules: dict[Path | None, Module] = field(default_factory=dict)
    """The versions of the Python files that the edits refer to."""
    refactoring: bool = False
    """Whether it answers no finding."""
    creates: frozenset[Path] = frozenset()
    """The files among those edited that are not there yet."""


@dataclass(frozen=True)
class Context:
    """What actions depend on beside the analysis."""

    taste: Taste = field(default_factory=Taste)
    root: Path | None = None
    """The project's folder."""


PLAIN = Context()


def actions(analysis: Analysis, span: Span, context: Context = PLAIN) -> list[Action]:
    """What can be done about the findings that touch a range."""
    found: list[Action] = []
    touched = [f for f in analysis.findings if _touches(analysis, f, span)]
    for finding in touched:
        found += of_finding(analysis, finding, context)
    found += _grouped(analysis, touched, context)
    for finding in touched:
        found += _always(analysis, finding, context)
    return _without_doubles(found)


def _touches(analysis: Analysis, finding: Finding, span: Span) -> bool:
    if finding.place.block not in analysis.module.starts:
        return False
    own = analysis.module.absolute(finding.place)
    return own.start <= span.end and span.start <= own.end


def of_finding(analysis: Analysis, finding: Finding, context: Context = PLAIN) -> Iterator[Action]:
    """The repairs of a finding, the preferred one first."""
    preferred = True
    for _, made in catalogue.repairs(case_of(analysis, finding, context)):
        found = action(analysis, made, preferred=preferred, finding=finding)
        if found is not None:
            yield found
            preferred = False


def _always(analysis: Analysis, finding: Finding, context: Context) -> Iterator[Action]:
    case = case_of(analysis, finding, context)
    for kind in catalogue.ALWAYS:
        made = catalogue.repair(Fix(kind), case)
        found = action(analysis, made, finding=finding) if made is not None else None
        if found is not None:
            yield found


# ---------------------------------------------------------------- what a finding is about


def case_of(analysis: Analysis, finding: Finding | None, context: Context = PLAIN) -> Case:
    """What a repair is told."""
    case = Case(
        analysis.module,
        view=subject_of(analysis, finding) if finding is not None else None,
        agent=agent_of(analysis, finding) if finding is not None else None,
        finding=finding,
        facts=analysis.facts,
        taste=context.taste,
        root=context.root,
    )
    return case if analysis.world is None else replace(case, world=analysis.world)


def subject_of(analysis: Analysis, finding: Finding) -> ToolView | AgentView | CallbacksView | None:
    """The tool, agent or plugin that a finding is about."""
    report = report_of(analysis, finding)
    if report is not None:
        return analysis.view(report)
    agent = agent_of(analysis, finding)
    if agent is not None:
        return agent
    plugins = analysis.discovery.plugins
    plugin = next((p for p in plugins if _is_in_callback(finding.place, p)), None)
    return None if plugin is None else CallbacksView(plugin, analysis.facts)


def agent_of(analysis: Analysis, finding: Finding) -> AgentView | None:
    """The agent whose call, tools or callbacks a finding is in."""
    agent = next((a for a in analysis.agents if _is_about(finding.place, a)), None)
    if agent is None:
        return None
    known = [analysis.view(report) for report in (*analysis.reports, *analysis.foreign)]
    return agent_view(agent, known, analysis.facts)


def _is_about(place: Place, agent: Agent) -> bool:
    """Whether a place is in an agent's call, one of its tools or a function given as a callback."""
    listed = (*(entry.place for entry in agent.entries), *agent.sub_agent_places)
    return place.within(agent.whole) or place in listed or _is_in_callback(place, agent)


def _is_in_callback(place: Place, holder: Agent | Plugin) -> bool:
    functions = (callback.function for callback in holder.callbacks)
    return any(place.within(function.whole) for function in functions if function is not None)


def report_of(analysis: Analysis, finding: Finding) -> ToolReport | None:
    """The tool that a finding is about: the one around it, else the one that is registered there."""
    around = [r for r in analysis.reports if finding.place.within(r.tool.whole)]
    if around:
        return min(around, key=lambda r: (r.tool.name != finding.tool, _length(r.tool.whole)))
    every = (*analysis.reports, *analysis.foreign)
    named = [r for r in every if r.tool.name == finding.tool]
    here = [r for r in named or every if any(finding.place.within(u.place) for u in r.tool.registrations)]
    return next(iter(here or named), None)


def _length(place: Place) -> int:
    return place.span.end - place.span.start


# ---------------------------------------------------------------- several at once


def _grouped(analysis: Analysis, touched: Iterable[Finding], context: Context) -> Iterator[Action]:
    """One action for all parameters of a tool, where the same can be done for several."""
    seen: set[tuple[int, str]] = set()
    for finding in touched:
        report = report_of(analysis, finding)
        for fix in fixes_of(finding) if report is not None else ():
            if not is_grouped(fix.kind) or (id(report), fix.kind) in seen:
                continue
            seen.add((id(report), fix.kind))
            made = _group_repair(analysis, finding, fix, context)
            found = action(analysis, made) if made is not None else None
            if found is not None:
                yield found


def _group_repair(analysis: Analysis, finding: Finding, fix: Fix, context: Context) -> Repair | None:
    names = _group_names(analysis, finding, fix)
    if len(names) < 2:
        return None
    return catalogue.repair(Fix(fix.kind, names), case_of(analysis, finding, context))


def _group_names(analysis: Analysis, finding: Finding, fix: Fix) -> tuple[str, ...]:
    """All parameters that findings of a rule name for a kind of repair of one tool."""
    report = report_of(analysis, finding)
    names: list[str] = []
    for other in analysis.findings:
        if other.rule == finding.rule and report_of(analysis, other) is report:
            names += [n for f in fixes_of(other) if f.kind == fix.kind for n in _names(analysis, other, f)]
    return tuple(dict.fromkeys(names))


def _names(analysis: Analysis, finding: Finding, fix: Fix) -> tuple[str, ...]:
    if fix.arguments:
        return fix.arguments
    return tuple(p.name for p in case_of(analysis, finding).parameters())


def chosen_group(analysis: Analysis, finding: Finding, fix: Fix, context: Context = PLAIN) -> Repair | None:
    """A repair for all parameters that it can be done for, where it can be done for several."""
    return _group_repair(analysis, finding, fix, context) if is_grouped(fix.kind) else None


def chosen_repair(analysis: Analysis, finding: Finding, context: Context, *, unsafe: bool) -> Repair | None:
    """The first repair of a finding that may be applied, for all parameters that it can be done for."""
    case = case_of(analysis, finding, context)
    for fix, made in catalogue.repairs(case):
        if made.safe or unsafe:
            whole = chosen_group(analysis, finding, fix, context)
            return whole if whole is not None and (whole.safe or unsafe) else made
    return None


def fix_all(
    analysis: Analysis, *, unsafe: bool = False, context: Context = PLAIN, only: Iterable[str] = ()
) -> tuple[Edit, ...]:
    """Edits of this document that repair all that can be repaired at once without overlapping.

    Repairs that reach into other files are left out.
    """
    wanted = frozenset(only)
    return merged(
        analysis,
        (
            made
            for finding in analysis.findings
            if not wanted or finding.rule in wanted
            if (made := chosen_repair(analysis, finding, context, unsafe=unsafe)) is not None
        ),
    ).get(analysis.module.path, ())


def merged(analysis: Analysis, repairs: Iterable[Repair]) -> Edits:
    """The edits of as many repairs as go together, of this document only."""
    placed: list[PlacedEdit] = []
    edits: list[Edit] = []
    freed: list[str] = []
    for made in repairs:
        own = _own(analysis, made)
        if own is None:
            continue
        absolute = _absolute(analysis.module, own)
        if not overlap(absolute, edits):
            edits += absolute
            placed += own
            freed += made.freed
    tidy = _absolute(analysis.module, removals(analysis.module, dict.fromkeys(placed), freed))
    if not overlap(tidy, edits):
        edits += tidy
    return {analysis.module.path: ordered(edits)}


def _own(analysis: Analysis, made: Repair) -> list[PlacedEdit] | None:
    own = [e for e in made.edits if isinstance(e, PlacedEdit) and e.place.block in analysis.module.starts]
    return own if len(own) == len(made.edits) else None


# ---------------------------------------------------------------- offsets


def action(
    analysis: Analysis,
    made: Repair,
    *,
    preferred: bool = False,
    finding: Finding | None = None,
    refactoring: bool = False,
) -> Action | None:
    """A repair with its edits as offsets into files; None when a file has changed under it."""
    modules: dict[Path | None, Module] = {}
    edits: dict[Path | None, list[Edit]] = {}
    case = case_of(analysis, None)
    for each in made.edits:
        if isinstance(each, FileEdit):
            edits.setdefault(each.path, []).append(Edit(each.start, each.end, each.text))
            continue
        module = case.module_of(each.place)
        if module is None:
            return None
        modules[module.path] = module
        span = module.absolute(each.place)
        edits.setdefault(module.path, []).append(Edit(span.start, span.end, each.text))
    own = [e for e in made.edits if isinstance(e, PlacedEdit) and e.place.block in analysis.module.starts]
    tidy = removals(analysis.module, own, made.freed)
    edits.setdefault(analysis.module.path, []).extend(_absolute(analysis.module, tidy))
    return Action(
        made.title,
        {path: ordered(parts) for path, parts in edits.items() if parts},
        made.safe,
        preferred,
        finding,
        made.snippet,
        modules,
        refactoring,
        frozenset(each.path for each in made.edits if isinstance(each, FileEdit) and each.create),
    )


def _absolute(module: Module, edits: Iterable[PlacedEdit]) -> tuple[Edit, ...]:
    spans = ((module.absolute(edit.place), edit.text) for edit in edits)
    return ordered(Edit(span.start, span.end, text) for span, text in spans)


def _without_doubles(found: list[Action]) -> list[Action]:
    seen: set[tuple[str, str]] = set()
    unique = []
    for each in found:
        key = (each.title, repr(each.edits))
        if key not in seen:
            seen.add(key)
            unique.append(each)
    return unique


def fixed_text(analysis: Analysis, *, unsafe: bool = False) -> str:
    """The document's text after `fix_all`.

    Raises:
        OverlapError: never, as overlapping edits are left for the next round.
    """
    return apply(analysis.module.text, fix_all(analysis, unsafe=unsafe))


__all__ = [
    "Action",
    "Context",
    "OverlapError",
    "action",
    "actions",
    "case_of",
    "fix_all",
    "fixed_text",
    "merged",
    "of_finding",
    "report_of",
    "subject_of",
]
