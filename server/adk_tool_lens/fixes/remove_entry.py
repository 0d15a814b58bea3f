"""Takes an entry out of the docstring that describes no parameter, or one that is not the model's."""

from __future__ import annotations

from adk_tool_lens.fixes.docstring_text import without_entries
from adk_tool_lens.fixes.model import Case, Repair, quoted
from adk_tool_lens.rules.model import ToolView

_SURE = {"context-parameter-documented"}
"""Rules after which an entry is of no use: elsewhere it may be meant for a parameter of another name."""


def repair(case: Case) -> Repair | None:
    """The edits for the named entries; None when they cannot be made safely."""
    tool = case.tool
    names = case.arguments or documented_at(case)
    edits = without_entries(tool, names) if tool is not None and names else None
    if not edits:
        return None
    safe = case.finding is not None and case.finding.rule in _SURE
    return Repair(f"Remove {quoted(names)} from docstring Args", edits, safe=safe)


def documented_at(case: Case) -> tuple[str, ...]:
    """The entry that the finding is at, or that it names between backquotes."""
    view = case.view
    if not isinstance(view, ToolView) or case.finding is None:
        return ()
    block, span = case.finding.place.block, case.finding.place.span
    written = block.text[span.start : span.end].strip("* ")
    names = [entry.name for entry in view.docstring.entries]
    if written in names:
        return (written,)
    at = case.parameters()
    if at and at[0].name in names:
        return (at[0].name,)
    quoted_names = [name for name in names if f"`{name}`" in case.finding.message]
    return (quoted_names[0],) if len(quoted_names) == 1 else ()
