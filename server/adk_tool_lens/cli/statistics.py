"""`check --statistics`: how often each rule speaks."""

from __future__ import annotations

import json
from collections import Counter

from adk_tool_lens.cli.formats import Report, summary_of
from adk_tool_lens.cli.formats.full import SEVERITY_STYLES, closing
from adk_tool_lens.cli.paint import Paint


def statistics(report: Report, *, as_json: bool) -> str:
    """The rules with the number of their findings, the most frequent first."""
    counts = Counter((row.rule, row.severity) for row in report.rows)
    fixable = Counter((row.rule, row.severity) for row in report.rows if row.fixable)
    ordered = sorted(counts, key=lambda key: (-counts[key], key[0], key[1].value))
    if as_json:
        listed = [
            {"rule": rule, "severity": severity.value, "count": counts[key], "fixable": fixable[key]}
            for key in ordered
            for rule, severity in (key,)
        ]
        return json.dumps(listed, ensure_ascii=False, indent=2) + "\n"
    paint = Paint(report.colour)
    wide = len(str(max(counts.values(), default=0)))
    long = max((len(rule) for rule, _ in counts), default=0)
    lines = []
    for key in ordered:
        rule, severity = key
        mark = "*" if fixable[key] else " "
        shown = paint(f"{severity.value:<7}", SEVERITY_STYLES[severity])
        lines.append(f"{counts[key]:>{wide}}  {shown} [{mark}] {rule:<{long}}  {summary_of(rule)}\n")
    if not report.rows:
        return closing(report, paint)
    total = f"{len(report.rows)} in {len(report.files)} files; [*] can be repaired with `--fix`\n"
    return "".join(lines) + total
