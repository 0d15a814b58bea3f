"""Tools as rows of plain data: what `show`, `compare` and `lock` read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from adk_tool_lens.cli.problem import UsageError, warn
from adk_tool_lens.cli.rows import place_of
from adk_tool_lens.cli.run import Target, each, results
from adk_tool_lens.declaration.model import Declared, Provider, Refused, Unavailable
from adk_tool_lens.declaration.stub import NotBuilt
from adk_tool_lens.discovery.model import Agent
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.ide.agents import unknown_tools
from adk_tool_lens.ide.analysis import Analysis, ToolReport, unanswered
from adk_tool_lens.ide.session import Project, analyse_now
from adk_tool_lens.ide.tokens import estimate
from adk_tool_lens.source.cells import placed

Rows = list[dict[str, Any]]


def tool_rows(project: Project, found: list[Target], provider: Provider = Provider.ADK) -> Rows:
    """All tools of some files, and those of other files that the given ones register.

    Raises:
        UsageError: a tool or agent that was asked for is not there, or google-adk gives no answer.
    """
    analyses = list(with_definitions(project, analysed(project, found)))
    missing = [reason for _, analysis in analyses for reason in unanswered(analysis)]
    if missing:
        raise UsageError(f"{len(missing)} tools have no declaration to go by: {missing[0]}")
    return [
        one
        for target, analysis in analyses
        for one in file_rows(project, target, analysis, provider=provider)
    ]


def analysed(project: Project, found: list[Target]) -> list[tuple[Target, Analysis]]:
    """The analyses of the files that can be read.

    Raises:
        UsageError: none of the files can be read, or what was asked for is not there.
    """
    outcomes = list(each(project, found, _analysis))
    analyses = results(outcomes)
    if outcomes and not analyses:
        raise UsageError("none of the files could be read.")
    for target, analysis in analyses:
        _require(target, analysis)
    return analyses


def _require(target: Target, analysis: Analysis) -> None:
    tools = [name for report in (*analysis.reports, *analysis.foreign) for name in _names(report)]
    agents = [name for agent in analysis.agents for name in (agent.name, agent.variable)]
    there = {name for name in (*tools, *agents) if name}
    for name in target.qualnames:
        if name not in there:
            known = ", ".join(sorted(there)) or "nothing that is a tool or agent"
            raise UsageError(f"{target.path}: has no tool or agent `{name}`. It has {known}.")


def asked_agents(target: Target, analysis: Analysis) -> list[Agent]:
    """The agents of a file that were asked for by name or variable."""
    names = target.qualnames
    return [agent for agent in analysis.agents if agent.name in names or agent.variable in names]


def _asked(target: Target, analysis: Analysis, report: ToolReport) -> bool:
    if target.wants(report.tool.qualname, report.tool.name):
        return True
    agents = asked_agents(target, analysis)
    places = {entry.tool.whole for agent in agents for entry in agent.entries if entry.tool is not None}
    return report.tool.whole in places


def _analysis(_project: Project, target: Target, analysis: Analysis) -> tuple[Target, Analysis]:
    return target, analysis


def with_definitions(
    project: Project, found: list[tuple[Target, Analysis]]
) -> Iterator[tuple[Target, Analysis]]:
    """The analyses, and those of other files as far as these define what the given ones register."""
    yield from found
    seen = {analysis.module.path for _, analysis in found}
    wanted: dict[Path, set[Place]] = {}
    for target, analysis in found:
        tell_unknown(target, analysis)
        for report in analysis.foreign:
            path = report.tool.path
            if path is not None and path not in seen and _asked(target, analysis, report):
                wanted.setdefault(path, set()).add(report.tool.whole)
    for path, places in wanted.items():
        module = project.workspace.module_at(path)
        if module is not None:
            whole = analyse_now(project, module)
            reports = tuple(report for report in whole.reports if report.tool.whole in places)
            yield Target(shown_path(path)), replace(whole, reports=reports)


def _names(report: ToolReport) -> tuple[str | None, ...]:
    return report.tool.qualname, report.tool.name, *(r.agent for r in report.tool.registrations)


def shown_path(path: Path) -> Path:
    """A path relative to the working folder where it lies below it."""
    return path.relative_to(Path.cwd()) if Path.cwd() in path.parents else path


def tell_unknown(target: Target, analysis: Analysis) -> None:
    """Effect: names on standard error what agents hold and cannot be told from the text."""
    for agent in analysis.agents:
        called = any(a is not agent and a.whole == agent.whole for a in analysis.holders)
        for where, what in () if called else unknown_tools(agent):
            line = ""
            if where is not None and where.block in analysis.module.starts:
                cell, at, _ = placed(analysis.module.source, analysis.module.absolute(where).start)
                line = place_of("", cell, at)
            warn(f"{target.path}{line}: of the tools of {agent.name or agent.variable or 'an agent'}, {what}")


def file_rows(
    project: Project, target: Target, analysis: Analysis, *, provider: Provider
) -> list[dict[str, Any]]:
    """The tools of one file that were asked for."""
    return [
        row(report, target, analysis, project, provider)
        for report in in_file_order(analysis)
        if _asked(target, analysis, report)
    ]


def in_file_order(analysis: Analysis) -> list[ToolReport]:
    """The tools of a file as they are defined in it."""
    return sorted(analysis.reports, key=lambda report: analysis.module.absolute(report.tool.place).start)


def row(
    report: ToolReport, target: Target, analysis: Analysis, project: Project, provider: Provider
) -> dict[str, Any]:
    """One tool in the form that the contract of `--output-format json` has."""
    answer = report.answer
    if provider is not Provider.ADK and report.request is not None:
        answer = project.client.declare(replace(report.request, provider=provider))
    declaration, error = None, None
    approximate = [approximation.reason for approximation in report.approximations]
    match answer:
        case Declared():
            shown = answer.declaration if provider is Provider.ADK else answer.provider_form
            declaration = dict(shown) if shown is not None else None
        case Refused(type=kind, message=message):
            error = {"type": kind, "message": message}
        case Unavailable(reason=reason) | NotBuilt(reason=reason):
            approximate.append(reason)
    cell, line, _ = placed(analysis.module.source, analysis.module.absolute(report.tool.place).start)
    return {
        "path": str(target.path),
        "name": _name(answer, report),
        "qualname": report.tool.qualname,
        **({} if cell is None else {"cell": cell}),
        "line": line + 1,
        "agents": list(dict.fromkeys(r.agent for r in report.tool.registrations if r.agent)),
        "adk_version": analysis.facts.adk,
        "backend": analysis.facts.backend.value,
        "declaration": declaration,
        "error": error,
        "approximate": approximate,
        "tokens": estimate(declaration) if declaration is not None else 0,
    }


def where(row: Mapping[str, Any]) -> str:
    """The place of a tool as people read it."""
    return place_of(row["path"], row.get("cell"), row["line"] - 1)


def _name(answer: object, report: ToolReport) -> str:
    return answer.name if isinstance(answer, Declared) and answer.name else report.tool.name
