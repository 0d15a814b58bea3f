"""The only place that turns offsets into LSP positions and plain data into LSP's types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from lsprotocol import types
from pygls import uris

from adk_tool_lens.lsp.names import SOURCE
from adk_tool_lens.rules.model import Finding, Severity, Tag
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.text import Span

Encoding = types.PositionEncodingKind | str
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}
_TAGS = {Tag.UNNECESSARY: types.DiagnosticTag.Unnecessary, Tag.DEPRECATED: types.DiagnosticTag.Deprecated}


def units(text: str, encoding: Encoding) -> int:
    """How many units of a position encoding a text takes."""
    if text.isascii():
        return len(text)
    match encoding:
        case types.PositionEncodingKind.Utf8 | "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        case types.PositionEncodingKind.Utf32 | "utf-32":
            return len(text)
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def column_of(line: str, character: int, encoding: Encoding) -> int:
    """Code points of a line that `character` units cover; inside a character counts as before it."""
    if line.isascii():
        return min(character, len(line))
    covered = 0
    for index, point in enumerate(line):
        covered += units(point, encoding)
        if covered > character:
            return index
    return len(line)


class Lines(Protocol):
    """A text that knows its lines; offsets and columns in code points."""

    def line_column(self, offset: int) -> tuple[int, int]:
        """Zero-based line and column of an offset."""

    def line_span(self, line: int) -> Span:
        """A line without its line end."""

    def line_text(self, line: int) -> str:
        """A line's text without its line end."""


def position(source: Lines, offset: int, encoding: Encoding) -> types.Position:
    """The position of an offset."""
    line, column = source.line_column(offset)
    return types.Position(line, units(source.line_text(line)[:column], encoding))


def range_of(source: Lines, span: Span, encoding: Encoding) -> types.Range:
    """The range of a span."""
    return types.Range(position(source, span.start, encoding), position(source, span.end, encoding))


def offset_of(source: Lines, where: types.Position, encoding: Encoding) -> int:
    """The offset of a position, clamped to its line and the text."""
    return source.line_span(where.line).start + column_of(
        source.line_text(where.line), where.character, encoding
    )


def span_of(source: Lines, where: types.Range, encoding: Encoding) -> Span:
    """The span of a range."""
    start = offset_of(source, where.start, encoding)
    return Span(start, max(start, offset_of(source, where.end, encoding)))


@dataclass(frozen=True)
class Shows:
    """What of a diagnostic a client can show."""

    related: bool = False
    code_description: bool = False
    tags: bool = False


def shows(capabilities: types.ClientCapabilities) -> Shows:
    """What a client announced for diagnostics."""
    document = capabilities.text_document
    published = document.publish_diagnostics if document else None
    if published is None:
        return Shows()
    return Shows(
        bool(published.related_information),
        bool(published.code_description_support),
        published.tag_support is not None,
    )


def rest_of(finding: Finding, shows: Shows, related: list[dict[str, Any]]) -> dict[str, Any]:
    """A finding as LSP's `Diagnostic` without its range."""
    rest: dict[str, Any] = {
        "severity": _SEVERITIES[finding.severity].value,
        "code": finding.rule,
        "source": SOURCE,
        "message": finding.message,
    }
    if finding.tags and shows.tags:
        rest["tags"] = [_TAGS[tag].value for tag in finding.tags]
    if related and shows.related:
        rest["relatedInformation"] = related
    return rest


def text_edits(source: Lines, edits: Iterable[Edit], encoding: Encoding) -> list[types.TextEdit]:
    """Edits of one document."""
    return [
        types.TextEdit(range_of(source, Span(edit.start, edit.end), encoding), edit.text) for edit in edits
    ]


def path_of(uri: str) -> Path | None:
    """The file of a URI; None for anything that is no file (`untitled:`, `git:`, notebook cells)."""
    if not uri.startswith("file:"):
        return None
    path = uris.to_fs_path(uri)
    return Path(path) if path else None


def uri_of(path: Path) -> str:
    """The URI of a file."""
    return path.as_uri()
