"""One line a finding: `path:line:column: severity[rule] message`, columns in characters from 1."""

from __future__ import annotations

from adk_tool_lens.cli.formats import Report
from adk_tool_lens.cli.formats.full import SEVERITY_STYLES, closing
from adk_tool_lens.cli.paint import Paint
from adk_tool_lens.cli.rows import Row


def render(report: Report) -> str:
    """The rows, and a closing line with their number."""
    paint = Paint(report.colour)
    return "".join(_line(row, paint) for row in report.rows) + closing(report, paint)


def _line(row: Row, paint: Paint) -> str:
    where = f"{paint(row.path, 'bold')}{row.where.removeprefix(row.path)}"
    name = paint(f"{row.severity.value}[{row.rule}]", SEVERITY_STYLES[row.severity])
    mark = f" [{paint('*', 'cyan')}]" if row.fixable else ""
    return f"{where}: {name}{mark} {' '.join(row.message.split())}\n"
