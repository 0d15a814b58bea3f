"""Puts a docstring's entry under the name that its parameter really has."""

from __future__ import annotations

from difflib import get_close_matches

from adk_tool_lens.docstrings.editor import rename_entry
from adk_tool_lens.fixes.docstring_text import function_text, parameter_order, placed
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.fixes.remove_entry import documented_at
from adk_tool_lens.rules.model import ToolView


def repair(case: Case) -> Repair | None:
    """The edits; `arguments` are the entry's name and, if known, the parameter's.

    None where the names have nothing in common: an entry under a wrong name is worse than none.
    """
    view = case.view
    old = next(iter(case.arguments or documented_at(case)), "")
    if not isinstance(view, ToolView) or not old:
        return None
    new = _meant(view, old)
    if len(case.arguments) == 2 and get_close_matches(old, case.arguments[1:], cutoff=0.5):
        new = case.arguments[1]
    function = function_text(view.tool)
    if new is None or function is None:
        return None
    edits = placed(view.tool, rename_entry(function, old, new, order=parameter_order(view.tool)))
    if not edits:
        return None
    return Repair(f"Rename '{old}' to '{new}' in docstring Args", edits, safe=False)


def _undocumented(view: ToolView) -> list[str]:
    return [p.name for p in view.parameters if view.docstring.entry(p.name) is None]


def _meant(view: ToolView, old: str) -> str | None:
    """The parameter that an entry under another name is most likely about."""
    free = _undocumented(view)
    plain = {name.replace("_", "").lower(): name for name in free}
    if old.replace("_", "").lower() in plain:
        return plain[old.replace("_", "").lower()]
    close = get_close_matches(old, free, n=2, cutoff=0.6)
    return close[0] if len(close) == 1 else None
