"""`adk-tool-lens show`: the declarations that the model gets."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from adk_tool_lens.cli.problem import warn
from adk_tool_lens.cli.run import Target, each, project_of, results, targets
from adk_tool_lens.declaration.model import Declared, Provider, Refused, Unavailable
from adk_tool_lens.declaration.stub import NotBuilt
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.ide.agents import unknown_tools
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.ide.session import Project, analyse_now
from adk_tool_lens.ide.tokens import estimate


def run(arguments: argparse.Namespace) -> int:
    """Prints the declarations; exit status 0, or 2 when nothing could be done."""
    found = targets(arguments.paths)
    project = project_of(arguments, found)
    provider = Provider(arguments.provider)
    try:
        analyses = results(list(each(project, found, _analysis)))
        rows = [
            one
            for target, analysis in with_definitions(project, analyses)
            for one in file_rows(project, target, analysis, provider=provider)
        ]
    finally:
        project.close()
    if arguments.output_format == "json":
        print(json.dumps(rows, ensure_ascii=False, indent=2))  # noqa: T201 - data goes to stdout
    else:
        print("\n\n".join(map(as_text, rows)) or "no tools found")  # noqa: T201
    return 0


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
            if path is not None and path not in seen and target.wants(*_names(report)):
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
        for where, what in unknown_tools(agent):
            line = ""
            if where is not None and where.block in analysis.module.starts:
                start = analysis.module.absolute(where).start
                line = f":{analysis.module.source.line_column(start)[0] + 1}"
            warn(f"{target.path}{line}: of the tools of {agent.name or agent.variable or 'an agent'}, {what}")


def file_rows(
    project: Project, target: Target, analysis: Analysis, *, provider: Provider
) -> list[dict[str, Any]]:
    """The tools of one file that were asked for."""
    return [
        row(report, target, analysis, project, provider)
        for report in in_file_order(analysis)
        if target.wants(report.tool.qualname, report.tool.name)
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
    start = analysis.module.absolute(report.tool.place).start
    return {
        "path": str(target.path),
        "name": _name(answer, report),
        "qualname": report.tool.qualname,
        "line": analysis.module.source.line_column(start)[0] + 1,
        "agents": list(dict.fromkeys(r.agent for r in report.tool.registrations if r.agent)),
        "adk_version": analysis.facts.adk,
        "backend": analysis.facts.backend.value,
        "declaration": declaration,
        "error": error,
        "approximate": approximate,
        "tokens": estimate(declaration) if declaration is not None else 0,
    }


def _name(answer: object, report: ToolReport) -> str:
    return answer.name if isinstance(answer, Declared) and answer.name else report.tool.name


def as_text(row: dict[str, Any]) -> str:
    """One tool for a person to read."""
    head = f"{row['name']}  {row['path']}:{row['line']}"
    facts = f"google-adk {row['adk_version'] or '(none)'}, {row['backend']}, about {row['tokens']} tokens"
    lines = [head, f"  {facts}"]
    if row["agents"]:
        lines.append(f"  used by {', '.join(row['agents'])}")
    if row["error"]:
        lines.append(f"  google-adk raises {row['error']['type']}: {row['error']['message']}")
    lines += [f"  approximate because {reason}" for reason in row["approximate"]]
    if row["declaration"] is not None:
        lines.append(json.dumps(row["declaration"], ensure_ascii=False, indent=2))
    return "\n".join(lines)
