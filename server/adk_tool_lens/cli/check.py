"""`adk-tool-lens check`: what the model is told wrong or not at all."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from adk_tool_lens.cli.formats import FOR_PEOPLE, Report, render
from adk_tool_lens.cli.jobs import outcomes
from adk_tool_lens.cli.lock import differences
from adk_tool_lens.cli.paint import wants_colour
from adk_tool_lens.cli.problem import UsageError, warn
from adk_tool_lens.cli.rows import Row, rows_of
from adk_tool_lens.cli.run import STDIN, Target, all_read, emit, project_of, results, targets
from adk_tool_lens.cli.statistics import statistics
from adk_tool_lens.ide.analysis import Analysis, unanswered
from adk_tool_lens.ide.session import Project
from adk_tool_lens.ide.taste import context_of


def run(arguments: argparse.Namespace) -> int:
    """Prints the findings; exit status 0 without any, 1 with some, 2 when not all could be judged."""
    if arguments.show_files:
        emit("".join(f"{target.path}\n" for target in targets(arguments.paths)), arguments.output_file)
        return 0
    if arguments.watch:
        from adk_tool_lens.cli.watch import watch

        return watch(arguments)
    if STDIN in arguments.paths and (arguments.fix or arguments.diff):
        raise UsageError("--fix and --diff change files. Name the file instead of -.")
    found = targets(arguments.paths, arguments.stdin_filename)
    if arguments.show_settings:
        from adk_tool_lens.cli.config import show_settings

        return show_settings(arguments, found)
    project = project_of(arguments, found)
    try:
        if arguments.add_ignore:
            from adk_tool_lens.cli.add_ignore import add_ignore

            return add_ignore(arguments, project, found)
        if arguments.fix or arguments.diff:
            from adk_tool_lens.cli.fix import fix

            status = fix(arguments, project, found)
            if status is not None:
                return status
        return check(arguments, project, found)
    finally:
        project.close()


def check(arguments: argparse.Namespace, project: Project, found: list[Target]) -> int:
    """One run over the files."""
    done = outcomes(arguments, project, found, check_file)
    checked = results(done)
    rows = [row for part in checked for row in part.rows]
    unjudged = [reason for part in checked for reason in part.unjudged]
    if unjudged:
        warn(f"{len(unjudged)} tools could not be judged: {unjudged[0]}")
    if arguments.locked:
        lock = Path(arguments.lock_file)
        rows += differences(project, found, lock, project.facts.adk, project.facts.backend.value)
    rows.sort(key=lambda row: row.order)
    emit(_text(arguments, project, rows, found, len(unjudged)), arguments.output_file)
    if unjudged or not all_read(done):
        return 2
    return 1 if rows and not arguments.exit_zero else 0


@dataclass(frozen=True)
class Checked:
    """What came of one file."""

    rows: tuple[Row, ...]
    unjudged: tuple[str, ...]
    """For each tool without an answer of google-adk: why."""


def check_file(project: Project, target: Target, analysis: Analysis) -> Checked:
    """The findings of one file."""
    context = context_of(project, target.path.resolve())
    return Checked(tuple(rows_of(analysis, str(target.path), context)), tuple(unanswered(analysis)))


def _text(
    arguments: argparse.Namespace, project: Project, rows: list[Row], found: list[Target], unjudged: int
) -> str:
    colour = (
        arguments.output_format in FOR_PEOPLE
        and (arguments.output_file is None or arguments.color == "always")
        and wants_colour(arguments.color)
    )
    files = tuple(sorted(str(target.path) for target in found))
    facts = project.facts
    report = Report(tuple(rows), files, facts.adk, facts.backend.value, colour, unjudged)
    if arguments.statistics:
        return statistics(report, as_json=arguments.output_format == "json")
    return render(arguments.output_format, report)
