"""Adds the key `status` to a result: "error" where the result speaks of one, else "success"."""

from __future__ import annotations

import ast
import re

from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import exactly

_ERROR = re.compile(r"err|fail|exception", re.IGNORECASE)


def repair(case: Case) -> Repair | None:
    """The edit; None when the result is not written as a dict at the finding."""
    place = case.place
    node = exactly(place, ast.Dict) if place is not None else None
    if place is None or node is None:
        return None
    keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
    if "status" in keys:
        return None
    failed = any(isinstance(key, str) and _ERROR.search(key) for key in keys)
    status = "error" if failed else "success"
    start = place.span.start + 1
    text = f'"status": "{status}"' + (", " if node.keys else "")
    if node.keys:
        gap = re.match(r"\s*", place.block.text[start:])
        lines = gap.group() if gap else ""
        text = f'{lines}"status": "{status}",' if "\n" in lines else text
    title = f'Add "status": "{status}" to the result'
    return Repair(title, (edit(place, start, start, text),), safe=False)
