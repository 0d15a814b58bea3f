"""Reads what a callback does to the response it is given: what it loses, and what it cuts off."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from adk_tool_lens.discovery.model import Effects
from adk_tool_lens.discovery.module import FunctionNode, Place
from adk_tool_lens.discovery.values import Bound, Function, Scope, Value

RESPONSES = {"after_tool_callback": ("tool_response", 3), "after_model_callback": ("llm_response", 1)}
"""The parameter that a callback may change, by name and by position."""
PLUGIN_RESPONSES = {**RESPONSES, "after_tool_callback": ("result", 3)}
"""The same for the methods of a plugin."""
_COPIES = {"deepcopy", "copy", "dict", "list", "model_copy"}
_CHANGES = {"update", "pop", "popitem", "clear", "setdefault", "append", "extend", "insert", "remove", "sort"}
_LOGS = re.compile(
    r"\b(?:log|logger|logging|_logger|_log|print|warnings?|debug|span|console)\b", re.IGNORECASE
)
_CUTS = {"sample", "islice", "head", "shorten", "nlargest"}
_SAYS = re.compile(
    r"truncat|omitted|shorten|sample|more\b|total|\.\.\.|…|remaining|clipped|\bcut\b|partial|preview|summary",
    re.IGNORECASE,
)


def effects_of(value: Value, kind: str, responses: Mapping[str, tuple[str, int]] = RESPONSES) -> Effects:
    """What a callback does to the response.

    Args:
        value: The function.
        kind: The keyword it is given under.
        responses: The parameters that are responses; for other kinds nothing is read.
    """
    function = value.function if isinstance(value, Bound) else value
    if not isinstance(function, Function) or kind not in responses:
        return Effects()
    response = _response(function.node, responses[kind], skip=isinstance(value, Bound))
    if response is None:
        return Effects()
    reading = _Reading(function.node, function.scope, response)
    return Effects(tuple(_lost(reading)), tuple(_shortened(reading)), _is_marked(reading))


def _response(node: FunctionNode, wanted: tuple[str, int], *, skip: bool) -> str | None:
    name, position = wanted
    rows = [*node.args.posonlyargs, *node.args.args][skip:]
    names = [row.arg for row in (*rows, *node.args.kwonlyargs)]
    if name in names:
        return name
    return rows[position].arg if len(rows) > position else None


@dataclass(eq=False)
class _Reading:
    """A function's statements, nested functions left out."""

    node: FunctionNode
    scope: Scope
    response: str
    nodes: list[ast.AST] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.nodes = list(_inside(self.node.body))

    def place(self, node: ast.AST) -> Place:
        return self.scope.place(node)


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """All nodes in the order they are written."""
    todo: list[ast.AST] = list(reversed(body))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo.extend(reversed(list(ast.iter_child_nodes(node))))


def _loads(node: ast.AST, name: str) -> int:
    return sum(_is_load(part, name) for part in ast.walk(node))


# ---------------------------------------------------------------- lost changes


def _lost(reading: _Reading) -> Iterator[Place]:
    """Changes of a copy of the response that nothing reads, in a callback that returns nothing."""
    if any(isinstance(n, ast.Return) and not _is_none(n.value) for n in reading.nodes):
        return
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in reading.nodes):
        return
    for statement in reading.nodes:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if name == reading.response or _is_copy(value, reading.response):
                    yield from _dead_changes(name, statement, value, reading)


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _is_copy(value: ast.expr, response: str) -> bool:
    """`dict(r)`, `copy.deepcopy(r)`, `r.copy()`, `{**r, ...}`, `{k: v for k, v in r.items()}`."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr=attr)) if base == response:
            return attr in _COPIES
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[ast.Name(id=given)]):
            return name in _COPIES and given == response
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return any(k is None and isinstance(v, ast.Name) and v.id == response for k, v in pairs)
        case ast.DictComp(generators=[generator]) | ast.ListComp(generators=[generator]):
            return _loads(generator.iter, response) > 0
    return False


def _dead_changes(name: str, made: ast.stmt, value: ast.expr, reading: _Reading) -> Iterator[Place]:
    """The change behind a copy or a new value that nothing reads afterwards."""
    later = reading.nodes[reading.nodes.index(made) + 1 :]
    changes = [node for node in later if isinstance(node, ast.stmt) and _changes(node, name)]
    touched = {id(part) for statement in (made, *changes) for part in ast.walk(statement)}
    if any(_is_load(node, name) and id(node) not in touched for node in later):
        return
    if changes:
        yield reading.place(changes[0])
    elif name == reading.response or isinstance(value, ast.Dict | ast.DictComp | ast.ListComp):
        yield reading.place(made)


def _is_load(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _changes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement changes what a name holds: `x["k"] = v`, `x.update(v)`, `del x["k"]`."""
    match statement:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return any(_rests_on(target, name) for target in targets)
        case ast.AugAssign(target=target):
            return _rests_on(target, name)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr=attr))):
            return attr in _CHANGES and _base(base) == name
    return False


def _rests_on(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Subscript | ast.Attribute) and _base(target) == name


def _base(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


# ---------------------------------------------------------------- cut responses


def _shortened(reading: _Reading) -> Iterator[Place]:
    """Where the response is cut, as far as the cut part is returned or written into the response."""
    derived = _derived(reading)
    cut: dict[str, ast.expr] = {}
    for node in reading.nodes:
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                found = _cut_in(value, derived, cut)
                if found is None:
                    continue
                if isinstance(target, ast.Name):
                    cut[target.id] = found
                elif _base(target) == reading.response:
                    yield reading.place(found)
                elif (base := _base(target)) is not None:
                    cut[base] = found
            case ast.Return(value=ast.expr() as value):
                found = _cut_in(value, derived, cut)
                if found is not None:
                    yield reading.place(found)


def _derived(reading: _Reading) -> set[str]:
    """Names that hold the response or a part of it."""
    names = {reading.response}
    for node in reading.nodes:
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                if any(_loads(value, name) for name in names):
                    names |= {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
    return names


def _cut_in(value: ast.expr, derived: set[str], cut: dict[str, ast.expr]) -> ast.expr | None:
    """The part of an expression that cuts the response off; what is logged or compared does not count."""
    todo: list[ast.AST] = [value]
    while todo:
        node = todo.pop()
        match node:
            case ast.Subscript(value=base, slice=ast.Slice(lower=lower, upper=ast.expr() as upper)):
                if _is_start(lower) and not isinstance(upper, ast.UnaryOp) and _uses(base, derived):
                    return node
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _CUTS:
                if _uses(node, derived):
                    return node
            case ast.Call(func=func) if _LOGS.search(ast.unparse(func)):
                continue
            case ast.Name(id=name) if name in cut:
                return cut[name]
            case ast.Compare():
                continue
        todo.extend(ast.iter_child_nodes(node))
    return None


def _is_start(lower: ast.expr | None) -> bool:
    return lower is None or (isinstance(lower, ast.Constant) and lower.value == 0)


def _uses(node: ast.AST, names: set[str]) -> bool:
    return any(_loads(node, name) for name in names)


def _is_marked(reading: _Reading) -> bool:
    """Whether a text in the function tells of the cut: a key `total`, a note `(truncated)`."""
    logged = {
        id(part)
        for node in reading.nodes
        if isinstance(node, ast.Call) and _LOGS.search(ast.unparse(node.func))
        for part in ast.walk(node)
    }
    docstring = reading.node.body[0].value if isinstance(reading.node.body[0], ast.Expr) else None
    return any(
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node is not docstring
        and id(node) not in logged
        and _SAYS.search(node.value)
        for node in reading.nodes
    )
