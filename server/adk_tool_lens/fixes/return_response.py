"""Returns the response that a callback has changed, where it changes a copy that nobody sees."""

from __future__ import annotations

import ast
import re

from adk_tool_lens.discovery.functions import parameters
from adk_tool_lens.discovery.module import FunctionNode
from adk_tool_lens.fixes.calls import function_around
from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import chain
from adk_tool_lens.source.blocks import Block

_SUITES = ("body", "orelse", "finalbody")


def repair(case: Case) -> Repair | None:
    """The edit: a `return` at the end of the suite that makes the copy."""
    place = case.place
    statement = next((n for n in reversed(chain(place)) if isinstance(n, ast.stmt)), None) if place else None
    function = function_around(place, statement) if place is not None and statement is not None else None
    name = _changed(statement) if statement is not None else None
    if place is None or function is None or name is None or name in _shared(function):
        return None
    suite = _suite(function, name)
    text = _return(place.block, suite, name) if suite else None
    if text is None:
        return None
    at, written = text
    return Repair(f"Return {name} from '{function.name}'", (edit(place, *at, written),), safe=False)


def _changed(statement: ast.stmt) -> str | None:
    """The name whose value a statement makes or changes."""
    match statement:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            pass
        case ast.Delete(targets=[target]) | ast.Expr(value=ast.Call(func=target)):
            pass
        case _:
            return None
    while isinstance(target, ast.Attribute | ast.Subscript | ast.Call):
        target = target.func if isinstance(target, ast.Call) else target.value
    return target.id if isinstance(target, ast.Name) else None


def _shared(function: FunctionNode) -> set[str]:
    found = (part.names for part in ast.walk(function) if isinstance(part, ast.Global | ast.Nonlocal))
    return {name for names in found for name in names}


def _suite(function: FunctionNode, name: str) -> list[ast.stmt]:
    """The statements among which a name is bound first; the function's own for a parameter."""
    if name in {part.arg for part in parameters(function)}:
        return function.body
    for outer in (function, *ast.walk(function)):
        for field in _SUITES:
            suite: list[ast.stmt] = getattr(outer, field, [])
            for part in suite if isinstance(suite, list) else ():
                targets = getattr(part, "targets", None) or [getattr(part, "target", None)]
                if any(isinstance(each, ast.Name) and each.id == name for each in targets):
                    return suite if not isinstance(outer, ast.For | ast.While | ast.AsyncFor) else []
    return []


def _return(block: Block, suite: list[ast.stmt], name: str) -> tuple[tuple[int, int], str] | None:
    """Where to write the `return`, and its text; None where the suite's lines are shared."""
    last, source = suite[-1], block.source
    span = block.span(last)
    if isinstance(last, ast.Return):
        return (span.start, span.end), f"return {name}"
    if isinstance(last, ast.Raise):
        return None
    first = block.span(suite[0]).start
    indent = block.text[source.line_around(first).start : first]
    end = source.line_around(span.end).end
    if indent.strip() or not re.fullmatch(r"[ \t]*(?:#.*)?", block.text[span.end : end]):
        return None
    return (end, end), f"{source.newline}{indent}return {name}"
