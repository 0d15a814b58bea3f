"""Asks a person before the tool runs: `FunctionTool(f, require_confirmation=True)`."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.model import Registration
from adk_tool_lens.fixes.annotations import parts_of
from adk_tool_lens.fixes.imports import name_for
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit
from adk_tool_lens.fixes.nodes import around, exactly

_ARGUMENT = "require_confirmation=True"
_WRAPPERS = ("FunctionTool", "LongRunningFunctionTool")


def repair(case: Case) -> Repair | None:
    """The edits at every place where the tool is handed to an agent; None when one cannot be changed."""
    tool = case.tool
    if tool is None or not tool.registrations:
        return None
    places = {r.place: r for r in tool.registrations}
    parts = [_confirmed(case, registration) for registration in places.values()]
    edits: list[PlacedEdit] = []
    for part in parts:
        if part is None:
            return None
        edits += part
    return Repair(f"Ask for confirmation before '{tool.name}' runs", tuple(dict.fromkeys(edits)), safe=False)


def _confirmed(case: Case, registration: Registration) -> list[PlacedEdit] | None:
    place = registration.place
    module = case.module_of(place)
    node = exactly(place, ast.expr)
    if module is None or node is None:
        return None
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _WRAPPERS:
            if any(keyword.arg == "require_confirmation" for keyword in node.keywords):
                return None
            end = parts_of(place.block, node)[-1].end
            return [edit(place, end, end, f", {_ARGUMENT}")]
        case ast.Name() | ast.Attribute():
            if around(place, ast.List, ast.Tuple) is None:
                return None
            wrapper = name_for(
                module, "google.adk.tools", "FunctionTool", place, "google.adk.tools.function_tool"
            )
            if wrapper is None:
                return None
            span = place.span
            before = edit(place, span.start, span.start, f"{wrapper.text}(")
            return [*wrapper.edits, before, edit(place, span.end, span.end, f", {_ARGUMENT})")]
    return None
