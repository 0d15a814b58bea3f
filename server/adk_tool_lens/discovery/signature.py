"""What stands in a tool's signature and docstring, as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from adk_tool_lens.discovery.module import Place


@dataclass(frozen=True)
class Expression:
    """An expression as written, and where."""

    text: str
    place: Place


class ParameterKind(Enum):
    """How a parameter can be passed."""

    POSITIONAL_ONLY = "positional-only"
    NORMAL = "normal"
    KEYWORD_ONLY = "keyword-only"
    VAR_POSITIONAL = "var-positional"
    VAR_KEYWORD = "var-keyword"


class MetadataKind(Enum):
    """Where a description that is not the docstring stands."""

    FIELD = "Field"
    """`Annotated[T, Field(description="...")]`"""
    STRING = "string"
    """`Annotated[T, "..."]`"""
    DOC = "Doc"
    """`Annotated[T, Doc("...")]`"""
    DEFAULT = "default"
    """`x: T = Field(description="...")`"""


@dataclass(frozen=True)
class Option:
    """A keyword argument of `Field(...)`: its name, its text and, for literals, its value."""

    name: str
    place: Place
    text: str
    value: object = field(default=None, hash=False)


@dataclass(frozen=True)
class Metadata:
    """One description-carrying part of an annotation or default."""

    kind: MetadataKind
    place: Place
    description: str | None
    """The text, when it is a literal (or folds to one)."""
    options: tuple[Option, ...] = ()


class TypeKind(Enum):
    """What a type is, as far as that decides what the model is told and what the function receives."""

    NONE = "None"
    ANY = "any"
    """`Any` and `object`."""
    UNION = "union"
    LITERAL = "literal"
    ELLIPSIS = "..."
    """The second part of `tuple[T, ...]`."""
    ENUM = "enum"
    DATACLASS = "dataclass"
    TYPED_DICT = "typed dict"
    NAMED_TUPLE = "named tuple"
    MODEL = "pydantic model"
    CLASS = "class"
    """A class of the project that derives from nothing that is known to be any of these."""
    EXTERNAL = "external"
    """A type of Python or of a library."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class TypeTree:
    """A type with its parts, aliases, quotes and `Annotated` taken off."""

    kind: TypeKind
    name: str
    """The full name (`builtins.list` for `List`, too); empty for a union and what is not known."""
    place: Place
    """Where it is written; for what an alias or quotes hide, where these are."""
    arguments: tuple[TypeTree, ...] = ()
    mixin: str | None = None
    """For an enumeration whose members are `str` or `int` themselves: that type's full name."""

    @property
    def alternatives(self) -> tuple[TypeTree, ...]:
        """The members of a union without `None`; of any other type, the type itself."""
        members = self.arguments if self.kind is TypeKind.UNION else (self,)
        return tuple(member for member in members if member.kind is not TypeKind.NONE)

    @property
    def optional(self) -> bool:
        """Whether it allows `None`."""
        members = self.arguments if self.kind is TypeKind.UNION else (self,)
        return any(member.kind in {TypeKind.NONE, TypeKind.ANY} for member in members)

    def walk(self) -> Iterator[TypeTree]:
        """The type and all its parts, the outer before the inner."""
        yield self
        for argument in self.arguments:
            yield from argument.walk()


@dataclass(frozen=True)
class Parameter:
    """A parameter as written."""

    name: str
    kind: ParameterKind
    place: Place
    """Its name."""
    whole: Place
    """Its name, annotation and default."""
    annotation: Expression | None
    default: Expression | None
    metadata: tuple[Metadata, ...]
    """Only the outermost `Annotated` counts, as for google-adk."""
    receiver: bool = False
    """Whether it is `self` or `cls` and so filled in by Python."""
    type: TypeTree | None = None
    """What the annotation means; None without one."""


@dataclass(frozen=True)
class DocstringText:
    """The docstring: its value, and the place of the literal."""

    value: str
    place: Place


class OpeningKind(str, Enum):
    """What stands where a docstring was meant to be; the values are words for people."""

    F_STRING = "an f-string"
    BYTES = "a bytes literal"
    SUM = "a sum of strings"
    FORMATTED = "a string formatted with `%`"
    CALL = "a call"
    """`"...".format(...)`, `textwrap.dedent("...")`."""
    LATER = "a string after the first statement"


@dataclass(frozen=True)
class Opening:
    """A text in a function's body that is no docstring for Python although it was meant as one."""

    kind: OpeningKind
    place: Place


@dataclass(frozen=True)
class Layout:
    """What an edit of the docstring needs to know of a function's text; offsets into its block."""

    header_end: int
    """Just after the colon that ends the header."""
    body_start: int
    """The first statement of the body."""
    body_indent: str
    one_line: bool
    """Whether the body stands on the line of the header's colon."""
