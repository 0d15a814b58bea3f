"""Makes an element of `tools` a tool: spreads a list, leaves `None` out, wraps an agent."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.model import Entry
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.fixes.annotations import without_part
from adk_tool_lens.fixes.imports import name_for
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit
from adk_tool_lens.fixes.nodes import FUNCTIONS, exactly, parent_of, text_of

_LISTS = {"list", "tuple", "set"}


def repair(case: Case) -> Repair | None:
    """The edits; None when the element stands in no list display, or what was meant cannot be told."""
    element = element_at(case)
    if element is None:
        return None
    entry, node, outer = element
    place = entry.place
    if entry.shape in _LISTS:
        title = f"Spread {_shown(place)} with *"
        return Repair(title, (edit(place, place.span.start, place.span.start, "*"),))
    if entry.shape == "NoneType":
        return _left_out(place, node, outer)
    return _agent(case, place) if entry.shape == "agent" else _named(case, place, entry, node)


def element_at(case: Case) -> tuple[Entry, ast.expr, ast.List | ast.Tuple] | None:
    """The agent's tool that the finding is at, and the display that it is an element of."""
    entries = case.agent.agent.entries if case.agent is not None else ()
    entry = next((each for each in entries if each.place == case.place), None)
    node = exactly(entry.place, ast.expr) if entry is not None else None
    outer = parent_of(entry.place, node) if entry is not None and node is not None else None
    if entry is None or node is None or not isinstance(outer, ast.List | ast.Tuple):
        return None
    return entry, node, outer


def _shown(place: Place) -> str:
    text = " ".join(place.block.text[place.span.start : place.span.end].split())
    return text if len(text) <= 40 else "the list"


def without_element(
    place: Place, node: ast.expr, outer: ast.List | ast.Tuple
) -> tuple[PlacedEdit, ...] | None:
    """A display without an element; None where more would go with it."""
    block = place.block
    if isinstance(outer, ast.Tuple) and len(outer.elts) < 3:
        return None
    parts = [block.span(part) for part in outer.elts]
    if len(parts) == 1 and block.text[parts[0].end : block.span(outer).end - 1].strip():
        return None  # a comma or a comment behind it
    return without_part(place, parts, block.span(node))


def _left_out(place: Place, node: ast.expr, outer: ast.List | ast.Tuple) -> Repair | None:
    edits = without_element(place, node, outer)
    return None if edits is None else Repair("Leave None out of the tools", edits)


def _agent(case: Case, place: Place) -> Repair | None:
    module = case.module_of(place)
    wrapper = (
        name_for(module, "google.adk.tools.agent_tool", "AgentTool", place, "google.adk.tools")
        if module is not None
        else None
    )
    if wrapper is None:
        return None
    start, end = place.span.start, place.span.end
    edits = (
        *wrapper.edits,
        edit(place, start, start, f"{wrapper.text}(agent="),
        edit(place, end, end, ")"),
    )
    return Repair(f"Wrap {_shown(place)} in AgentTool", edits, safe=False)


def _named(case: Case, place: Place, entry: Entry, node: ast.expr) -> Repair | None:
    """A text that is the name of one function of the module."""
    module = case.module_of(place)
    name = node.value if isinstance(node, ast.Constant) else None
    if entry.shape != "str" or module is None or not isinstance(name, str):
        return None
    known = module.bindings.look(name)
    above = known and module.starts[known[0][0]] < module.starts[place.block]
    if len(known) != 1 or not isinstance(known[0][1].node, FUNCTIONS) or not above:
        return None
    title = f"Pass the function {name}, not its name {text_of(place.block, node)}"
    return Repair(title, (edit(place, place.span.start, place.span.end, name),), safe=False)
