"""An editor's changes to a text, as plain data.

Typing sends one of them with each key, and pasting or a held key many at once, so they are read from JSON as
they come: as lsprotocol's objects they cost more than the edit itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from lsprotocol import types


class Replacement(NamedTuple):
    """The text from one position up to another is replaced; zero-based, in the client's units."""

    line: int
    character: int
    end_line: int
    end_character: int
    text: str

    @property
    def only_line(self) -> int | None:
        """The line that is all it touches; None when lines begin, end or go."""
        apart = self.line != self.end_line or "\n" in self.text or "\r" in self.text
        return None if apart else self.line


Change = Replacement | str
"""A whole text stands for itself."""


class Changes(NamedTuple):
    """What makes a document another version, in order."""

    uri: str
    version: int
    changes: list[Change]

    @classmethod
    def of(
        cls,
        item: types.VersionedTextDocumentIdentifier,
        events: Iterable[types.TextDocumentContentChangeEvent],
    ) -> Changes:
        """What lsprotocol has read."""
        return cls(item.uri, item.version, [change_of(event) for event in events])

    def then(self, later: Changes) -> Changes:
        """Effect: both as one; this one's list is the longer one's from now on."""
        self.changes.extend(later.changes)
        return Changes(later.uri, later.version, self.changes)


def changes_of(message: Any) -> Changes | None:
    """The edits of a `textDocument/didChange` as it comes, of the shape that editors send for typing.

    Returns:
        None for all else, right or wrong: that is for a reader that knows all of the protocol.
    """
    try:
        if message["method"] != types.TEXT_DOCUMENT_DID_CHANGE or message["jsonrpc"] != "2.0":
            return None
        params = message["params"]
        document = params["textDocument"]
        uri, version = document["uri"], document["version"]
        changes: list[Change] = [_replacement(change) for change in params["contentChanges"]]
    except (KeyError, TypeError):
        return None
    if type(uri) is not str or type(version) is not int:
        return None
    return Changes(uri, version, changes)


def _replacement(change: Any) -> Replacement:
    where = change["range"]
    start, end, text = where["start"], where["end"], change["text"]
    a, b, c, d = start["line"], start["character"], end["line"], end["character"]
    if not (type(a) is type(b) is type(c) is type(d) is int and type(text) is str) or min(a, b, c, d) < 0:
        raise TypeError(change)
    return Replacement(a, b, c, d, text)


def change_of(event: types.TextDocumentContentChangeEvent) -> Change:
    """A change in lsprotocol's types."""
    if isinstance(event, types.TextDocumentContentChangeWholeDocument):
        return event.text
    return replacement(event.range, event.text)


def replacement(where: types.Range, text: str) -> Replacement:
    """The replacement of a range."""
    start, end = where.start, where.end
    return Replacement(start.line, start.character, end.line, end.character, text)


def by_line(changes: Iterable[Replacement]) -> Iterator[tuple[int | None, list[Replacement]]]:
    """Neighbouring changes of one and the same line together, with the line; None where lines change."""
    for line, group in groupby(changes, key=lambda change: change.only_line):
        yield line, list(group)
