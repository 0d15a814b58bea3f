"""What the text of a function's body holds, before any name is looked up: kept with the function's node.

Nested functions, classes and lambdas are not part of a body; only the names that they read are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from adk_tool_lens.discovery.model import Use
from adk_tool_lens.discovery.module import FunctionNode, dotted

Handlers = tuple[tuple[ast.expr | None, ...], ...]
"""What the `try` statements around a statement catch, the outermost first; None for a bare `except`."""


@dataclass(frozen=True, eq=False)
class RawCall:
    """A call, and what is done with its result; `name` is the local name that it is given."""

    node: ast.Call
    use: Use
    awaited: bool
    name: str | None = None


@dataclass(frozen=True, eq=False)
class RawReturn:
    """A `return` (`value` is None for a bare one) or a `yield`."""

    node: ast.AST
    value: ast.expr | None


@dataclass(eq=False)
class Outline:
    """The parts of one body, in the order they are written."""

    calls: list[RawCall] = field(default_factory=list)
    returns: list[RawReturn] = field(default_factory=list)
    raises: list[tuple[ast.Raise, Handlers]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    """The attributes of names, as written: `context.state`."""
    values: dict[str, list[ast.expr | None]] = field(default_factory=dict)
    """What is assigned to local names; None where it cannot be told."""
    keys: dict[str, list[tuple[ast.expr | None, ast.expr]]] = field(default_factory=dict)
    """`d[key] = value`, and `d.update(value)` with None for the key."""
    caught: set[str] = field(default_factory=set)
    """Names of caught exceptions: `except E as name`."""
    uses: dict[str, set[Use]] = field(default_factory=dict)
    """What is done with local names."""
    falls_through: bool = True


def outline(node: FunctionNode | ast.Lambda) -> Outline:
    """The outline of a function; made once for a node."""
    known = getattr(node, "_lens_outline", None)
    if known is None:
        known = Outline()
        if isinstance(node, ast.Lambda):
            known.returns.append(RawReturn(node.body, node.body))
            known.falls_through = False
            _expression(node.body, Use.RETURNED, known)
        else:
            _statements(node.body, (), known)
            known.falls_through = not ends(node.body)
        node._lens_outline = known  # type: ignore[union-attr]
    assert isinstance(known, Outline)  # noqa: S101 - for the type checker
    return known


# ---------------------------------------------------------------- statements


def _statements(body: Iterable[ast.stmt], handlers: Handlers, found: Outline) -> None:
    for statement in body:
        handler = _STATEMENTS.get(type(statement))
        if handler is not None:
            handler(statement, handlers, found)
        else:
            _children(statement, handlers, found)


def _children(node: ast.AST, handlers: Handlers, found: Outline) -> None:
    """Statements without a rule of their own, and `case`: whatever they hold."""
    for name in node._fields:
        value = getattr(node, name, None)
        for part in value if isinstance(value, list) else (value,):
            if isinstance(part, ast.expr):
                _expression(part, Use.PASSED, found)
            elif isinstance(part, ast.stmt):
                _statements((part,), handlers, found)
            elif isinstance(part, ast.match_case):
                _children(part, handlers, found)


def _discarded(node: ast.Expr, _handlers: Handlers, found: Outline) -> None:
    _expression(node.value, Use.DISCARDED, found)
    match node.value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="update"), args=args, keywords=more):
            pairs: list[tuple[ast.expr | None, ast.expr]] = [(None, argument) for argument in args]
            pairs += [(ast.Constant(each.arg) if each.arg else None, each.value) for each in more]
            found.keys.setdefault(name, []).extend(pairs)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[key, value]):
            found.keys.setdefault(name, []).append((key, value))


def _assign(node: ast.Assign, _handlers: Handlers, found: Outline) -> None:
    name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else None
    _expression(node.value, Use.PASSED, found, name if len(node.targets) == 1 else None)
    for target in node.targets:
        _target(target, node.value, found)


def _annotated(node: ast.AnnAssign, _handlers: Handlers, found: Outline) -> None:
    if node.value is not None:
        name = node.target.id if isinstance(node.target, ast.Name) else None
        _expression(node.value, Use.PASSED, found, name)
        _target(node.target, node.value, found)


def _augmented(node: ast.AugAssign, _handlers: Handlers, found: Outline) -> None:
    _expression(node.value, Use.READ, found)
    if isinstance(node.target, ast.Name):
        found.names.add(node.target.id)
        together = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        found.values.setdefault(node.target.id, []).append(together)
    else:
        _expression(node.target, Use.PASSED, found)


def _target(target: ast.expr, value: ast.expr | None, found: Outline) -> None:
    match target:
        case ast.Name(id=name):
            found.values.setdefault(name, []).append(value)
        case ast.Subscript(value=ast.Name(id=name), slice=key):
            _expression(target, Use.PASSED, found)
            if value is not None:
                found.keys.setdefault(name, []).append((key, value))
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            values = value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(targets) else None
            for index, part in enumerate(targets):
                _target(part, values[index] if values else None, found)
        case ast.Starred(value=inner):
            _target(inner, None, found)
        case _:
            _expression(target, Use.PASSED, found)


def _return(node: ast.Return, _handlers: Handlers, found: Outline) -> None:
    found.returns.append(RawReturn(node, node.value))
    if node.value is not None:
        _expression(node.value, Use.RETURNED, found)


def _raise(node: ast.Raise, handlers: Handlers, found: Outline) -> None:
    found.raises.append((node, handlers))
    for part in (node.exc, node.cause):
        if part is not None:
            _expression(part, Use.PASSED, found)


def _if(node: ast.If | ast.While, handlers: Handlers, found: Outline) -> None:
    _expression(node.test, Use.PASSED, found)
    _statements(node.body, handlers, found)
    _statements(node.orelse, handlers, found)


def _for(node: ast.For | ast.AsyncFor, handlers: Handlers, found: Outline) -> None:
    _expression(node.iter, Use.READ if isinstance(node, ast.For) else Use.PASSED, found)
    # One of its elements: what flows into the whole flows into each of them.
    _target(node.target, ast.Subscript(node.iter, ast.Slice(), ast.Load()), found)
    _statements(node.body, handlers, found)
    _statements(node.orelse, handlers, found)


def _with(node: ast.With | ast.AsyncWith, handlers: Handlers, found: Outline) -> None:
    for item in node.items:
        _expression(item.context_expr, Use.PASSED, found)
        if item.optional_vars is not None:
            _target(item.optional_vars, item.context_expr, found)
        match item.context_expr:
            case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=caught):
                handlers = (*handlers, tuple(caught))
    _statements(node.body, handlers, found)


def _try(node: ast.Try, handlers: Handlers, found: Outline) -> None:
    caught = tuple(part for handler in node.handlers for part in _caught(handler.type))
    _statements(node.body, (*handlers, caught), found)
    for handler in node.handlers:
        if handler.name:
            found.caught.add(handler.name)
            found.values.setdefault(handler.name, []).append(None)
        if handler.type is not None:
            _expression(handler.type, Use.PASSED, found)
        _statements(handler.body, handlers, found)
    _statements(node.orelse, handlers, found)
    _statements(node.finalbody, handlers, found)


def _caught(what: ast.expr | None) -> tuple[ast.expr | None, ...]:
    return tuple(what.elts) if isinstance(what, ast.Tuple) else (what,)


def _nested(node: ast.stmt, _handlers: Handlers, found: Outline) -> None:
    _only_names(node, found)
    found.values.setdefault(node.name, []).append(None)  # type: ignore[attr-defined]


def _only_names(node: ast.AST, found: Outline) -> None:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.names.add(part.id)
            found.uses.setdefault(part.id, set()).add(Use.PASSED)


_STATEMENTS: dict[type, Callable[..., None]] = {
    ast.Expr: _discarded,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.If: _if,
    ast.While: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.FunctionDef: _nested,
    ast.AsyncFunctionDef: _nested,
    ast.ClassDef: _nested,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = _try


_NEVER_RETURN = {"sys.exit", "exit", "quit", "os._exit", "os.abort", "pytest.fail", "pytest.skip"}


def ends(body: list[ast.stmt]) -> bool:
    """Whether control never gets past a body: each way through it ends in `return` or `raise`."""
    match body[-1]:
        case ast.Return() | ast.Raise():
            return True
        case ast.Expr(value=ast.Call(func=func)):
            return dotted(func) in _NEVER_RETURN
        case ast.If(body=then, orelse=orelse):
            return bool(orelse) and ends(then) and ends(orelse)
        case ast.With(body=inner) | ast.AsyncWith(body=inner):
            return ends(inner)
        case ast.While(test=ast.Constant(value=value)) as loop if value:
            return not any(isinstance(part, ast.Break) for part in ast.walk(loop))
        case ast.Try(body=inner, handlers=handlers, orelse=orelse, finalbody=finalbody):
            tried = ends(orelse or inner) or ends(inner)
            handled = all(ends(handler.body) for handler in handlers)
            return (tried and handled) or bool(finalbody and ends(finalbody))
        case ast.Match(cases=cases):
            last = cases[-1]
            whole = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
            return whole and last.guard is None and all(ends(case.body) for case in cases)
    return False


# ---------------------------------------------------------------- expressions


def _expression(node: ast.expr, use: Use, found: Outline, name: str | None = None) -> None:
    """Notes calls and names; `use` is what is done with the value, `name` the name it is given."""
    kind = type(node)
    if kind is ast.Name:
        found.names.add(node.id)  # type: ignore[attr-defined]
        found.uses.setdefault(node.id, set()).add(use)  # type: ignore[attr-defined]
    elif kind is ast.Call:
        _call(node, use, found, name, awaited=False)  # type: ignore[arg-type]
    elif kind is not ast.Constant:
        handler = _EXPRESSIONS.get(kind)
        if handler is not None:
            handler(node, use, found, name)
        else:
            _parts(node, Use.READ if kind in _READING else Use.PASSED, found)


_READING = {ast.FormattedValue, ast.Compare, ast.BinOp, ast.UnaryOp}
"""Expressions that look into the values of their parts."""


def _parts(node: ast.AST, use: Use, found: Outline) -> None:
    for field_name in node._fields:
        value = getattr(node, field_name, None)
        if isinstance(value, ast.expr):
            _expression(value, use, found)
        elif isinstance(value, list):
            for part in value:
                if isinstance(part, ast.expr):
                    _expression(part, use, found)
                elif isinstance(part, ast.comprehension):
                    _comprehension(part, found)


def _comprehension(node: ast.comprehension, found: Outline) -> None:
    _expression(node.iter, Use.PASSED if node.is_async else Use.READ, found)
    _target(node.target, ast.Subscript(node.iter, ast.Slice(), ast.Load()), found)
    for test in node.ifs:
        _expression(test, Use.PASSED, found)


def _call(node: ast.Call, use: Use, found: Outline, name: str | None, *, awaited: bool) -> None:
    found.calls.append(RawCall(node, use, awaited, name))
    _expression(node.func, Use.READ, found)
    for argument in node.args:
        _expression(argument, Use.PASSED, found)
    for keyword in node.keywords:
        _expression(keyword.value, Use.PASSED, found)


def _await(node: ast.Await, use: Use, found: Outline, _name: str | None) -> None:
    if isinstance(node.value, ast.Call):
        _call(node.value, use, found, None, awaited=True)
    else:
        _expression(node.value, Use.PASSED, found)


def _subscript(node: ast.Subscript, _use: Use, found: Outline, _name: str | None) -> None:
    _expression(node.value, Use.READ, found)
    _expression(node.slice, Use.PASSED, found)


def _display(node: ast.expr, use: Use, found: Outline, _name: str | None) -> None:
    _parts(node, Use.RETURNED if use is Use.RETURNED else Use.PASSED, found)


def _if_else(node: ast.IfExp, use: Use, found: Outline, name: str | None) -> None:
    _expression(node.test, Use.PASSED, found)
    _expression(node.body, use, found, name)
    _expression(node.orelse, use, found, name)


def _walrus(node: ast.NamedExpr, _use: Use, found: Outline, _name: str | None) -> None:
    _expression(node.value, Use.PASSED, found)
    _target(node.target, node.value, found)


def _yield(node: ast.Yield | ast.YieldFrom, _use: Use, found: Outline, _name: str | None) -> None:
    found.returns.append(RawReturn(node, node.value))
    if node.value is not None:
        _expression(node.value, Use.PASSED, found)


def _lambda(node: ast.Lambda, _use: Use, found: Outline, _name: str | None) -> None:
    _only_names(node, found)


def _attribute(node: ast.Attribute, _use: Use, found: Outline, _name: str | None) -> None:
    if isinstance(node.value, ast.Name):
        found.attributes.add(f"{node.value.id}.{node.attr}")
    _expression(node.value, Use.READ, found)


_EXPRESSIONS: dict[type, Callable[..., None]] = {
    ast.Attribute: _attribute,
    ast.Await: _await,
    ast.Subscript: _subscript,
    ast.Dict: _display,
    ast.List: _display,
    ast.Tuple: _display,
    ast.IfExp: _if_else,
    ast.NamedExpr: _walrus,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.Lambda: _lambda,
}
