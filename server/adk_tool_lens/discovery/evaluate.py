"""Reads expressions as values: which function, class, list or agent a name stands for.

This is an abstract reading, never an execution: calls of the project's own functions are followed
through their `return` statements, conditions that cannot be told give `Either`, and whatever stays
unclear is `Unknown` with a reason for people.
"""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.attributes import attribute, bases, class_member, is_agent, keyword
from adk_tool_lens.discovery.calls import apply, call
from adk_tool_lens.discovery.conditions import branches
from adk_tool_lens.discovery.constants import fold
from adk_tool_lens.discovery.containers import (
    comprehension,
    dict_comprehension,
    dict_display,
    display,
    subscript,
    total,
    union,
)
from adk_tool_lens.discovery.names import decorate, lookup, module_member, reachable
from adk_tool_lens.discovery.values import Const, Dictionary, Lambda, Scope, Unknown, Value
from adk_tool_lens.discovery.world import World, either, evaluate, kept

__all__ = [
    "World",
    "apply",
    "bases",
    "class_member",
    "decorate",
    "evaluate",
    "is_agent",
    "kept",
    "keyword",
    "module_member",
    "reachable",
    "read",
]


def read(node: ast.expr, scope: Scope, world: World) -> Value:  # noqa: C901, PLR0912 - one table
    """What an expression stands for; to be called through `evaluate`, which guards against cycles."""
    match node:
        case ast.Constant(value=value):
            return Const(value)
        case ast.Name(id=name):
            return lookup(name, scope, world, node)
        case ast.Attribute(value=base, attr=attr):
            return attribute(evaluate(base, scope, world), attr, node, scope, world)
        case ast.Call():
            return call(node, scope, world)
        case ast.List() | ast.Tuple() | ast.Set():
            return display(node, scope, world)
        case ast.Dict():
            return dict_display(node, scope, world)
        case ast.Lambda():
            return Lambda(node, scope)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return total(node, evaluate(left, scope, world), evaluate(right, scope, world), scope)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            first, second = evaluate(left, scope, world), evaluate(right, scope, world)
            if isinstance(first, Dictionary) and isinstance(second, Dictionary):
                return union(first, second)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return either(evaluate(part, scope, world) for part in branches(test, body, orelse, scope, world))
        case ast.BoolOp(op=op, values=values):
            return _first_deciding(op, [evaluate(value, scope, world) for value in values])
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
            return comprehension(node, scope, world)
        case ast.DictComp():
            return dict_comprehension(node, scope, world)
        case ast.Subscript(value=base, slice=index):
            return subscript(evaluate(base, scope, world), index, node, scope, world)
        case ast.Await(value=value) | ast.NamedExpr(value=value) | ast.Starred(value=value):
            return evaluate(value, scope, world)
    folded = fold(node, lambda part: evaluate(part, scope, world))
    return Unknown("it is computed when the code runs", node, scope) if folded is None else folded


def _first_deciding(operator: ast.boolop, values: list[Value]) -> Value:
    """`x or 3`: what is known to be false (for `and`: true) is passed over."""
    left: list[Value] = []
    for value in values[:-1]:
        if not isinstance(value, Const):
            left.append(value)
        elif bool(value.value) is isinstance(operator, ast.Or):
            return either([*left, value])
    return either([*left, values[-1]])
