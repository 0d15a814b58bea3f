"""Passes an object of a class instead of the class: `tools=[Search]` becomes `tools=[Search()]`."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.values import Class
from adk_tool_lens.discovery.world import evaluate
from adk_tool_lens.fixes.bind_method import creatable
from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import exactly, parent_of, scope_at


def repair(case: Case) -> Repair | None:
    """The edits; None when the class cannot be created without arguments."""
    place = case.place
    module = case.module_of(place) if place is not None else None
    node = exactly(place, ast.Name, ast.Attribute) if place is not None else None
    if place is None or module is None or not isinstance(node, ast.expr):
        return None
    outer = parent_of(place, node)
    if isinstance(outer, ast.Call) and outer.func is node:
        return None
    value = evaluate(node, scope_at(module, place), case.world)
    if not isinstance(value, Class) or not creatable(value, case.world):
        return None
    end = place.span.end
    text = ast.unparse(node)
    return Repair(f"Pass {text}() instead of the class", (edit(place, end, end, "()"),), safe=False)
