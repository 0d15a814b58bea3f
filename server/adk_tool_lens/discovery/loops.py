"""The steps of loops and comprehensions over lists that are known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from adk_tool_lens.discovery.values import (
    Const,
    Dictionary,
    Either,
    Item,
    Scope,
    Sequence,
    Unknown,
    Value,
)
from adk_tool_lens.discovery.world import World, evaluate

MAX_STEPS = 2000
"""More steps of one loop are not looked at: a table in a file must not stop the server."""
Loop = tuple[ast.expr, ast.expr]
"""The target and what it runs over."""


@dataclass(frozen=True, eq=False)
class Step:
    """One step: the scope in which the loop's names are bound."""

    scope: Scope
    item: Item | None = None
    """The element that the innermost loop is at."""
    conditional: bool = False


def steps(loops: list[Loop], scope: Scope, world: World, gaps: list[Unknown]) -> Iterator[Step]:
    """The steps of loops in one another; without a loop, one step. What cannot be told is a gap."""
    if not loops:
        yield Step(scope)
        return
    (target, over), *rest = loops
    for item in _elements(evaluate(over, scope, world), over, scope, gaps):
        inner = Scope(scope.module, scope.block, None, scope, dict(bound(target, item.value, scope)))
        for step in steps(rest, inner, world, gaps):
            conditional = step.conditional or item.conditional
            yield replace(step, item=step.item or item, conditional=conditional)


def _elements(value: Value, node: ast.expr, scope: Scope, gaps: list[Unknown]) -> Iterator[Item]:
    match value:
        case Sequence(items=items, gaps=own):
            gaps.extend(own)
            yield from items[:MAX_STEPS]
        case Dictionary():
            yield from _elements(keys_of(value), node, scope, gaps)
        case Either(options=options):
            for option in options:
                for item in _elements(option, node, scope, gaps):
                    yield replace(item, conditional=True)
        case Unknown():
            gaps.append(value if value.node is not None else Unknown(value.reason, node, scope))
        case Const(value=None):
            return
        case _:
            gaps.append(Unknown("this runs over values that only exist when the code runs", node, scope))


def keys_of(value: Dictionary) -> Sequence:
    """The keys of a dict; those that are not known are a gap."""
    known = tuple(replace(item, value=Const(key)) for key, item in value.items if key is not None)
    unknown = any(key is None for key, _ in value.items)
    gap = (Unknown("the keys of a dict are only known when the code runs"),) if unknown else ()
    return Sequence(known, (*value.gaps, *gap))


def pairs_of(value: Dictionary) -> Sequence:
    """`d.items()`: key and value of each entry."""
    rows = []
    for key, item in value.items:
        known: Value = Unknown("this key is only known when the code runs") if key is None else Const(key)
        rows.append(replace(item, value=Sequence((replace(item, value=known), item), kind="tuple")))
    return Sequence(tuple(rows), value.gaps)


def bound(target: ast.expr, value: Value, scope: Scope) -> Iterator[tuple[str, Value]]:
    """What the names of a loop's target stand for in one step."""
    match target:
        case ast.Name(id=name):
            yield name, value
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            known = value.items if isinstance(value, Sequence) and len(value.items) == len(parts) else ()
            for index, part in enumerate(parts):
                missing = Unknown("it gets its value when the code runs", part, scope)
                yield from bound(part, known[index].value if known else missing, scope)


def targets(target: ast.expr) -> set[str]:
    """The names that a loop binds."""
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
