"""Wraps and unwraps calls in the code."""

from __future__ import annotations

import ast
import re

from adk_tool_lens.discovery.module import FunctionNode, Place
from adk_tool_lens.fixes.model import PlacedEdit, edit
from adk_tool_lens.fixes.nodes import FUNCTIONS, chain, exactly
from adk_tool_lens.source.text import Span

_TIGHTER = (ast.Attribute, ast.Subscript, ast.Call)


def call_of(place: Place) -> ast.Call | None:
    """The call that a place is, or is the name of."""
    exact = exactly(place, ast.Call)
    if exact is not None:
        return exact
    for node in reversed(chain(place)):
        if isinstance(node, ast.Call):
            named = place.block.span(node.func)
            return node if named.covers(place.span) else None
    return None


def whole(place: Place, node: ast.AST) -> Place:
    """Where a node of a place's block stands."""
    return Place(place.path, place.block, place.block.span(node))


def function_around(place: Place, node: ast.AST) -> FunctionNode | None:
    """The function whose body runs a node: None for lambdas, classes and lazily run generators."""
    nodes = chain(whole(place, node))
    for outer in reversed(nodes[: nodes.index(node)]):
        if isinstance(outer, FUNCTIONS):
            return outer
        if isinstance(outer, ast.Lambda | ast.ClassDef | ast.GeneratorExp):
            return None
    return None


def awaited(place: Place, node: ast.expr, before: str = "", after: str = "") -> tuple[PlacedEdit, ...]:
    """`await` in front of an expression, in parentheses where something binds tighter."""
    span = place.block.span(node)
    nodes = chain(whole(place, node))
    outer = nodes[nodes.index(node) - 1]
    tight = isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Pow) and outer.left is node
    tight |= isinstance(outer, _TIGHTER) and node in {
        getattr(outer, "value", None),
        getattr(outer, "func", None),
    }
    opening, closing = ("(await ", ")") if tight else ("await ", "")
    start = edit(place, span.start, span.start, f"{opening}{before}")
    end = edit(place, span.end, span.end, f"{after}{closing}")
    return (start, end) if after or closing else (start,)


def added_argument(
    place: Place, call: ast.Call, text: str, *, behind: ast.keyword | None = None
) -> PlacedEdit:
    """A call with one more argument: on a line of its own where the one before it has one.

    Args:
        place: Somewhere in the call's block.
        call: The call.
        text: The argument.
        behind: Which argument it follows; the last one by default.
    """
    block = place.block
    whole = block.span(call)
    spans = sorted((block.span(part) for part in (*call.args, *call.keywords)), key=lambda span: span.end)
    if not spans:
        return edit(place, whole.end - 1, whole.end - 1, text)
    return added_item(place, spans[-1] if behind is None else block.span(behind), whole.end, text)


def added_item(place: Place, last: Span, end: int, text: str) -> PlacedEdit:
    """One more item of a list in brackets, on a line of its own where the one before it has one.

    Args:
        place: Somewhere in the block.
        last: The item that it follows.
        end: Where the brackets close, or later.
        text: The item.
    """
    block, source = place.block, place.block.source
    line = source.line_around(last.start)
    indent = block.text[line.start : last.start]
    after = block.text[last.end : source.line_around(last.end).end]
    if not indent.strip() and last.end + len(after) < end:
        row = f"{source.newline}{indent}{text}"
        if re.fullmatch(r"[ \t]*", after):
            return edit(place, last.end, last.end, f",{row}")
        if re.fullmatch(r",[ \t]*(?:#.*)?", after):
            return edit(place, last.end + len(after), last.end + len(after), f"{row},")
    return edit(place, last.end, last.end, f", {text}")


def opening_bracket(place: Place, call: ast.Call) -> int | None:
    """Where the bracket of a call's arguments opens; None when a comment stands before it."""
    text = place.block.text
    end = place.block.span(call.func).end
    at = end
    while text[at] in " \t\f\r\n\\)":
        at += 1
    return at if text[at] == "(" and not text[end:at].strip() else None
