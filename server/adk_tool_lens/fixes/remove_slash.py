"""Takes the `/` out of a signature, so that google-adk can pass the parameters before it by name.

Calls that pass them by position work as before.
"""

from __future__ import annotations

import re

from adk_tool_lens.discovery.model import ParameterKind
from adk_tool_lens.fixes.model import Case, Repair, edit, quoted

_BEFORE = re.compile(r",[ \t]*\Z")
_AFTER = re.compile(r"[ \t]*,[ \t]*")
_LINE_END = re.compile(r"[ \t]*,?[ \t]*(?:\r\n|\r|\n)")


def repair(case: Case) -> Repair | None:
    """The edit; None where `**kwargs` takes arguments of these names today."""
    tool, place = case.tool, case.place
    if tool is None or place is None or place.block.text[place.span.start : place.span.end] != "/":
        return None
    if any(parameter.kind is ParameterKind.VAR_KEYWORD for parameter in tool.parameters):
        return None
    names = [p.name for p in tool.parameters if p.kind is ParameterKind.POSITIONAL_ONLY and not p.receiver]
    start, end = _cut(place.block.text, place.span.start)
    title = f"Remove the / so that {quoted(names)} can be passed by name"
    return Repair(title, (edit(place, start, end, ""),))


def _cut(text: str, at: int) -> tuple[int, int]:
    """The `/` with the comma that goes with it, and with its line when nothing else is on it."""
    line = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    alone = _LINE_END.match(text, at + 1) if not text[line:at].strip() else None
    if alone is not None:
        return line, alone.end()
    after = _AFTER.match(text, at + 1)
    if after is not None:
        return at, after.end()
    before = _BEFORE.search(text, 0, at)
    return (before.start() if before is not None else at), at + 1
