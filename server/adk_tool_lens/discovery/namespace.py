"""What statements bind and change, read off their syntax and kept with it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from adk_tool_lens.discovery.newer import SINCE
from adk_tool_lens.source.blocks import Block, per_block

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
DefNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
TypeAlias = getattr(ast, "TypeAlias", ())
_CHANGING = frozenset(
    {"add", "appendleft", "clear", "difference_update", "discard", "insert", "intersection_update"}
    | {"pop", "popitem", "remove", "reverse", "setdefault", "sort", "symmetric_difference_update", "update"}
)
"""Methods that change a list, dict or set, beside those whose effect is followed."""


@dataclass(frozen=True, eq=False)
class Guard:
    """A condition under which a binding is reached.

    Models both branches of `if test:` (`holds` tells which) and of `try:`/`except ImportError:`,
    where `imports` are the modules (and late names of the standard library) that the `try` body imports.
    """

    test: ast.expr | None
    holds: bool
    imports: tuple[str, ...] = ()
    loop: tuple[ast.expr, ast.expr] | None = None
    """For the body of `for target in iterable:`."""
    key: int = 0
    """Which statement the guard belongs to: the branches of one `if` or `try` exclude each other."""


@dataclass(frozen=True, eq=False)
class Binding:
    """One statement that gives a name its meaning."""

    name: str
    node: ast.stmt
    value: ast.expr | None = None
    """For `name = value`, also with an annotation."""
    target: ast.expr | None = None
    """For an unpacking or a loop target, which stands for something not written as an expression."""
    imported: tuple[str, str | None] | None = None
    """For imports: the module as written (`..pkg.mod`) and the name taken from it, if any."""
    guards: tuple[Guard, ...] = ()


@dataclass(frozen=True, eq=False)
class Mutation:
    """A statement that changes what a name holds: `x.append(v)`, `x.extend(v)`, `x += v`, `x.a = v`.

    `how` is the method, `extend` for `+=`, `augment` for `-=` and the like, `set` for an attribute,
    `item` for `x[key] = v`, `delete` for `del x[key]` and `del x.__a__`, `update_wrapper` for that function
    of functools, and `given` for a call of anything with `x` as first argument (`name` is `x()` then).
    """

    name: str
    how: str
    value: ast.expr
    node: ast.stmt
    key: ast.expr | None = None
    """For `x[key] = v`; in `Namespace.dressing` what has the attribute."""
    guards: tuple[Guard, ...] = ()


@dataclass
class Namespace:
    """The bindings and mutations of one body, in the order they are written."""

    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    mutations: dict[str, list[Mutation]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    postponed: bool = False
    returns: list[tuple[ast.expr, tuple[Guard, ...]]] = field(default_factory=list)
    """What `return` statements give, and the conditions they stand under."""
    yields: list[ast.expr] = field(default_factory=list)
    dressing: list[Mutation] = field(default_factory=list)
    """What is done to the attributes that functions and classes have from Python: `f.__doc__ = ...`."""


def namespace(body: Iterable[ast.stmt]) -> Namespace:
    """What the statements of a body bind, nested functions and classes not entered."""
    found = Namespace()
    for statement in body:
        _collect(statement, (), found)
    return found


def _bind(found: Namespace, binding: Binding) -> None:
    found.bindings.setdefault(binding.name, []).append(binding)


def _collect(  # noqa: C901, PLR0912 - one table
    node: ast.stmt, guards: tuple[Guard, ...], found: Namespace
) -> None:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            _bind(found, Binding(node.name, node, guards=guards))
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                _assign(target, value, node, guards, found)
            _given(value, node, guards, found)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            _assign(target, value, node, guards, found)
        case ast.AugAssign(target=target, op=ast.Add(), value=value):
            _mutate(target, "extend", value, node, found, guards=guards)
        case ast.AugAssign(target=target, value=value):
            _mutate(target, "augment", value, node, found, guards=guards)
        case ast.Delete(targets=targets):
            for target in targets:
                _delete(target, node, guards, found)
        case ast.Import(names=names):
            for alias in names:
                module = alias.name if alias.asname else alias.name.partition(".")[0]
                _bind(
                    found,
                    Binding(alias.asname or module, node, imported=(module, None), guards=guards),
                )
        case ast.ImportFrom():
            _import_from(node, guards, found)
        case ast.Expr(value=value):
            _expression(value, node, guards, found)
        case ast.Return(value=value) if value is not None:
            found.returns.append((value, guards))
        case _ if TypeAlias and isinstance(node, TypeAlias):
            _bind(found, Binding(node.name.id, node, value=node.value, guards=guards))
        case _:
            _compound(node, guards, found)


def _delete(target: ast.expr, node: ast.stmt, guards: tuple[Guard, ...], found: Namespace) -> None:
    match target:
        case ast.Subscript(value=base, slice=key):
            _mutate(base, "delete", key, node, found, guards=guards)
        case ast.Attribute(attr=attr) if is_dunder(attr):
            _mutate(target, "delete", target, node, found, guards=guards)


def is_dunder(name: str) -> bool:
    """Whether a name is one of Python's own, `__doc__` for example."""
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def _import_from(node: ast.ImportFrom, guards: tuple[Guard, ...], found: Namespace) -> None:
    module = "." * node.level + (node.module or "")
    found.postponed |= module == "__future__" and any(alias.name == "annotations" for alias in node.names)
    for alias in node.names:
        if alias.name == "*":
            found.stars.append(module)
        else:
            name = alias.asname or alias.name
            _bind(found, Binding(name, node, imported=(module, alias.name), guards=guards))


def _expression(value: ast.expr, node: ast.stmt, guards: tuple[Guard, ...], found: Namespace) -> None:
    match value:
        case ast.Call(
            func=ast.Attribute(value=target, attr="append" | "extend" | "insert" | "add" | "update" as how),
            args=[*_, argument],
        ):
            _mutate(target, how, argument, node, found, guards=guards)
        case ast.Call(func=ast.Attribute(value=target, attr=how)) if how in _CHANGING:
            _mutate(target, how, value, node, found, guards=guards)
        case ast.Call(func=ast.Name(id="setattr"), args=[target, ast.Constant(value=str(attr)), given]) if (
            attr.isidentifier()
        ):
            written = ast.copy_location(ast.Attribute(value=target, attr=attr, ctx=ast.Store()), target)
            _mutate(written, "set", given, node, found, guards=guards)
        case ast.Call(
            func=ast.Name(id="update_wrapper") | ast.Attribute(attr="update_wrapper"), args=[target, *_]
        ):
            written = ast.Attribute(value=target, attr="__wrapped__", ctx=ast.Store())
            _mutate(ast.copy_location(written, target), "update_wrapper", value, node, found, guards=guards)
        case ast.Yield(value=ast.expr() as item):
            found.yields.append(item)
        case _:
            _given(value, node, guards, found)


def _given(value: ast.expr, node: ast.stmt, guards: tuple[Guard, ...], found: Namespace) -> None:
    """`describe(f)`, `g = describe(f)`: what is done to `f` there is looked up where it matters."""
    match value:
        case ast.Call(args=[ast.Name(id=name), *_]):
            given = Mutation(f"{name}()", "given", value, node, guards=guards)
            found.mutations.setdefault(given.name, []).append(given)


def dotted(node: ast.expr) -> str | None:
    """`a.b.c` as text, None for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            base = dotted(value)
            return f"{base}.{attr}" if base else None
    return None


def _mutate(  # noqa: PLR0913, PLR0917 - one row of a table
    target: ast.expr,
    how: str,
    value: ast.expr,
    node: ast.stmt,
    found: Namespace,
    key: ast.expr | None = None,
    guards: tuple[Guard, ...] = (),
) -> None:
    name = dotted(target)
    if name:
        mutation = Mutation(name, how, value, node, key, guards)
        found.mutations.setdefault(name, []).append(mutation)
    if isinstance(target, ast.Attribute) and is_dunder(target.attr):
        found.dressing.append(Mutation(target.attr, how, value, node, target.value, guards))


def _assign(
    target: ast.expr,
    value: ast.expr,
    node: ast.stmt,
    guards: tuple[Guard, ...],
    found: Namespace,
) -> None:
    match target:
        case ast.Name(id=name):
            _bind(found, Binding(name, node, value=value, guards=guards))
        case ast.Attribute():
            _mutate(target, "set", value, node, found, guards=guards)
        case ast.Subscript(value=base, slice=key):
            _mutate(base, "item", value, node, found, key, guards)
        case ast.Tuple(elts=targets) | ast.List(elts=targets) if not any(map(_is_starred, targets)):
            for index, (part, part_value) in enumerate(
                zip(targets, _parts(value, len(targets)), strict=True)
            ):
                if part_value is not None:
                    _assign(part, part_value, node, guards, found)
                else:
                    number = ast.Constant(index)
                    picked = ast.Subscript(value=value, slice=number, ctx=ast.Load())
                    ast.copy_location(number, value)
                    _assign(part, ast.copy_location(picked, value), node, guards, found)
        case ast.Tuple() | ast.List() | ast.Starred():
            _opaque(target, node, guards, found)


def _parts(value: ast.expr, count: int) -> list[ast.expr | None]:
    """The values of `a, b = f, g`; None for each where the right side is not written out."""
    written = value.elts if isinstance(value, ast.Tuple | ast.List) else []
    return list(written) if len(written) == count and not any(map(_is_starred, written)) else [None] * count


def _is_starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)


def _opaque(target: ast.expr, node: ast.stmt, guards: tuple[Guard, ...], found: Namespace) -> None:
    for name in ast.walk(target):
        if isinstance(name, ast.Name):
            _bind(found, Binding(name.id, node, target=target, guards=guards))


def _compound(node: ast.stmt, guards: tuple[Guard, ...], found: Namespace) -> None:
    match node:
        case ast.If(test=test, body=body, orelse=orelse):
            _each(body, (*guards, Guard(test, True, key=id(node))), found)
            _each(orelse, (*guards, Guard(test, False, key=id(node))), found)
        case ast.Try() | ast.While() | ast.For() | ast.AsyncFor() | ast.With() | ast.AsyncWith():
            _block_statement(node, guards, found)
        case _ if type(node).__name__ == "TryStar":
            _block_statement(node, guards, found)
        case ast.Match(cases=cases):
            for case in cases:
                # Without a test and a key, so that nothing is sure.
                _each(case.body, (*guards, Guard(None, False)), found)


def _block_statement(node: ast.stmt, guards: tuple[Guard, ...], found: Namespace) -> None:
    match node:
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finalbody):
            imports = tuple(_imported_modules(body))
            _each(body, (*guards, Guard(None, True, imports, key=id(node))), found)
            _each(orelse, (*guards, Guard(None, True, imports, key=id(node))), found)
            for handler in handlers:
                _each(handler.body, (*guards, Guard(None, False, imports, key=id(node))), found)
            _each(finalbody, guards, found)
        case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
            for item in items:
                if item.optional_vars is not None:
                    _opaque(item.optional_vars, node, guards, found)
            _each(body, guards, found)
        case ast.For(target=target, body=body) | ast.AsyncFor(target=target, body=body):
            _opaque(target, node, guards, found)
            _each(body, (*guards, Guard(None, True, loop=(target, node.iter))), found)
            _each(node.orelse, guards, found)
        case ast.While(body=body, orelse=orelse):
            _each([*body, *orelse], guards, found)


def _each(body: Iterable[ast.stmt], guards: tuple[Guard, ...], found: Namespace) -> None:
    for statement in body:
        _collect(statement, guards, found)


def _imported_modules(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                yield module
                yield from (name for name in (f"{module}.{alias.name}" for alias in names) if name in SINCE)


@per_block
def block_namespace(block: Block) -> Namespace:
    """What a block binds at module level."""
    return namespace(block.tree.body if block.tree is not None else ())


def body_namespace(node: DefNode) -> Namespace:
    """What the body of a function or class binds; kept with the node."""
    known = getattr(node, "_lens_namespace", None)
    if known is None:
        known = namespace(node.body)
        node._lens_namespace = known  # type: ignore[union-attr]
    return known
