"""For a person: what, where, the source line with carets under the range, and what repairs there are."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator

from adk_tool_lens.cli.formats import Report
from adk_tool_lens.cli.paint import Paint
from adk_tool_lens.cli.rows import Row
from adk_tool_lens.rules.model import Severity

SEVERITY_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "bold yellow",
    Severity.INFO: "bold blue",
    Severity.HINT: "bold cyan",
}
SHOWN_LINES = 3
"""Lines of a longer range that are shown."""
TAB = 4


def render(report: Report) -> str:
    """Each finding with its source, and a closing line with their number."""
    paint = Paint(report.colour)
    return "".join(_block(row, paint) for row in report.rows) + closing(report, paint)


def _block(row: Row, paint: Paint) -> str:
    style = SEVERITY_STYLES[row.severity]
    lines = [f"{paint(f'{row.severity.value}[{row.rule}]', style)} {paint(row.message, 'bold')}"]
    number = len(str(row.start.line + min(len(row.lines), SHOWN_LINES)))
    lines.append(f"{' ' * number}{paint('-->', 'blue')} {row.where}")
    bar = f"{' ' * number} {paint('|', 'blue')}"
    lines += [bar, *_source(row, number, paint, style), bar]
    for related in row.related:
        lines.append(f"{' ' * number} {paint('=', 'blue')} note: {related.message} ({related.where})")
    for fix in row.fixes:
        how = "fix" if fix.safe else "unsafe fix"
        lines.append(f"{' ' * number} {paint('=', 'blue')} {paint(how, 'green')}: {fix.title}")
    return "\n".join(lines) + "\n\n"


def _source(row: Row, number: int, paint: Paint, style: str) -> Iterator[str]:
    for index, text in enumerate(row.lines[:SHOWN_LINES]):
        line = row.start.line + index
        yield f"{paint(f'{line + 1:>{number}} |', 'blue')} {_printable(text)}".rstrip()
        first = row.start.column if index == 0 else len(text) - len(text.lstrip())
        last = row.end.column if line == row.end.line else len(text)
        if first < last or line == row.start.line:
            under = "^" * max(1, _cells(text[first:last], _cells(text[:first])))
            carets = " " * _cells(text[:first]) + paint(under, style)
            yield f"{' ' * number} {paint('|', 'blue')} {carets}"
    if row.end.line - row.start.line >= SHOWN_LINES:
        yield f"{' ' * number} {paint('|', 'blue')} ..."


def _printable(text: str) -> str:
    """The line as shown: tabs to the next stop, and no control character reaches the terminal."""
    expanded = text.expandtabs(TAB)
    return "".join("\N{REPLACEMENT CHARACTER}" if _control(c) else c for c in expanded)


def _control(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cs"}


def _cells(text: str, before: int = 0) -> int:
    """Terminal columns of a text that begins in column `before`."""
    cells = before
    for character in text:
        if character == "\t":
            cells += TAB - cells % TAB
        elif unicodedata.combining(character) or unicodedata.category(character) == "Cf":
            continue
        else:
            cells += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return cells - before


def closing(report: Report, paint: Paint) -> str:
    """The last line: how many findings of which severity, and what `--fix` would do."""
    if not report.rows:
        return _nothing(report)
    counts = Counter(row.severity for row in report.rows)
    parts = [_count(counts[s], s.value) for s in Severity if counts[s]]
    files = len({row.path for row in report.rows})
    text = f"Found {', '.join(parts)} in {_count(files, 'file')}."
    fixable = sum(row.fixable for row in report.rows)
    if fixable:
        text += f" {fixable} can be repaired with `--fix`."
    return paint(text, "bold") + "\n"


def _nothing(report: Report) -> str:
    if report.unjudged:
        return f"Nothing found, but {_count(report.unjudged, 'tool')} could not be judged.\n"
    if not report.files:
        return "No Python files found. Name a file, or a folder that has some.\n"
    return "All tools tell the model what they should.\n"


def _count(number: int, name: str) -> str:
    plural = name if name == "info" else f"{name}s"
    return f"{number} {name if number == 1 else plural}"
