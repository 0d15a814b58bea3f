"""Moves descriptions from `Annotated[...]` into the docstring's `Args:`.

What else stands in the annotation stays: `Annotated[int, Field(description="Days", ge=1)]` becomes
`Annotated[int, Field(ge=1)]`, and `Annotated[str, Field(description="City")]` becomes `str`. A description
in a default (`= Field(description="...")`) is copied, because taking it out of there could change the
default.
"""

from __future__ import annotations

import ast
import re

from adk_tool_lens.discovery.model import Expression, Metadata, MetadataKind, Parameter, Tool
from adk_tool_lens.fixes.docstring_text import entries
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair
from adk_tool_lens.fixes.nodes import has_comment
from adk_tool_lens.source.edits import Edit, apply
from adk_tool_lens.source.text import SourceText, Span

FREED = frozenset({"Annotated", "Field", "Doc"})
"""Names that only descriptions beside the type need."""
GROUPED = True


def repair(case: Case) -> Repair | None:
    """The edits for the named parameters; None when they cannot be made safely."""
    chosen = [p for p in case.parameters() if description_of(p)]
    edits = entries(case, {p.name: description_of(p) for p in chosen}) if chosen else None
    removed = [_without_descriptions(p) for p in chosen]
    if edits is None or any(part is None for part in removed):
        return None
    taken = [edit for part in removed if part is not None for edit in part]
    if not edits and not taken:
        return None
    freed = tuple(FREED & set(_words(chosen)))
    return Repair(_title(chosen, moved=bool(taken)), (*edits, *taken), freed=freed)


def _words(chosen: list[Parameter]) -> list[str]:
    return [word for p in chosen if p.annotation for word in re.findall(r"\w+", p.annotation.text)]


def movable(tool: Tool) -> tuple[str, ...]:
    """The parameters that have a description beside their type."""
    return tuple(p.name for p in tool.parameters if description_of(p))


def description_of(parameter: Parameter) -> str:
    """All that is written about a parameter beside its type."""
    return "\n".join(dict.fromkeys(m.description for m in parameter.metadata if m.description))


def _title(chosen: list[Parameter], *, moved: bool) -> str:
    verb = "Move" if moved else "Copy"
    if len(chosen) == 1:
        return f"{verb} description of '{chosen[0].name}' to docstring Args"
    return f"{verb} {len(chosen)} descriptions to docstring Args"


def _without_descriptions(parameter: Parameter) -> list[PlacedEdit] | None:
    """The annotation without its descriptions; None when that cannot be done without losing text."""
    annotation = parameter.annotation
    moved = [m for m in parameter.metadata if m.description and m.kind is not MetadataKind.DEFAULT]
    if annotation is None or not moved:
        return []
    if has_comment(annotation.text):
        return None
    text = _stripped(annotation, moved)
    return None if text is None else [PlacedEdit(annotation.place, text)]


def _stripped(annotation: Expression, moved: list[Metadata]) -> str | None:
    source = SourceText(annotation.text)
    try:
        node = ast.parse(f"(\n{annotation.text}\n)", mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return None
    if any(isinstance(part, ast.Call) and _spreads(part) for part in node.slice.elts):
        return None
    spans = [_span(source, part) for part in node.slice.elts]
    starts = {m.place.span.start - annotation.place.span.start: m for m in moved}
    kept: list[str] = []
    for span in spans:
        text = annotation.text[span.start : span.end]
        metadata = starts.get(span.start)
        kept_text = text if metadata is None else reduced(metadata, text)
        if kept_text:
            kept.append(kept_text)
    if len(kept) == 1:
        return kept[0]
    return f"{annotation.text[: spans[0].start]}{', '.join(kept)}{annotation.text[spans[-1].end :]}"


def _spreads(call: ast.Call) -> bool:
    return any(keyword.arg is None for keyword in call.keywords)


def _span(source: SourceText, node: ast.expr) -> Span:
    """A node's place in the annotation's own text, which was parsed one line further down."""
    assert node.end_lineno is not None  # noqa: S101 - `ast.parse` sets it
    assert node.end_col_offset is not None  # noqa: S101
    return Span(
        source.ast_offset(node.lineno - 1, node.col_offset),
        source.ast_offset(node.end_lineno - 1, node.end_col_offset),
    )


def reduced(metadata: Metadata, text: str) -> str:
    """What stays of one part: a `Field` with its other options, nothing of a string or `Doc`."""
    others = [option for option in metadata.options if option.name != "description"]
    if metadata.kind is not MetadataKind.FIELD or not others:
        return ""
    option = next(option for option in metadata.options if option.name == "description")
    start = option.place.span.start - metadata.place.span.start
    end = option.place.span.end - metadata.place.span.start
    after = text[end:].lstrip()
    if after.startswith(","):
        end += text[end:].index(",") + 1
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    else:
        start = text.rindex(",", 0, start)
    return apply(text, [Edit(start, end, "")])
