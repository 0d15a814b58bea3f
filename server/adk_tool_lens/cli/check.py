"""`adk-tool-lens check`: what the model is told wrong or not at all."""

from __future__ import annotations

import argparse
import json
from typing import Any

from adk_tool_lens.cli.run import Target, analyses, project_of, targets
from adk_tool_lens.fixes.catalogue import repair
from adk_tool_lens.ide.actions import report_of
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.rules.model import Finding
from adk_tool_lens.source.rowtext import RowText
from adk_tool_lens.source.text import Span


def run(arguments: argparse.Namespace) -> int:
    """Prints the findings; exit status 0 without any, 1 with some."""
    found = list(targets(arguments.paths))
    project = project_of(arguments, found[0].path if found else None)
    try:
        rows = [
            row(finding, target, analysis)
            for target, analysis in analyses(project, found)
            for finding in in_file_order(analysis)
        ]
    finally:
        project.close()
    if arguments.output_format == "json":
        print(json.dumps(rows, ensure_ascii=False, indent=2))  # noqa: T201 - data goes to stdout
    else:
        print("\n".join(map(as_text, rows)) or "All tools tell the model what they should.")  # noqa: T201
    return 1 if rows else 0


def in_file_order(analysis: Analysis) -> list[Finding]:
    """The findings of a file by place, then rule."""
    own = [f for f in analysis.findings if f.place.block in analysis.module.starts]
    return sorted(own, key=lambda f: (analysis.module.absolute(f.place).start, f.rule))


def row(finding: Finding, target: Target, analysis: Analysis) -> dict[str, Any]:
    """One finding in the form that the contract of `--output-format json` has."""
    source = analysis.module.source
    span = analysis.module.absolute(finding.place)
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "path": str(target.path),
        "range": utf16_range(source, span),
        "tool": finding.tool,
        "fixes": _fixes(finding, analysis),
    }


def utf16_range(source: RowText, span: Span) -> dict[str, dict[str, int]]:
    """A range as LSP has it: zero-based lines, UTF-16 columns."""
    return {"start": _utf16(source, span.start), "end": _utf16(source, span.end)}


def _utf16(source: RowText, offset: int) -> dict[str, int]:
    line, column = source.line_column(offset)
    text = source.line_text(line)[:column]
    return {"line": line, "character": column + sum(1 for c in text if ord(c) > 0xFFFF)}


def _fixes(finding: Finding, analysis: Analysis) -> list[dict[str, Any]]:
    report = report_of(analysis, finding)
    made = [repair(fix, analysis.view(report)) for fix in finding.fixes] if report is not None else []
    return [{"title": each.title, "safe": each.safe} for each in made if each is not None]


def as_text(row: dict[str, Any]) -> str:
    """One finding for a person to read."""
    start = row["range"]["start"]
    where = f"{row['path']}:{start['line'] + 1}:{start['character'] + 1}"
    return f"{where}: {row['severity']}[{row['rule']}] {row['message']}"
