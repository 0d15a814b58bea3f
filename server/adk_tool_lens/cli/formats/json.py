"""The contract for other programs: one JSON array, an object per finding."""

from __future__ import annotations

import json

from adk_tool_lens.cli.formats import Report


def render(report: Report) -> str:
    """The rows as JSON."""
    return json.dumps([row.to_json() for row in report.rows], ensure_ascii=False, indent=2) + "\n"
