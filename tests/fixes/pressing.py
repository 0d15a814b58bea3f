"""Presses repairs on a text as a person would, with a real google-adk behind the findings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.fixes import catalogue
from adk_tool_lens.ide import actions
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.refactorings import KINDS
from adk_tool_lens.ide.session import Project, analyse_now
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.project.interpreters import Interpreter
from adk_tool_lens.rules.model import Finding, Fix, Severity
from adk_tool_lens.source.edits import apply

VERSION = re.compile(r"# google-adk (\S+)\n")
AT = re.compile(r"# ([a-z-]+) at: (.+)\n")
"""A finding that is made up for the test: where no rule of the catalogue reports one."""


@dataclass(frozen=True)
class Pressed:
    """What a repair made of a text."""

    action: actions.Action
    text: str
    finding: Finding | None


def version_of(text: str) -> str:
    """The google-adk version that a text asks for."""
    match = VERSION.search(text)
    return match[1] if match else "2.9.0"


def analysed(text: str, client: DeclarationClient, path: Path) -> Analysis:
    """The analysis of a text with a project's google-adk."""
    environment = client.environment()
    assert environment.problem is None, environment.problem
    workspace = Workspace((path.parent,), environment.interpreter)
    project = Project(
        path.parent,
        Interpreter(environment.interpreter, "a test"),
        client,
        workspace,
        environment=environment,
    )
    return analyse_now(project, workspace.module_of(text, path))


def pressed(analysis: Analysis, kind: str) -> Iterator[Pressed]:
    """What each repair of a kind makes of the text: those of findings, else those at the marked place."""
    if kind in KINDS:
        for report in analysis.reports:
            names = tuple(parameter.name for parameter in report.tool.parameters)
            case = replace(actions.case_of(analysis, None), view=analysis.view(report))
            made = catalogue.repair(Fix(kind, names), case)
            if made is not None:
                yield from _applied(analysis, actions.action(analysis, made), None)
        return
    if kind in catalogue.ALWAYS:
        for finding in made_up(analysis):
            made = catalogue.repair(Fix(kind), actions.case_of(analysis, finding))
            if made is not None:
                yield from _applied(analysis, actions.action(analysis, made), finding)
        return
    found = [f for f in analysis.findings if any(fix.kind == kind for fix in catalogue.fixes_of(f))]
    for finding in found or made_up(analysis):
        case = actions.case_of(analysis, finding)
        for fix, made in catalogue.repairs(case):
            if fix.kind == kind:
                whole = actions.chosen_group(analysis, finding, fix) or made
                yield from _applied(analysis, actions.action(analysis, whole, finding=finding), finding)


def made_up(analysis: Analysis) -> list[Finding]:
    """The findings that the text's first lines ask for: at the last place that has the wanted text."""
    from adk_tool_lens.discovery.module import Place
    from adk_tool_lens.source.text import Span

    module = analysis.module
    found = []
    for match in AT.finditer(module.text):
        start = _last_word(module.text, match[2])
        block = max((b for b in module.blocks if module.starts[b] <= start), key=lambda b: module.starts[b])
        span = Span(start, start + len(match[2])).moved(-module.starts[block])
        place = Place(module.path, block, span)
        tool = actions.report_of(analysis, Finding(match[1], Severity.HINT, "", place))
        name = tool.tool.name if tool is not None else ""
        found.append(Finding(match[1], Severity.HINT, "", place, name))
    return found


def _last_word(text: str, wanted: str) -> int:
    places = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", text)]
    of_signature = [p for p in places if re.search(r"def \w+\([^)]*$", text[:p])]
    return (of_signature or places)[-1]


def _applied(analysis: Analysis, action: actions.Action | None, finding: Finding | None) -> Iterator[Pressed]:
    if action is not None:
        (edits,) = action.edits.values()
        yield Pressed(action, apply(analysis.module.text, edits), finding)
