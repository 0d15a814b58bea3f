"""Copies tool objects into a stub: `FunctionTool(f)`, `partial(f, x=1)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import expressions, values
from adk_tool_lens.declaration.frames import Frame, OpaqueError
from adk_tool_lens.discovery.evaluate import evaluate
from adk_tool_lens.discovery.find import FUNCTION_TOOLS, wrapped_function
from adk_tool_lens.discovery.values import Called, Scope

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer


def called(w: Writer, value: Called, into: Frame) -> ast.expr:
    """`FunctionTool(f)`, `partial(f, x=1)`: the function and what changes its declaration."""
    full = value.callee.name
    last = full.rpartition(".")[2]
    if full == "functools.partial":
        return _partial(w, value, into)
    if last in FUNCTION_TOOLS:
        target = wrapped_function(value.call, value.scope, w.world)
        if target is None:
            raise OpaqueError(f"the function given to `{last}` is not known")
        inner = values.write(w, target, into)
        return ast.Call(values.external(full, into), [], [ast.keyword("func", inner)])
    raise OpaqueError(f"`{last}` makes its declaration when the code runs")


def _partial(w: Writer, value: Called, into: Frame) -> ast.expr:
    call, scope = value.call, value.scope
    if not call.args:
        raise OpaqueError("`partial` is given no function")
    target = values.write(w, evaluate(call.args[0], scope, w.world), into)
    frame = w.frame_of(scope)
    positional = [_partial_argument(w, arg, scope, frame) for arg in call.args[1:]]
    keywords = [
        ast.keyword(k.arg, _partial_argument(w, k.value, scope, frame)) for k in call.keywords if k.arg
    ]
    return ast.Call(values.external("functools.partial", into), [target, *positional], keywords)


def _partial_argument(w: Writer, node: ast.expr, scope: Scope, frame: Frame) -> ast.expr:
    try:
        return expressions.expression(w, node, frame)
    except OpaqueError as opaque:
        text = ast.unparse(node)
        w.approximate(f"the value `{text[:80]}` is not known: {opaque.reason}", scope, node)
        return ast.Constant(None)
