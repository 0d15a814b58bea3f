"""Adds entries for parameters to the docstring's `Args:`, to be filled in."""

from __future__ import annotations

from adk_tool_lens.fixes.docstring_text import PLACEHOLDER, entries
from adk_tool_lens.fixes.model import Case, Repair, quoted

GROUPED = True


def repair(case: Case) -> Repair | None:
    """The edits for the named parameters; None when they cannot be made safely."""
    names = [parameter.name for parameter in case.parameters()]
    edits = entries(case, dict.fromkeys(names, PLACEHOLDER)) if names else None
    if not edits:
        return None
    return Repair(f"Add {quoted(names)} to docstring Args, to be described", edits, safe=False, snippet=True)
