"""Renames a parameter that google-adk hides or keeps for itself, and its uses in the function.

Other files that pass the argument by its name are not seen, so it is no repair to apply unseen.
"""

from __future__ import annotations

from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.fixes.renaming import public_name, renamed


def repair(case: Case) -> Repair | None:
    """The edits; `arguments` are the parameter and, if wanted, its new name."""
    tool, parameter = case.tool, case.parameter()
    module = case.module_of(tool.whole) if tool is not None else None
    if tool is None or parameter is None or module is None:
        return None
    given = case.arguments[1] if len(case.arguments) == 2 else ""
    taken = {p.name for p in tool.parameters}
    new = given or public_name(parameter.name)
    if not given and (new == parameter.name or new in taken or not new):
        new = f"{new or 'value'}_value"
    edits = renamed(module, tool, parameter.name, new)
    if edits is None:
        return None
    return Repair(f"Rename parameter '{parameter.name}' to '{new}'", edits, safe=False)
