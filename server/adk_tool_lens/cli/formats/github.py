"""Annotations in GitHub's log of a job: workflow commands, one line a finding.

The form and its escapes: GitHub Docs, "Workflow commands for GitHub Actions".
"""

from __future__ import annotations

from adk_tool_lens.cli.formats import Report, relative
from adk_tool_lens.cli.rows import Row
from adk_tool_lens.rules.model import Severity

_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
    Severity.HINT: "notice",
}


def render(report: Report) -> str:
    """One command a finding."""
    return "".join(_command(row) for row in report.rows)


def _command(row: Row) -> str:
    first, last = row.file_lines or (row.start.line, row.end.line)
    properties = {
        "title": f"adk-tool-lens ({row.rule})",
        "file": relative(row.path) or row.path,
        "line": str(first + 1),
        "endLine": str(last + 1),
    }
    if row.cell is None and first == last:  # GitHub shows no columns for a range of several lines
        properties |= {"col": str(row.start.column + 1), "endColumn": str(row.end.column + 1)}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_LEVELS[row.severity]} {listed}::{_data(row.text)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
