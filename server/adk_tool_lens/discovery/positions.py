"""Which bindings of a module-level name count where code that runs with the module reads it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from adk_tool_lens.discovery.module import Binding, Mutation
from adk_tool_lens.discovery.values import Scope
from adk_tool_lens.source.blocks import Block

Pairs = tuple[tuple[Block, Binding], ...]
Changes = tuple[tuple[Block, Mutation], ...]


def bound_before(pairs: Pairs, scope: Scope, node: ast.expr | None) -> Pairs | None:
    """The bindings that have run where a name is read.

    None when the code runs later, as function bodies do, or when no binding has run. Models

        LIMIT = 1
        def f(n=LIMIT): ...     # 1
        LIMIT = 2
    """
    block = scope.block
    if block is None or node is None or not runs_at_once(scope):
        return None
    scope.module.in_order(block, *(other for other, _ in pairs))
    order = scope.module.starts
    place = order[block]
    start = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    before = tuple(
        (other, binding)
        for other, binding in pairs
        if order[other] < place or (other is block and _end(binding.node) <= start)
    )
    return before or None


def bound_above(bindings: Sequence[Binding], node: ast.expr | None) -> Sequence[Binding]:
    """The bindings of a function's or class's body that have run where the body itself reads a name.

    All of them when none has run, or when a loop may have come round. Models

        def make():
            limit = 1
            def tool(n=limit): ...  # 1
            limit = 2
            return tool
    """
    if node is None or len(bindings) < 2:
        return bindings
    start = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    if any(guard.loop is not None for binding in bindings for guard in binding.guards):
        return bindings
    return [binding for binding in bindings if _end(binding.node) <= start] or bindings


def changed_between(
    changes: Changes, after: tuple[Block, Binding], scope: Scope, node: ast.expr | None
) -> Changes:
    """The changes of a name that follow a binding and precede a place that reads it, or the module's end."""
    module = scope.module
    module.in_order(after[0], *(block for block, _ in changes), *([scope.block] if scope.block else []))
    order = module.starts
    since = order[after[0]], _end(after[1].node)
    until = (module.source.length + 1, (0, 0))
    if scope.block is not None and node is not None and runs_at_once(scope):
        until = order[scope.block], (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
    return tuple(
        (block, change) for block, change in changes if since <= (order[block], _end(change.node)) <= until
    )


def _end(node: ast.stmt) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0


def runs_at_once(scope: Scope) -> bool:
    """Whether the code of a scope runs when the module does: not in a function."""
    current: Scope | None = scope
    while current is not None:
        if isinstance(current.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return False
        current = current.parent
    return True
