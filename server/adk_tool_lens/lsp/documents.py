"""The texts of open documents, kept exactly as the editor has them.

pygls's own documents break lines at form feeds and U+2028 and move positions they cannot place, so edits
can land in the wrong line (pygls 2.1, `text_document.py`); here lines end as LSP says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lsprotocol import types

from adk_tool_lens.lsp.changes import Change, Changes, Replacement, by_line, replacement
from adk_tool_lens.lsp.convert import Encoding, column_of, offset_of, range_of
from adk_tool_lens.source.edits import Edit, difference
from adk_tool_lens.source.rowtext import RowText
from adk_tool_lens.source.text import Span

MOST_PENDING = 1000
"""Changes that may wait to be applied, so that a flood of them costs no more than each of them."""


@dataclass(frozen=True)
class Document:
    """One version of an open document; changes are applied when its text is first asked for."""

    uri: str
    version: int
    base: RowText
    language: str = "python"
    pending: tuple[Replacement, ...] = ()
    encoding: Encoding = types.PositionEncodingKind.Utf16

    @cached_property
    def source(self) -> RowText:
        """The text."""
        return _applied(self.base, self.pending, self.encoding)

    def after(self, version: int, changes: Sequence[Replacement], encoding: Encoding) -> Document:
        """The version after some changes."""
        if "source" in self.__dict__ or len(self.pending) >= MOST_PENDING or encoding != self.encoding:
            return Document(self.uri, version, self.source, self.language, tuple(changes), encoding)
        pending = (*self.pending, *changes)
        return Document(self.uri, version, self.base, self.language, pending, encoding)


@dataclass
class Documents:
    """All open documents by URI."""

    by_uri: dict[str, Document] = field(default_factory=dict)

    def open(self, item: types.TextDocumentItem) -> Document:
        """Takes a document over from the editor; opening it again replaces it."""
        document = Document(item.uri, item.version, RowText.of(item.text), item.language_id)
        self.by_uri[item.uri] = document
        return document

    def change(self, changes: Changes, encoding: Encoding) -> tuple[Document, Sequence[Replacement]] | None:
        """Takes an editor's changes in order.

        Returns:
            The new version, and the changes as replacements of ranges, also where the editor sent a whole
            text; None when the document is not open.
        """
        known = self.by_uri.get(changes.uri)
        if known is None:
            return None
        parts = [change for change in changes.changes if not isinstance(change, str)]
        if len(parts) < len(changes.changes):
            parts = list(_narrowed(known.source, changes.changes, encoding))
        document = self.by_uri[changes.uri] = known.after(changes.version, parts, encoding)
        return document, parts

    def close(self, uri: str) -> None:
        """Forgets a document; closing it twice is no error."""
        self.by_uri.pop(uri, None)


def _narrowed(source: RowText, changes: Sequence[Change], encoding: Encoding) -> Iterator[Replacement]:
    """Changes with a whole text standing for the replacement of what differs in it."""
    for change in changes:
        part = change
        if isinstance(part, str):
            edit = difference(source.text, part)
            part = replacement(range_of(source, Span(edit.start, edit.end), encoding), edit.text)
        yield part
        source = _after(source, part, encoding)


def _applied(source: RowText, changes: Sequence[Replacement], encoding: Encoding) -> RowText:
    """The text after some changes; what was typed in one line is one edit."""
    for line, group in by_line(changes):
        done = 0
        while done < len(group):
            if line is not None and len(group) - done > 1 and line <= source.first_lines[-1]:
                source, count = _typed(source, line, group[done:], encoding)
            else:
                source, count = _after(source, group[done], encoding), 1
            done += count
    return source


def _after(source: RowText, change: Replacement, encoding: Encoding) -> RowText:
    start = offset_of(source, types.Position(change.line, change.character), encoding)
    end = offset_of(source, types.Position(change.end_line, change.end_character), encoding)
    return source.after(Edit(start, max(start, end), change.text))


def _typed(
    source: RowText, line: int, changes: Sequence[Replacement], encoding: Encoding
) -> tuple[RowText, int]:
    r"""The text after changes of one line, and how many of them these are.

    A line that is emptied between `\r` and `\n` is gone, so what comes then is looked at in the new text.
    """
    before = text = source.line_text(line)
    count = 0
    for change in changes:
        start = column_of(text, change.character, encoding)
        end = max(start, column_of(text, change.end_character, encoding))
        text = text[:start] + change.text + text[end:]
        count += 1
        if not text:
            break
    edit = difference(before, text).moved(source.line_span(line).start)
    return source.after(edit), count
