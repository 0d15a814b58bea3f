"""What a docstring says, as plain data; spans are code-point offsets into the text read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

Span = tuple[int, int]
"""Half open, in code points."""


class Style(str, Enum):
    """How a docstring marks its parameters."""

    GOOGLE = "google"
    NUMPY = "numpy"
    REST = "rest"
    EPYTEXT = "epytext"
    PLAIN = "plain"


class Kind(str, Enum):
    """What a section is about."""

    PARAMETERS = "parameters"
    RETURNS = "returns"
    YIELDS = "yields"
    RAISES = "raises"
    EXAMPLES = "examples"
    OTHER = "other"
    PROSE = "prose"


@dataclass(frozen=True)
class Entry:
    """What is written about one parameter (or one exception).

    `span` runs from the first character of the entry's first line to the last visible one of its
    last line. `text_span` covers the description and is empty where one would start.
    """

    name: str
    type: str | None
    description: str
    span: Span
    section: str
    style: Style
    name_span: Span
    text_span: Span
    type_span: Span | None = None
    """The type on the entry's own line, without its brackets."""
    type_field: Span | None = None
    """A `:type x:` line of its own, from its first character to its last visible one."""
    shared: bool = False
    """True for `x, y : int`: several names, one description."""


@dataclass(frozen=True)
class Section:
    """A titled part of a docstring; a run of fields of one kind (`:param …:`) counts as one."""

    title: str
    kind: Kind
    style: Style
    span: Span


@dataclass(frozen=True)
class Docstring:
    """A docstring as read; `body` is the prose between the summary and the first section."""

    style: Style
    summary: str
    body: str
    entries: tuple[Entry, ...]
    returns: str | None
    raises: tuple[Entry, ...]
    sections: tuple[Section, ...]

    def entry(self, name: str) -> Entry | None:
        """The first entry for a parameter."""
        return next((entry for entry in self.entries if entry.name == name), None)
