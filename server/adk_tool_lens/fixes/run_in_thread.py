"""Runs a blocking call of an async tool in a thread: `await asyncio.to_thread(f, x)`."""

from __future__ import annotations

import ast
import re

from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.fixes.calls import awaited, call_of, function_around, opening_bracket
from adk_tool_lens.fixes.imports import module_for
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit


def repair(case: Case) -> Repair | None:
    """The edits; None when the call does not run in an async function of its own."""
    place = case.place
    module = case.module_of(place) if place is not None else None
    call = call_of(place) if place is not None else None
    if place is None or call is None or module is None:
        return None
    if "time.sleep" in case.arguments:
        return _asleep(place, call, module)
    bracket = opening_bracket(place, call)
    asyncio = module_for(module, "asyncio", place)
    function = function_around(place, call)
    if not isinstance(function, ast.AsyncFunctionDef) or asyncio is None or bracket is None:
        return None
    end = place.block.span(call.func).end
    given = bool(call.args or call.keywords)
    text = place.block.text
    after = bracket + 1
    if not given:
        after = place.block.span(call).end - 1
        if text[bracket + 1 : after].strip():
            return None
    gap = _gap(place, text[after:]) if given else ""
    inner = edit(place, end, after, ("," if gap else ", ") if given else "")
    edits = awaited(place, call, before=f"{asyncio.text}.to_thread({gap}")
    known = not asyncio.edits
    title = f"Run {ast.unparse(call.func)}(...) in a thread with asyncio.to_thread"
    return Repair(title, (*asyncio.edits, *edits, inner), safe=known)


def _gap(place: Place, arguments: str) -> str:
    """The line break and indent before the function where the arguments stand on lines of their own."""
    match = re.match(r"[ \t]*(?:\r\n|\r|\n)([ \t]*)", arguments)
    return f"{place.block.source.newline}{match[1]}" if match else ""


def _asleep(place: Place, call: ast.Call, module: Module) -> Repair | None:
    """`time.sleep(1)` becomes `await asyncio.sleep(1)`."""
    asyncio = module_for(module, "asyncio", place)
    function = function_around(place, call)
    if asyncio is None or not isinstance(function, ast.AsyncFunctionDef):
        return None
    own = PlacedEdit(
        Place(place.path, place.block, place.block.span(call.func)), f"await {asyncio.text}.sleep"
    )
    edits = (*asyncio.edits, own)
    return Repair("Await asyncio.sleep instead of time.sleep", edits, safe=not asyncio.edits, freed=("time",))
