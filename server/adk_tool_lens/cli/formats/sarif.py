"""SARIF 2.1.0 with errata 01, the OASIS standard that code scanning services read."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from adk_tool_lens import __version__
from adk_tool_lens.cli.formats import Report, page_of, relative, summary_of, uri
from adk_tool_lens.cli.formats.gitlab import fingerprint
from adk_tool_lens.cli.rows import EditRow, FixRow, Point, Row
from adk_tool_lens.rules.catalogue import catalogue
from adk_tool_lens.rules.model import Severity

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "note",
    Severity.HINT: "note",
}
_ROOT = "%SRCROOT%"


def render(report: Report) -> str:
    """One run with all rules and the results."""
    rules = sorted({*catalogue(), *(row.rule for row in report.rows)})
    seen: Counter[str] = Counter()
    run = {
        "tool": {"driver": _driver(rules)},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder the command was run in."}}},
        "results": [_result(row, rules.index(row.rule), seen) for row in report.rows],
        "properties": {"googleAdk": report.adk, "backend": report.backend},
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _driver(rules: list[str]) -> dict[str, Any]:
    return {
        "name": "adk-tool-lens",
        "semanticVersion": __version__,
        "rules": [_rule(name) for name in rules],
    }


def _rule(name: str) -> dict[str, Any]:
    known = catalogue().get(name)
    rule: dict[str, Any] = {"id": name, "shortDescription": {"text": summary_of(name)}}
    if known is not None:
        page = page_of(name)
        rule["fullDescription"] = {"text": summary_of(name)}
        rule["help"] = {"text": page, "markdown": page}
        rule["defaultConfiguration"] = {"enabled": known.on_by_default, "level": _LEVELS[known.severity]}
        rule["properties"] = {"tags": [known.group]}
    return rule


def _result(row: Row, index: int, seen: Counter[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": row.rule,
        "ruleIndex": index,
        "level": _LEVELS[row.severity],
        "message": {"text": row.text},
        "locations": [{"physicalLocation": _location(row)}],
        "partialFingerprints": {"adkToolLens/v1": fingerprint(row, relative(row.path) or row.path, seen)},
    }
    if row.tool:
        result["locations"][0]["logicalLocations"] = [{"name": row.tool, "kind": "function"}]
    fixes = [_fix(fix, row.path) for fix in row.fixes if fix.edits]
    return result | ({"fixes": fixes} if fixes else {})


def _artifact(path: str) -> dict[str, str]:
    return {"uri": uri(path)} | ({"uriBaseId": _ROOT} if relative(path) is not None else {})


def _location(row: Row) -> dict[str, Any]:
    if row.file_lines is not None:
        first, last = row.file_lines
        region: dict[str, Any] = {"startLine": first + 1, "endLine": last + 1}
        return {"artifactLocation": _artifact(row.path), "region": region}
    region = _region(row.start, row.end)
    if row.lines and len(row.lines) == row.end.line - row.start.line + 1:
        region["snippet"] = {"text": "\n".join(_shown(row))}
    return {"artifactLocation": _artifact(row.path), "region": region}


def _shown(row: Row) -> list[str]:
    """Exactly the text of the range."""
    lines = list(row.lines)
    lines[-1] = lines[-1][: row.end.column]
    lines[0] = lines[0][row.start.column :]
    return lines


def _region(start: Point, end: Point) -> dict[str, Any]:
    return {
        "startLine": start.line + 1,
        "startColumn": start.utf16 + 1,
        "endLine": end.line + 1,
        "endColumn": end.utf16 + 1,
    }


def _fix(fix: FixRow, path: str) -> dict[str, Any]:
    title = fix.title if fix.safe else f"{fix.title} (unsafe: look at it first)"
    change = {"artifactLocation": _artifact(path), "replacements": [_replacement(e) for e in fix.edits]}
    return {"description": {"text": title}, "artifactChanges": [change]}


def _replacement(edit: EditRow) -> dict[str, Any]:
    return {"deletedRegion": _region(edit.start, edit.end), "insertedContent": {"text": edit.text}}
