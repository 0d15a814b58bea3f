"""Asks a person before the tool runs: `FunctionTool(f, require_confirmation=True)`."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.facts import external_name
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.fixes.calls import added_argument
from adk_tool_lens.fixes.imports import name_for
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit
from adk_tool_lens.fixes.nodes import around, exactly, scope_at
from adk_tool_lens.fixes.versions import takes_confirmation

_ARGUMENT = "require_confirmation=True"
_WRAPPERS = {"google.adk.tools.FunctionTool", "google.adk.tools.function_tool.FunctionTool"}


def repair(case: Case) -> Repair | None:
    """The edits at every place where the tool is handed to an agent in this form.

    None when one of them cannot be changed: `LongRunningFunctionTool` takes no such argument.
    """
    tool, own = case.tool, case.place
    if tool is None or own is None or not tool.registrations or not takes_confirmation(case.facts.adk):
        return None
    places = dict.fromkeys((own, *(r.place for r in tool.registrations)))
    edits: list[PlacedEdit] = []
    for place in places:
        part = _confirmed(case, place)
        if part is None:
            return None
        edits += part
    return Repair(f"Ask for confirmation before '{tool.name}' runs", tuple(dict.fromkeys(edits)), safe=False)


def _confirmed(case: Case, place: Place) -> list[PlacedEdit] | None:
    module = case.module_of(place)
    node = exactly(place, ast.expr)
    if module is None or node is None:
        return None
    match node:
        case ast.Call(func=func):
            given = {keyword.arg for keyword in node.keywords}
            if external_name(func, scope_at(module, place), case.world) not in _WRAPPERS:
                return None
            if given & {"require_confirmation", None}:
                return None
            return [added_argument(place, node, _ARGUMENT)]
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
