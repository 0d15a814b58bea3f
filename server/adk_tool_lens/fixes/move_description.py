"""Moves descriptions from `Annotated[...]` into the docstring's `Args:`.

What else stands in the annotation stays: `Annotated[int, Field(description="Days", ge=1)]` becomes
`Annotated[int, Field(ge=1)]`, and `Annotated[str, Field(description="City")]` becomes `str`. A description
in a default (`= Field(description="...")`) is copied, because taking it out of there could change the
default.
"""

from __future__ import annotations

import ast
import re

from adk_tool_lens.discovery.model import Metadata, MetadataKind, Parameter, Tool
from adk_tool_lens.fixes.annotations import cuts, parts_of
from adk_tool_lens.fixes.docstring_text import entries
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit
from adk_tool_lens.fixes.nodes import exactly, has_comment

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
    node = exactly(annotation.place, ast.Subscript)
    if node is None or not isinstance(node.slice, ast.Tuple):
        return None
    block = annotation.place.block
    calls = {block.span(part): part for part in node.slice.elts if isinstance(part, ast.Call)}
    if any(keyword.arg is None for call in calls.values() for keyword in call.keywords):
        return None
    parts = [block.span(part) for part in node.slice.elts]
    emptied = [m.place.span for m in moved if not _says_more(m)]
    if len(parts) == len(emptied) + 1:
        if has_comment(annotation.text):
            return None
        return [PlacedEdit(annotation.place, block.text[parts[0].start : parts[0].end])]
    spans = cuts(parts, emptied)
    for metadata in moved:
        if _says_more(metadata):
            described = [o.place.span for o in metadata.options if o.name == "description"]
            spans += cuts(parts_of(block, calls[metadata.place.span]), described)
    if any(has_comment(block.text[span.start : span.end]) for span in spans):
        return None
    return [edit(annotation.place, span.start, span.end, "") for span in spans]


def _says_more(metadata: Metadata) -> bool:
    """Whether something stays of a part without its description: a `Field` with other options."""
    others = [option for option in metadata.options if option.name != "description"]
    return metadata.kind is MetadataKind.FIELD and bool(others)
