"""Adds a `Returns:` section to the docstring, to be filled in."""

from __future__ import annotations

from adk_tool_lens.fixes.docstring_text import PLACEHOLDER, results
from adk_tool_lens.fixes.model import Case, Repair


def repair(case: Case) -> Repair | None:
    """The edits; None when they cannot be made safely."""
    edits = results(case, PLACEHOLDER)
    if not edits:
        return None
    title = "Add a Returns section to the docstring, to be described"
    return Repair(title, edits, safe=False, snippet=True)
