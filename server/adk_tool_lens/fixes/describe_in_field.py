"""Moves descriptions from the docstring's `Args:` into `Annotated[T, Field(description=...)]`.

Only where the project's google-adk sends the text of `Field` (see `versions`).
"""

from __future__ import annotations

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.fixes.annotations import (
    Names,
    all_of,
    fields_of,
    flowing,
    literal,
    names_at,
    with_argument,
    with_metadata,
)
from adk_tool_lens.fixes.docstring_text import without_entries
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair
from adk_tool_lens.fixes.versions import sends_field_descriptions
from adk_tool_lens.rules.model import ToolView

GROUPED = True


def repair(case: Case) -> Repair | None:
    """The edits for the named parameters; None when they cannot be made safely."""
    view = case.view
    if not isinstance(view, ToolView) or not sends_field_descriptions(case.facts.adk):
        return None
    said = [(p, text) for p in case.parameters() if (text := _text(view, p))]
    parts = {p.name: part for p, text in said if (part := _described(case, p, text)) is not None}
    removed = without_entries(view.tool, parts) if parts else None
    edits = all_of(removed, *parts.values())
    if not edits:
        return None
    names = list(parts)
    what = f"description of '{names[0]}'" if len(names) == 1 else f"{len(names)} descriptions"
    return Repair(f"Move {what} from docstring Args to Field", edits)


def _text(view: ToolView, parameter: Parameter) -> str:
    """What the docstring says about a parameter that has nothing beside its type."""
    entry = view.docstring.entry(parameter.name)
    described = any(m.description for m in parameter.metadata)
    if entry is None or entry.shared or described or parameter.name not in view.sent:
        return ""
    value = view.tool.docstring.value if view.tool.docstring is not None else ""
    return flowing(value[slice(*entry.text_span)])


def _described(case: Case, parameter: Parameter, text: str) -> list[PlacedEdit] | None:
    argument = f"description={literal(text)}"
    fields = fields_of(parameter)
    if fields:
        more = with_argument(fields[0], argument)
        return None if more is None else [more]
    if len(parameter.metadata) or parameter.annotation is None:
        return None
    names: Names | None = names_at(case, parameter)
    if names is None:
        return None
    edits = with_metadata(parameter, names, argument)
    return None if edits is None else [*names.edits, *edits]
