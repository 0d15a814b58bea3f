"""Lets a function that decides about confirmations take all arguments of its tool, as `**kwargs`."""

from __future__ import annotations

import ast
import re

from adk_tool_lens.discovery.functions import parameters
from adk_tool_lens.discovery.module import FunctionNode, Place
from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import FUNCTIONS, chain


def repair(case: Case) -> Repair | None:
    """The edit; None when the function is in another file, or takes them already."""
    place = case.place
    node = _function(place) if place is not None else None
    if place is None or node is None or node.args.kwarg is not None:
        return None
    if any(part.arg == "kwargs" for part in parameters(node)):
        return None
    block, text = place.block, place.block.text
    written = [block.span(part).end for part in ast.walk(node.args) if hasattr(part, "lineno")]
    empty = re.compile(r"[ \t]*\(\)").match(text, place.span.end)
    if not written and empty is None:
        return None
    at = max(written) if written else text.index("(", place.span.end) + 1
    title = f"Let '{node.name}' take all other arguments as **kwargs"
    return Repair(title, (edit(place, at, at, ", **kwargs" if written else "**kwargs"),), safe=False)


def _function(place: Place) -> FunctionNode | None:
    """The function whose name stands at a place."""
    written = place.block.text[place.span.start : place.span.end]
    return next((n for n in reversed(chain(place)) if isinstance(n, FUNCTIONS) and n.name == written), None)
