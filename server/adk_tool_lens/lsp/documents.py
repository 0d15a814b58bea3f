"""The texts of open documents, kept exactly as the editor has them.

pygls's own documents break lines at form feeds and U+2028 and move positions they cannot place, so edits
can land in the wrong line (pygls 2.1, `text_document.py`); here lines end as LSP says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lsprotocol import types

from adk_tool_lens.lsp.convert import Encoding, offset_of, range_of
from adk_tool_lens.source.edits import Edit, difference
from adk_tool_lens.source.rowtext import RowText
from adk_tool_lens.source.text import Span

Partial = types.TextDocumentContentChangePartial
Whole = types.TextDocumentContentChangeWholeDocument
Change = Partial | Whole


MOST_PENDING = 64
"""Changes that may wait to be applied, so that a flood of them costs no more than each of them."""


@dataclass(frozen=True)
class Document:
    """One version of an open document; changes are applied when its text is first asked for."""

    uri: str
    version: int
    base: RowText
    language: str = "python"
    pending: tuple[Partial, ...] = ()
    encoding: Encoding = types.PositionEncodingKind.Utf16

    @cached_property
    def source(self) -> RowText:
        """The text."""
        source = self.base
        for change in self.pending:
            source = _applied(source, change, self.encoding)
        return source

    def after(self, version: int, changes: Sequence[Partial], encoding: Encoding) -> Document:
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

    def change(
        self, uri: str, version: int, changes: Sequence[Change], encoding: Encoding
    ) -> tuple[Document, Sequence[Partial]] | None:
        """Takes an editor's changes in order.

        Returns:
            The new version, and the changes as replacements of ranges, also where the editor sent a whole
            text; None when the document is not open.
        """
        known = self.by_uri.get(uri)
        if known is None:
            return None
        partial = [change for change in changes if isinstance(change, Partial)]
        if len(partial) < len(changes):
            partial = list(_narrowed(known.source, changes, encoding))
        document = self.by_uri[uri] = known.after(version, partial, encoding)
        return document, partial

    def close(self, uri: str) -> None:
        """Forgets a document; closing it twice is no error."""
        self.by_uri.pop(uri, None)


def _narrowed(source: RowText, changes: Sequence[Change], encoding: Encoding) -> Iterator[Partial]:
    """Changes with a whole text standing for the replacement of what differs in it."""
    for change in changes:
        part = change
        if isinstance(part, Whole):
            edit = difference(source.text, part.text)
            part = Partial(range_of(source, Span(edit.start, edit.end), encoding), edit.text)
        yield part
        source = _applied(source, part, encoding)


def _applied(source: RowText, change: Partial, encoding: Encoding) -> RowText:
    start = offset_of(source, change.range.start, encoding)
    end = max(start, offset_of(source, change.range.end, encoding))
    return source.after(Edit(start, end, change.text))
