"""Wraps a bare string or `Doc(...)` in `Annotated` into `Field(description=...)`.

Only where the project's google-adk sends the text of `Field` (see `versions`).
"""

from __future__ import annotations

from adk_tool_lens.discovery.model import Metadata, MetadataKind, Parameter
from adk_tool_lens.fixes.annotations import call_at, fields_of, names_at
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, quoted
from adk_tool_lens.fixes.nodes import has_comment, text_of
from adk_tool_lens.fixes.versions import sends_field_descriptions

GROUPED = True
_BARE = (MetadataKind.STRING, MetadataKind.DOC)


def repair(case: Case) -> Repair | None:
    """The edits for the named parameters; None when they cannot be made safely."""
    if not sends_field_descriptions(case.facts.adk):
        return None
    chosen = [(p, bare) for p in case.parameters() if (bare := _bare(p)) is not None]
    edits: list[PlacedEdit] = []
    for parameter, bare in chosen:
        names = names_at(case, parameter)
        text = _text(bare)
        if names is None or text is None:
            return None
        call = f"{names.field.text}(description={text})"
        edits += [*names.field.edits, PlacedEdit(bare.place, call)]
    if not edits:
        return None
    title = f"Wrap the description of {quoted(p.name for p, _ in chosen)} into Field(description=...)"
    return Repair(title, tuple(dict.fromkeys(edits)), freed=("Doc",))


def _bare(parameter: Parameter) -> Metadata | None:
    """The one description that is not in a `Field`."""
    bare = [m for m in parameter.metadata if m.kind in _BARE and m.description]
    others = fields_of(parameter) + fields_of(parameter, MetadataKind.DEFAULT)
    return bare[0] if len(bare) == 1 and not others else None


def _text(bare: Metadata) -> str | None:
    """The description's literal as written."""
    block, span = bare.place.block, bare.place.span
    text: str | None = block.text[span.start : span.end]
    if bare.kind is MetadataKind.DOC:
        call = call_at(bare)
        simple = call is not None and len(call.args) == 1 and not call.keywords
        text = text_of(block, call.args[0]) if call is not None and simple else None
    return None if text is None or has_comment(text) else text
