"""Changes what is written beside a parameter's name: types, metadata, calls of `Field`."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from adk_tool_lens.discovery.model import Metadata, MetadataKind, Parameter
from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.fixes.calls import added_argument
from adk_tool_lens.fixes.imports import Imported, name_for
from adk_tool_lens.fixes.model import AnyEdit, Case, PlacedEdit, edit
from adk_tool_lens.fixes.nodes import exactly, has_comment
from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.text import Span

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ITEM = re.compile(r"[ \t]*(?:[-*•]|\d+[.)])[ \t]")


def literal(text: str) -> str:
    """A text as a string literal on one line."""
    quote = "'" if '"' in text and "'" not in text else '"'
    return quote + "".join(_escaped(character, quote) for character in text) + quote


def _escaped(character: str, quote: str) -> str:
    if character == quote:
        return f"\\{quote}"
    known = _ESCAPES.get(character)
    if known is not None:
        return known
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def flowing(text: str) -> str:
    """A docstring's text without the line breaks that only its width asked for: paragraphs and items stay."""
    found: list[str] = []
    for line in text.strip().splitlines():
        words = " ".join(line.split())
        if words and found and found[-1] and not _ITEM.match(line):
            found[-1] += f" {words}"
        elif words or found[-1]:
            found.append(words)
    return "\n".join(found)


@dataclass(frozen=True)
class Names:
    """How `Annotated` and `Field` are written at a place."""

    annotated: Imported
    field: Imported

    @property
    def edits(self) -> tuple[PlacedEdit, ...]:
        """What makes them known."""
        return (*self.annotated.edits, *self.field.edits)


def names_at(case: Case, parameter: Parameter) -> Names | None:
    """`Annotated` and `Field` for a parameter's annotation."""
    module = case.module_of(parameter.place)
    if module is None:
        return None
    annotated = annotated_at(module, parameter)
    field = name_for(module, "pydantic", "Field", parameter.place, "pydantic.fields")
    return None if annotated is None or field is None else Names(annotated, field)


def annotated_at(module: Module, parameter: Parameter) -> Imported | None:
    """`Annotated` for a parameter's annotation."""
    return name_for(module, "typing", "Annotated", parameter.place, "typing_extensions")


def with_metadata(
    parameter: Parameter, names: Names, field: str, *, plain: bool = True
) -> list[PlacedEdit] | None:
    """An annotation with one more `Field(...)`; None when there is no safe way.

    Args:
        parameter: It has an annotation.
        names: How to write the names.
        field: The arguments of the new `Field`.
        plain: Whether an annotation that has metadata already gets the `Field`, too.
    """
    annotation = parameter.annotation
    if annotation is None:
        return None
    node = exactly(annotation.place, ast.expr)
    if node is None or isinstance(node, ast.Constant) or has_comment(annotation.text):
        return None
    span = annotation.place.span
    call = f"{names.field.text}({field})"
    if is_annotated(parameter, node):
        if not plain:
            return None
        last = annotation.text.rindex("]")
        before = annotation.text[:last].rstrip()
        comma = " " if before.endswith(",") else ", "
        at = span.start + len(before)
        return [edit(annotation.place, at, at, f"{comma}{call}")]
    return [
        edit(annotation.place, span.start, span.start, f"{names.annotated.text}["),
        edit(annotation.place, span.end, span.end, f", {call}]"),
    ]


def is_annotated(parameter: Parameter, node: ast.expr) -> bool:
    """Whether an annotation is `Annotated[...]`."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return False
    return bool(re.fullmatch(r"(?:\w+\.)*\w*Annotated", ast.unparse(node.value))) or bool(
        [m for m in parameter.metadata if m.kind is not MetadataKind.DEFAULT]
    )


def fields_of(parameter: Parameter, kind: MetadataKind = MetadataKind.FIELD) -> list[Metadata]:
    """The metadata of a kind."""
    return [metadata for metadata in parameter.metadata if metadata.kind is kind]


def call_at(metadata: Metadata) -> ast.Call | None:
    """The call of a `Field(...)` or `Doc(...)`."""
    return exactly(metadata.place, ast.Call)


def with_argument(metadata: Metadata, argument: str) -> PlacedEdit | None:
    """A call with one more keyword argument."""
    call = call_at(metadata)
    if call is None:
        return None
    return added_argument(metadata.place, call, argument)


def parts_of(block: Block, call: ast.Call) -> list[Span]:
    """The arguments of a call, in the order they are written."""
    spans = [block.span(part) for part in (*call.args, *call.keywords)]
    return sorted(spans, key=lambda span: span.start)


def cuts(parts: list[Span], gone: list[Span]) -> list[Span]:
    """What to take out between brackets so that some of the parts in them go with their commas.

    Line breaks around the parts that stay are kept. At least one part has to stay.
    """
    found: list[Span] = []
    for index, part in enumerate(parts):
        if part in gone and any(other not in gone for other in parts[index + 1 :]):
            found.append(Span(part.start, parts[index + 1].start))
        elif part in gone and index:
            found.append(Span(parts[index - 1].end, part.end))
    return found


def without_part(place: Place, parts: list[Span], gone: Span) -> tuple[PlacedEdit, ...] | None:
    """Brackets without one of the parts in them; None where a comment would go with it."""
    spans = cuts(parts, [gone]) if len(parts) > 1 else parts
    if any(has_comment(place.block.text[span.start : span.end]) for span in spans):
        return None
    return tuple(edit(place, span.start, span.end, "") for span in spans)


def all_of(*parts: list[PlacedEdit] | tuple[PlacedEdit, ...] | None) -> tuple[AnyEdit, ...] | None:
    """Edits together; None when one of them could not be made."""
    found: list[AnyEdit] = []
    for part in parts:
        if part is None:
            return None
        found += part
    return tuple(dict.fromkeys(found))
