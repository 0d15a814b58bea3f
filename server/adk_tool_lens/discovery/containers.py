"""Lists, tuples, sets and dicts as values, and what changes them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace as with_changes

from adk_tool_lens.discovery.conditions import guard_holds
from adk_tool_lens.discovery.constants import fold
from adk_tool_lens.discovery.loops import keys_of, steps, targets
from adk_tool_lens.discovery.module import Mutation
from adk_tool_lens.discovery.values import (
    Const,
    Dictionary,
    Either,
    External,
    Item,
    Scope,
    Sequence,
    Unknown,
    Value,
)
from adk_tool_lens.discovery.world import World, either, evaluate


def display(node: ast.List | ast.Tuple | ast.Set, scope: Scope, world: World) -> Value:
    """A list, tuple or set display with what `*` spreads into it."""
    items: list[Item] = []
    gaps: list[Unknown] = []
    for element in node.elts:
        if isinstance(element, ast.Starred):
            spread(evaluate(element.value, scope, world), element.value, scope, items, gaps)
        else:
            items.append(Item(evaluate(element, scope, world), element, scope))
    return Sequence(tuple(items), tuple(gaps), type(node).__name__.lower())


def spread(value: Value, node: ast.expr, scope: Scope, items: list[Item], gaps: list[Unknown]) -> None:
    """Adds the elements of a value to a list that is being read; what cannot be told is a gap."""
    match value:
        case Sequence():
            items.extend(value.items)
            gaps.extend(value.gaps)
        case Either(options=options):
            for option in options:
                if isinstance(option, Sequence):
                    items.extend(with_changes(item, conditional=True) for item in option.items)
                    gaps.extend(option.gaps)
                elif isinstance(option, Unknown):
                    gaps.append(_located(option, node, scope))
        case Const(value=None):
            pass
        case Unknown():
            gaps.append(_located(value, node, scope))
        case _:
            gaps.append(Unknown("this part of the list is made when the code runs", node, scope))


def _located(unknown: Unknown, node: ast.expr, scope: Scope) -> Unknown:
    return unknown if unknown.node is not None else Unknown(unknown.reason, node, scope)


def total(node: ast.BinOp, left: Value, right: Value, scope: Scope) -> Value:
    """`a + b` of lists or constants."""
    if isinstance(left, Const) and isinstance(right, Const):
        folded = fold(node, lambda part: left if part is node.left else right)
        return folded or Unknown("it is computed when the code runs", node, scope)
    items: list[Item] = []
    gaps: list[Unknown] = []
    spread(left, node.left, scope, items, gaps)
    spread(right, node.right, scope, items, gaps)
    kind = left.kind if isinstance(left, Sequence) else "list"
    return Sequence(tuple(items), tuple(gaps), kind)


def mutated(value: Value, changes: list[tuple[Scope, Mutation]], world: World) -> Value:
    """A list or dict after the statements that add to it."""
    match value:
        case Sequence():
            items, gaps = list(value.items), list(value.gaps)
            for scope, change, conditional in _steps(changes, world, gaps):
                _extend(change, scope, world, items, gaps, conditional=conditional)
            return Sequence(tuple(items), tuple(gaps), value.kind)
        case Dictionary():
            pairs, gaps = list(value.items), list(value.gaps)
            for scope, change, conditional in _steps(changes, world, gaps):
                _put(change, scope, world, pairs, gaps, conditional=conditional)
            return Dictionary(tuple(pairs), tuple(gaps))
        case Const():
            return _augmented(value, changes, world)
    return value


def _augmented(value: Const, changes: list[tuple[Scope, Mutation]], world: World) -> Value:
    """A number or text after `X += 1`."""
    current = value
    for scope, change in changes:
        if not isinstance(change.node, ast.AugAssign):
            continue
        folded = _step(current, change.node.op, evaluate(change.value, scope, world))
        if folded is None:
            return _changed(change, scope)
        current = folded
    return current


def _step(left: Value, operator: ast.operator, right: Value) -> Const | None:
    operands = {"left": left, "right": right}
    names = [ast.Name(id=name, ctx=ast.Load()) for name in operands]
    step = ast.BinOp(left=names[0], op=operator, right=names[1])
    return fold(step, lambda part: operands[part.id] if isinstance(part, ast.Name) else left)


def _changed(change: Mutation, scope: Scope) -> Unknown:
    return Unknown(f"`{change.name}` is changed when the code runs", change.node, scope)


def _steps(
    changes: list[tuple[Scope, Mutation]], world: World, gaps: list[Unknown]
) -> Iterator[tuple[Scope, Mutation, bool]]:
    """The changes that may happen, those in a loop once for each step of it that is known."""
    for scope, change in changes:
        holds = [guard_holds(guard, scope, world) for guard in change.guards]
        if any(known is False for known in holds):
            continue
        conditional = any(known is None for known in holds)
        names = {node.id for part in (change.value, change.key) for node in _names(part)}
        loops = [g.loop for g in change.guards if g.loop is not None and names & targets(g.loop[0])]
        for step in steps(loops, scope, world, gaps):
            yield step.scope, change, conditional or step.conditional


def _names(node: ast.expr | None) -> Iterator[ast.Name]:
    if node is not None:
        yield from (inner for inner in ast.walk(node) if isinstance(inner, ast.Name))


def _extend(  # noqa: PLR0913 - one row of a table
    change: Mutation,
    scope: Scope,
    world: World,
    items: list[Item],
    gaps: list[Unknown],
    *,
    conditional: bool,
) -> None:
    if change.how in {"append", "insert", "add"}:
        items.append(Item(evaluate(change.value, scope, world), change.value, scope, conditional))
    elif change.how in {"extend", "update"}:
        more: list[Item] = []
        spread(evaluate(change.value, scope, world), change.value, scope, more, gaps)
        items += [with_changes(item, conditional=item.conditional or conditional) for item in more]
    elif change.how != "set":
        gaps.append(_changed(change, scope))


def _put(  # noqa: PLR0913 - one row of a table
    change: Mutation,
    scope: Scope,
    world: World,
    pairs: list[tuple[object, Item]],
    gaps: list[Unknown],
    *,
    conditional: bool,
) -> None:
    if change.how == "item" and change.key is not None:
        key = evaluate(change.key, scope, world)
        item = Item(evaluate(change.value, scope, world), change.value, scope, conditional)
        pairs.append((key.value if isinstance(key, Const) else None, item))
    elif change.how == "update":
        whole = isinstance(change.node, ast.Expr) and change.value is change.node.value
        if whole and isinstance(change.value, ast.Call):
            more = dict_call(change.value, scope, world)
        else:
            more = evaluate(change.value, scope, world)
        if isinstance(more, Dictionary):
            pairs += more.items
            gaps += more.gaps
        else:
            gaps.append(_changed(change, scope))
    elif change.how not in {"item", "set"}:
        gaps.append(_changed(change, scope))


def dict_display(node: ast.Dict, scope: Scope, world: World) -> Value:
    """A dict display with what `**` spreads into it."""
    pairs: list[tuple[object, Item]] = []
    gaps: list[Unknown] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            inner = evaluate(value, scope, world)
            if isinstance(inner, Dictionary):
                pairs.extend(inner.items)
                gaps.extend(inner.gaps)
            else:
                gaps.append(Unknown("this part of the dict is made at run time", value, scope))
            continue
        known = evaluate(key, scope, world)
        item = Item(evaluate(value, scope, world), value, scope)
        pairs.append((known.value if isinstance(known, Const) else None, item))
    return Dictionary(tuple(pairs), tuple(gaps))


def dict_call(node: ast.Call, scope: Scope, world: World) -> Value:
    """`dict(base, a=1, **more)`."""
    first = [(None, argument) for argument in node.args]
    return _spread_pairs([*first, *((each.arg, each.value) for each in node.keywords)], scope, world)


def keywords_of(call: ast.Call, scope: Scope, world: World) -> Dictionary:
    """The keyword arguments of a call, those of `**more` included."""
    return _spread_pairs([(each.arg, each.value) for each in call.keywords], scope, world)


def union(left: Dictionary, right: Dictionary) -> Dictionary:
    """`a | b`: where both have a key, the one on the right counts."""
    return Dictionary((*left.items, *right.items), (*left.gaps, *right.gaps))


def _spread_pairs(written: list[tuple[str | None, ast.expr]], scope: Scope, world: World) -> Dictionary:
    pairs: list[tuple[object, Item]] = []
    gaps: list[Unknown] = []
    for name, node in written:
        value = evaluate(node, scope, world)
        if name is not None:
            pairs.append((name, Item(value, node, scope)))
        elif isinstance(value, Dictionary):
            pairs.extend(value.items)
            gaps.extend(value.gaps)
        else:
            gaps.append(Unknown("this part of the dict is made at run time", node, scope))
    return Dictionary(tuple(pairs), tuple(gaps))


def as_sequence(node: ast.Call, scope: Scope, world: World) -> Value:
    """`list(x)`, `tuple(x)`, `sorted(x)`."""
    if not node.args:
        return Sequence(())
    value = evaluate(node.args[0], scope, world)
    if isinstance(value, Dictionary):
        return keys_of(value)
    return value


def subscript(base: Value, index: ast.expr, node: ast.expr, scope: Scope, world: World) -> Value:
    """`base[index]`."""
    if isinstance(base, Sequence) and isinstance(index, ast.Slice):
        return base
    key = evaluate(index, scope, world)
    match base, key:
        case Dictionary(items=items), Const(value=wanted):
            hits = [item.value for known, item in items if known == wanted]
            if hits:
                return hits[-1]
        case Dictionary(items=items), _ if items:
            return either(item.value for _, item in items)
        case Sequence(items=items), Const(value=int(position)) if -len(items) <= position < len(items):
            return items[position].value
        case External(), _:
            return base
    return Unknown("which element this is is only known when the code runs", node, scope)


def comprehension(node: ast.ListComp | ast.GeneratorExp | ast.SetComp, scope: Scope, world: World) -> Value:
    """`[wrap(f) for f in (a, b)]`, over lists that are known; conditions may hold."""
    gaps: list[Unknown] = []
    items = []
    filtered = any(generator.ifs for generator in node.generators)
    for step in steps([(g.target, g.iter) for g in node.generators], scope, world, gaps):
        value = evaluate(node.elt, step.scope, world)
        source = step.item if isinstance(node.elt, ast.Name) and step.item is not None else None
        written = (node.elt, step.scope) if source is None else (source.node, source.scope)
        items.append(Item(value, *written, filtered or step.conditional))
    return Sequence(tuple(items), tuple(gaps))


def dict_comprehension(node: ast.DictComp, scope: Scope, world: World) -> Value:
    """`{f.__name__: f for f in (a, b)}`."""
    gaps: list[Unknown] = []
    pairs: list[tuple[object, Item]] = []
    filtered = any(generator.ifs for generator in node.generators)
    for step in steps([(g.target, g.iter) for g in node.generators], scope, world, gaps):
        key = evaluate(node.key, step.scope, world)
        value = evaluate(node.value, step.scope, world)
        item = Item(value, node.value, step.scope, filtered or step.conditional)
        pairs.append((key.value if isinstance(key, Const) else None, item))
    return Dictionary(tuple(pairs), tuple(gaps))
