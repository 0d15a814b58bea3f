"""`adk-tool-lens show`: the declarations that the model gets."""

from __future__ import annotations

import argparse
import json

from adk_tool_lens.cli.paint import wants_colour
from adk_tool_lens.cli.problem import warn
from adk_tool_lens.cli.run import emit, project_of, targets
from adk_tool_lens.cli.toolrows import analysed, file_rows, with_definitions
from adk_tool_lens.declaration.model import Provider
from adk_tool_lens.ide.analysis import unanswered


def run(arguments: argparse.Namespace) -> int:
    """Prints the declarations; exit status 0, or 2 when google-adk gives no answer about any tool."""
    found = targets(arguments.paths)
    project = project_of(arguments, found)
    provider = Provider(arguments.provider)
    try:
        analyses = list(with_definitions(project, analysed(project, found)))
        rows = [
            row for target, each in analyses for row in file_rows(project, target, each, provider=provider)
        ]
        if arguments.output_format == "json":
            emit(json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
        else:
            from adk_tool_lens.cli.pages import page

            emit(page(analyses, rows, project.facts, colour=wants_colour(arguments.color)))
        missing = [reason for _, each in analyses for reason in unanswered(each)]
    finally:
        project.close()
    if missing:
        warn(f"{len(missing)} tools have no declaration: {missing[0]}")
    return 2 if missing and len(missing) == len(rows) else 0
