"""What a function gives back: the kind, keys and values of what it returns, as far as its text tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from adk_tool_lens.discovery.flow import Reader, full_name, literal
from adk_tool_lens.discovery.model import Returned


def returns(reader: Reader) -> Iterator[Returned]:
    """What the function returns or yields, in the order it is written."""
    for raw in reader.found.returns:
        if raw.value is None:
            yield Returned(reader.place(raw.node), "", kind="none")
        else:
            yield from (_result(branch, reader) for branch in _branches(raw.value))


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield node


def _result(node: ast.expr, reader: Reader, depth: int = 0) -> Returned:
    text = reader.text(node)
    kind, value, name = _kind(node, reader)
    callee = None
    keys: tuple[str, ...] | None = None
    values: tuple[Returned, ...] = ()
    if kind == "call" and isinstance(value, ast.Call):
        callee = full_name(value.func, reader)
    if kind == "dict":
        keys = _keys(value, name, reader)
    if depth < 3 and kind in {"dict", "list", "tuple"}:
        values = tuple(_result(part, reader, depth + 1) for part in _values(value))
    return Returned(text.place, text.text, keys, kind, callee, values, literal(node, reader))


def _kind(node: ast.expr, reader: Reader) -> tuple[str, ast.expr, str | None]:
    """The kind of a value, the expression that makes it and the local name that holds it."""
    match node:
        case ast.Name(id=name):
            values = reader.found.values.get(name, ())
            if name in reader.found.caught and not any(values):
                return "exception", node, None
            if len(values) == 1 and values[0] is not None and name not in reader.parameters:
                kind, value, _ = _plain_kind(values[0]), values[0], None
                return ("name", node, None) if kind in {"name", "other"} else (kind, value, name)
            return "name", node, None
        case ast.Await(value=inner):
            return _kind(inner, reader)
    return _plain_kind(node), node, None


_KINDS: dict[type, str] = {
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Tuple: "tuple",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.JoinedStr: "str",
    ast.GeneratorExp: "generator",
    ast.Lambda: "lambda",
    ast.Call: "call",
    ast.Name: "name",
    ast.Compare: "bool",
}


def _plain_kind(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=None):
            return "none"
        case ast.Constant(value=bool()) | ast.UnaryOp(op=ast.Not()):
            return "bool"
        case ast.Constant(value=str()):
            return "str"
        case ast.Constant(value=bytes()):
            return "bytes"
        case ast.Constant(value=int() | float() | complex()):
            return "number"
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod(), right=right):
            return "str" if "str" in (_plain_kind(left), _plain_kind(right)) else "other"
        case ast.Call(func=ast.Name(id="dict"), args=[]):
            return "dict"
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join" | "format")):
            return "str"
    return _KINDS.get(type(node), "other")


def _keys(node: ast.expr, name: str | None, reader: Reader) -> tuple[str, ...] | None:
    """The keys of a dict with what is put into it under its local name; None when unsure."""
    pairs: list[tuple[ast.expr | None, ast.expr]] = []
    match node:
        case ast.Dict(keys=keys, values=values):
            pairs += zip(keys, values, strict=True)
        case ast.Call(keywords=keywords):
            pairs += [(ast.Constant(k.arg) if k.arg else None, k.value) for k in keywords]
        case _:
            return None
    if name is not None:
        pairs += reader.found.keys.get(name, ())
    found: list[str] = []
    for key, value in pairs:
        inner = _keys(value, None, reader) if key is None else (_key(key, reader),)
        if inner is None or None in inner:
            return None
        found += [each for each in inner if each is not None]
    return tuple(dict.fromkeys(found))


def _key(node: ast.expr, reader: Reader) -> str | None:
    value = literal(node, reader) if isinstance(node, ast.Constant | ast.Name) else None
    return value if isinstance(value, str) else None


def _values(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.Dict(keys=keys, values=values):
            return [value for key, value in zip(keys, values, strict=True) if key is not None]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [part for part in parts if not isinstance(part, ast.Starred)]
        case ast.ListComp(elt=part):
            return [part]
        case ast.Call(keywords=keywords):
            return [keyword.value for keyword in keywords if keyword.arg]
    return []
