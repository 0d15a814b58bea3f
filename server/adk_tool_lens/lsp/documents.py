"""The texts of open documents, kept exactly as the editor has them.

pygls's own documents break lines at form feeds and U+2028 and move positions they cannot place, so edits
can land in the wrong line (pygls 2.1, `text_document.py`); here lines end as LSP says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lsprotocol import types

from adk_tool_lens.lsp.convert import Encoding, offset_of
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.rowtext import RowText

Change = types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument


MOST_PENDING = 64
"""Changes that may wait to be applied, so that a flood of them costs no more than each of them."""


@dataclass(frozen=True)
class Document:
    """One version of an open document; changes are applied when its text is first asked for."""

    uri: str
    version: int
    base: RowText
    language: str = "python"
    pending: tuple[Change, ...] = ()
    encoding: Encoding = types.PositionEncodingKind.Utf16

    @cached_property
    def source(self) -> RowText:
        """The text."""
        source = self.base
        for change in self.pending:
            source = _applied(source, change, self.encoding)
        return source

    def after(self, version: int, changes: Sequence[Change], encoding: Encoding) -> Document:
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
    ) -> Document | None:
        """Takes an editor's changes in order; None when the document is not open."""
        known = self.by_uri.get(uri)
        if known is None:
            return None
        document = self.by_uri[uri] = known.after(version, changes, encoding)
        return document

    def close(self, uri: str) -> None:
        """Forgets a document; closing it twice is no error."""
        self.by_uri.pop(uri, None)


def _applied(source: RowText, change: Change, encoding: Encoding) -> RowText:
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return RowText.of(change.text, source.row.blocks)
    start = offset_of(source, change.range.start, encoding)
    end = max(start, offset_of(source, change.range.end, encoding))
    return source.after(Edit(start, end, change.text))
