"""Looks the names of a function's body up, and follows its parameters through local names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from adk_tool_lens.discovery.evaluate import World, evaluate
from adk_tool_lens.discovery.functions import parameters
from adk_tool_lens.discovery.model import Expression
from adk_tool_lens.discovery.module import Binding, Place, absolute
from adk_tool_lens.discovery.outline import Outline, outline
from adk_tool_lens.discovery.values import (
    Bound,
    Class,
    Const,
    External,
    Function,
    Instance,
    Lambda,
    ModuleRef,
    Scope,
    Value,
)
from adk_tool_lens.source.blocks import Block

_DEPTH = 12
_KEEPS_TEXT = {
    *("strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "casefold"),
    *("format", "join", "replace", "removeprefix", "removesuffix", "split", "splitlines"),
    *("encode", "decode", "copy", "get", "items", "values"),
}
"""Methods whose result still holds what their object or arguments hold."""
_CONVERTS = {
    *("builtins.str", "builtins.list", "builtins.tuple", "builtins.set", "builtins.dict"),
    *("builtins.bytes", "builtins.sorted", "builtins.repr", "copy.copy", "copy.deepcopy"),
    *("os.path.join", "os.path.expanduser", "pathlib.Path", "pathlib.PurePath"),
    *("sqlalchemy.text", "sqlalchemy.sql.text", "textwrap.dedent"),
}
"""Functions whose result still holds what they are given."""


def qualname(value: Function | Class) -> str:
    """The name with the functions and classes around it, as `__qualname__` has it without locals."""
    parts = [value.node.name]
    scope: Scope | None = value.scope
    while scope is not None:
        if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            parts.append(scope.node.name)
        scope = scope.parent
    return ".".join(reversed(parts))


@dataclass(eq=False)
class Reader:
    """The outline of one function with what is needed to look its names up."""

    found: Outline
    scope: Scope
    world: World
    parameters: frozenset[str]
    carried: dict[str, frozenset[str]] = field(default_factory=dict)

    def place(self, node: ast.AST) -> Place:
        """Where a node stands."""
        return self.scope.place(node)

    def text(self, node: ast.AST) -> Expression:
        """A node as it is written."""
        where = self.scope.place(node)
        return Expression(where.block.text[where.span.start : where.span.end], where)


def reader_of(function: Function | Lambda, world: World) -> Reader:
    """What reads the names of one function."""
    node, outer = function.node, function.scope
    arguments = node.args
    rows = (*parameters(node), arguments.vararg, arguments.kwarg)
    names = [row.arg for row in rows if row is not None]
    known: dict[str, Value] = {}
    if isinstance(function, Function) and function.owner is not None and names and _takes_self(function):
        known[names[0]] = Instance(function.owner, None, function.owner.scope)
    parent = outer if outer.node is not None or outer.arguments else None
    scope = Scope(outer.module, outer.block, node, parent, known)
    return Reader(outline(node), scope, world, frozenset(names) - known.keys())


def _takes_self(function: Function) -> bool:
    return not any(
        isinstance(d, ast.Name) and d.id in {"staticmethod", "classmethod"}
        for d in function.node.decorator_list
    )


# ---------------------------------------------------------------- names


def name_of(value: Value) -> str | None:
    """The full name of a function, a class or something external."""
    match value:
        case External(name=name):
            return name
        case Function() | Class():
            return f"{value.scope.module.name}.{qualname(value)}"
        case Bound(function=function):
            return f"{function.scope.module.name}.{qualname(function)}"
    return None


def value_of(node: ast.expr, reader: Reader) -> Value | None:
    """What a name or attribute stands for, unless it begins with a local name or a parameter.

    What lies in installed packages is not looked into: its name is the one that it is imported by.
    """
    base = node
    while isinstance(base, ast.Attribute):
        base = base.value
    if not isinstance(base, ast.Name) or base.id in reader.parameters or base.id in reader.found.values:
        return None
    value = evaluate(node, reader.scope, reader.world)
    return None if _is_installed(value) else value


def _is_installed(value: Value) -> bool:
    match value:
        case ModuleRef(module=module):
            return module.installed
        case Function(scope=scope) | Class(scope=scope):
            return scope.module.installed
        case Bound(function=Function(scope=scope)):
            return scope.module.installed
    return False


def full_name(node: ast.expr, reader: Reader, depth: int = 0) -> str:
    """The full name of what is called or read, as far as imports and names bound once tell it."""
    if depth > _DEPTH:
        return "?"
    match node:
        case ast.Name(id=name):
            return _full_local(name, node, reader, depth)
        case ast.Attribute(value=base, attr=attr):
            value = value_of(node, reader)
            known = None if value is None else name_of(value)
            return known or f"{full_name(base, reader, depth + 1)}.{attr}"
        case ast.Call(func=inner) | ast.Await(value=inner):
            return full_name(inner, reader, depth + 1)
    return "?"


def _full_local(name: str, node: ast.Name, reader: Reader, depth: int) -> str:
    values = reader.found.values.get(name)
    if values is not None:
        return _bound_once(name, values, reader, depth)
    if name in reader.parameters:
        return name
    value = value_of(node, reader)
    known = None if value is None else name_of(value)
    return known or _by_binding(name, reader, depth) or name


def _bound_once(name: str, values: Sequence[ast.expr | None], reader: Reader, depth: int) -> str:
    """The name of what a variable holds: `cursor` is `sqlite3.connect.cursor`."""
    if len(values) == 1 and isinstance(values[0], ast.Call | ast.Await | ast.Attribute | ast.Name):
        known = full_name(values[0], reader, depth + 1)
        return name if known.startswith("?") else known
    return name


def _by_binding(name: str, reader: Reader, depth: int) -> str | None:
    """The name that an import gives, or what a variable of the module holds."""
    module = reader.scope.module
    own = reader.scope.names
    local = own.bindings.get(name) if own is not None else None
    pairs: list[tuple[Block | None, Binding]] = list(module.bindings.get(name, ()))
    if local:
        pairs = [(reader.scope.block, each) for each in local]
    if not pairs:
        return None
    block, binding = pairs[-1]
    if binding.imported is not None:
        written, member = binding.imported
        return ".".join(filter(None, (absolute(written, module), member)))
    outside = Reader(Outline(), Scope(module, block), reader.world, frozenset())
    return _bound_once(name, [each.value for _, each in pairs], outside, depth)


# ---------------------------------------------------------------- what flows into a value


def carried(node: ast.expr, reader: Reader, depth: int = 0) -> frozenset[str]:
    """The parameters whose value is part of an expression's value."""
    kind = type(node)
    if kind is ast.Constant or not reader.parameters or depth > _DEPTH:
        return frozenset()
    if kind is ast.Name:
        return _carried_by(node.id, reader, depth)  # type: ignore[attr-defined]
    return frozenset().union(*(carried(part, reader, depth + 1) for part in _contents(node, reader)))


def _carried_by(name: str, reader: Reader, depth: int) -> frozenset[str]:
    if name in reader.carried:
        return reader.carried[name]
    own = frozenset({name} if name in reader.parameters else ())
    values = reader.found.values.get(name, ())
    if not values:
        return own
    reader.carried[name] = own
    parts = (carried(value, reader, depth + 1) for value in values if value is not None)
    reader.carried[name] = own.union(*parts)
    return reader.carried[name]


def _contents(node: ast.expr, reader: Reader) -> Iterator[ast.expr]:
    """The expressions whose value is part of the value of another."""
    match node:
        case ast.JoinedStr(values=parts):
            yield from (part.value for part in parts if isinstance(part, ast.FormattedValue))
        case ast.BinOp(left=left, right=right):
            yield from (left, right)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.BoolOp(values=parts):
            yield from parts
        case ast.Dict(values=parts):
            yield from parts
        case ast.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case (
            ast.Await(value=value)
            | ast.Starred(value=value)
            | ast.NamedExpr(value=value)
            | ast.Subscript(value=value)
        ):
            yield value
        case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
            yield part
        case ast.Call():
            yield from _kept(node, reader)


def _kept(call: ast.Call, reader: Reader) -> Iterator[ast.expr]:
    """What stays part of a call's result: of methods of strings, and of conversions."""
    arguments = (*call.args, *(keyword.value for keyword in call.keywords))
    match call.func:
        case ast.Attribute(value=base, attr=attr) if attr in _KEEPS_TEXT:
            yield base
            if attr in {"format", "join", "replace"}:
                yield from arguments
            return
    value = value_of(call.func, reader)
    name = (name_of(value) if value is not None else None) or full_name(call.func, reader)
    if name in _CONVERTS or (name.startswith("sqlalchemy.") and name.endswith(".text")):
        yield from arguments


def literal(node: ast.expr, reader: Reader, depth: int = 0) -> object:
    """The value of a constant, or the text that a string is sure to begin with."""
    if depth > _DEPTH:
        return None
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name not in reader.parameters:
            values = reader.found.values.get(name)
            if values is None:
                known = evaluate(node, reader.scope, reader.world)
                return known.value if isinstance(known, Const) else None
            return literal(values[0], reader, depth + 1) if len(values) == 1 and values[0] else None
        case ast.JoinedStr(values=parts):
            return _head(parts, reader, depth)
        case ast.BinOp(left=left, op=ast.Add()):
            start = literal(left, reader, depth + 1)
            return start if isinstance(start, str) else None
        case ast.BinOp(left=left, op=ast.Mod()):
            start = literal(left, reader, depth + 1)
            return start.partition("%")[0] if isinstance(start, str) else None
        case ast.Call(func=ast.Attribute(value=base, attr="format")):
            start = literal(base, reader, depth + 1)
            return start.partition("{")[0] if isinstance(start, str) else None
    return None


def _head(parts: list[ast.expr], reader: Reader, depth: int) -> str:
    """The text before the first placeholder of an f-string that is not known."""
    text = ""
    for part in parts:
        inner = part.value if isinstance(part, ast.FormattedValue) else part
        known = literal(inner, reader, depth + 1) if isinstance(inner, ast.expr) else inner
        if not isinstance(known, str):
            break
        text += known
        if not isinstance(part, ast.Constant) and not _is_whole(inner, reader):
            break
    return text


def _is_whole(node: object, reader: Reader) -> bool:
    """Whether a known text is all of the value, not only its beginning."""
    return isinstance(node, ast.Name) and node.id not in reader.found.values
