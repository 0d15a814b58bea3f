"""Awaits a coroutine that nobody awaits; a function that is not async yet becomes so."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.module import FunctionNode, Place
from adk_tool_lens.fixes.calls import awaited, call_of, function_around
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit
from adk_tool_lens.fixes.nodes import extent


def repair(case: Case) -> Repair | None:
    """The edits; None when the call does not run in a function of its own."""
    place = case.place
    call = call_of(place) if place is not None else None
    function = function_around(place, call) if place is not None and call is not None else None
    if place is None or call is None or function is None:
        return None
    edits = awaited(place, call)
    if isinstance(function, ast.AsyncFunctionDef):
        return Repair(f"Await {_name(call)}", edits)
    made_async = asynchronous(case, place, function)
    if made_async is None:
        return None
    title = f"Await {_name(call)} and make '{function.name}' async"
    return Repair(title, (*edits, made_async), safe=False)


def _name(call: ast.Call) -> str:
    return f"{ast.unparse(call.func)}(...)"


def asynchronous(case: Case, place: Place, function: FunctionNode) -> PlacedEdit | None:
    """`async` before `def`; only for the tool itself, whose callers are google-adk and agents."""
    tool = case.tool
    if tool is None or tool.is_generator or tool.whole.block is not place.block:
        return None
    span = place.block.span(function)
    if extent(place.block, function).end != tool.whole.span.end or function.name == "__init__":
        return None
    return edit(place, span.start, span.start, "async ")
