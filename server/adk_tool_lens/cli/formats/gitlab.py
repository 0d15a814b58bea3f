"""GitLab's code quality report: a JSON array for `artifacts: reports: codequality`.

Fields and severities: GitLab Docs, "Code Quality", section "Code Quality report format".
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from adk_tool_lens.cli.formats import Report, relative
from adk_tool_lens.cli.rows import Point, Row
from adk_tool_lens.rules.model import Severity

_SEVERITIES = {
    Severity.ERROR: "critical",
    Severity.WARNING: "major",
    Severity.INFO: "minor",
    Severity.HINT: "info",
}


def render(report: Report) -> str:
    """The rows as GitLab reads them."""
    seen: Counter[str] = Counter()
    return json.dumps([_issue(row, seen) for row in report.rows], ensure_ascii=False, indent=2) + "\n"


def _issue(row: Row, seen: Counter[str]) -> dict[str, Any]:
    path = relative(row.path) or row.path
    return {
        "type": "issue",
        "check_name": row.rule,
        "description": row.text,
        "categories": ["Bug Risk" if row.severity is Severity.ERROR else "Clarity"],
        "severity": _SEVERITIES[row.severity],
        "fingerprint": fingerprint(row, path, seen),
        "location": {"path": path, **_location(row)},
    }


def _location(row: Row) -> dict[str, Any]:
    if row.file_lines is not None:
        first, last = row.file_lines
        return {"lines": {"begin": first + 1, "end": last + 1}}
    return {"positions": {"begin": _position(row.start), "end": _position(row.end)}}


def _position(point: Point) -> dict[str, int]:
    return {"line": point.line + 1, "column": point.column + 1}


def fingerprint(row: Row, path: str, seen: Counter[str]) -> str:
    """Names a finding through moves within its file: equal ones are told apart by their order only."""
    base = "\0".join((row.rule, path, row.tool, row.message))
    seen[base] += 1
    return hashlib.sha256(f"{base}\0{seen[base]}".encode("utf-8", "surrogatepass")).hexdigest()
