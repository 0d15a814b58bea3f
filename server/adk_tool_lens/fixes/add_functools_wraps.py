"""Adds `@functools.wraps(f)` to the function that a decorator returns."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.module import FunctionNode, Module, Place
from adk_tool_lens.discovery.values import Function
from adk_tool_lens.discovery.world import evaluate
from adk_tool_lens.fixes.imports import module_for
from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import FUNCTIONS, around, extent, scope_at


def repair(case: Case) -> Repair | None:
    """The edits in the decorator's own file; None when its text is not one of the usual two forms."""
    place = case.place
    module = case.module_of(place) if place is not None else None
    decorator = _decorator(place) if place is not None else None
    if place is None or module is None or decorator is None:
        return None
    called = isinstance(decorator, ast.Call)
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    value = evaluate(target, scope_at(module, place), case.world)
    if not isinstance(value, Function):
        return None
    outer = _returned(value.node) if called else value.node
    wrapper = _returned(outer) if outer is not None else None
    if outer is None or wrapper is None or not outer.args.args:
        return None
    return _wrapped(case, value, outer.args.args[0].arg, wrapper)


def _decorator(place: Place) -> ast.expr | None:
    node = around(place, ast.FunctionDef) or around(place, ast.AsyncFunctionDef)
    for decorator in node.decorator_list if node is not None else ():
        span = place.block.span(decorator)
        if span.start <= place.span.end and place.span.start <= span.end:
            return decorator
    return None


def _returned(node: FunctionNode) -> FunctionNode | None:
    """The function defined in a body that the body returns."""
    inner = {part.name: part for part in node.body if isinstance(part, FUNCTIONS)}
    match node.body[-1]:
        case ast.Return(value=ast.Name(id=name)):
            return inner.get(name)
    return None


def _wrapped(case: Case, decorator: Function, wrapped: str, wrapper: FunctionNode) -> Repair | None:
    module: Module = decorator.scope.module
    block = decorator.scope.block
    if block is None or any("wraps" in ast.unparse(d) for d in wrapper.decorator_list):
        return None
    start = extent(block, wrapper).start
    where = Place(module.path, block, block.span(wrapper))
    if case.module_of(where) is None:
        return None
    functools = module_for(module, "functools", where)
    line = block.source.line_around(start).start
    indent = block.text[line:start]
    if functools is None or indent.strip():
        return None
    text = f"@{functools.text}.wraps({wrapped}){block.source.newline}{indent}"
    title = f"Add @functools.wraps({wrapped}) to the function that {decorator.node.name} returns"
    return Repair(title, (*functools.edits, edit(where, start, start, text)))
