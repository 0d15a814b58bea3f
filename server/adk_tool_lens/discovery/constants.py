"""Folds expressions of literals: `60 * 60`, `"a" "b"`, `", ".join(["x"])`, `f"v{1}"`.

Only operations with a small, certain result are folded; sizes are bounded so that no expression in
a file can cost time or memory (`"a" * 10**10`).
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from adk_tool_lens.discovery.values import (
    Bound,
    Class,
    Const,
    Dictionary,
    External,
    Function,
    Instance,
    Lambda,
    ModuleRef,
    Sequence,
    Value,
)

MAX_TEXT = 100_000
MAX_NUMBER = 10**30
_BINARY: dict[type[ast.operator], Callable[[object, object], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.RShift: operator.rshift,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_BUILTINS: dict[str, Callable[..., object]] = {
    "abs": abs, "bool": bool, "chr": chr, "float": float, "int": int, "len": len, "max": max,
    "min": min, "ord": ord, "repr": repr, "round": round, "str": str,
}  # fmt: skip
TEXT_METHODS = frozenset(
    {"capitalize", "casefold", "lower", "lstrip", "removeprefix", "removesuffix", "replace", "rstrip"}
    | {"split", "splitlines", "strip", "swapcase", "title", "upper"}
)
"""Methods of texts that give a text (or a list of texts) about as long as what they are given."""
_THINGS = (Bound, Class, Dictionary, Function, Instance, Lambda, ModuleRef, Sequence)
"""Values that are not None, whatever else they are."""
_FAULTS = (TypeError, ValueError, ArithmeticError, LookupError, MemoryError)


def fold(node: ast.expr, read: Callable[[ast.expr], Value]) -> Const | None:
    """The constant an expression gives, or None. `read` evaluates its parts."""
    try:
        value = _fold(node, read)
    except _FAULTS:
        return None
    return value if value is not None and _is_small(value.value) else None


def _fold(node: ast.expr, read: Callable[[ast.expr], Value]) -> Const | None:  # noqa: C901 - one table
    match node:
        case ast.Constant(value=value):
            return Const(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _number(read(operand), operator.neg)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _number(read(operand), operator.pos)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = read(operand)
            return Const(not inner.value) if isinstance(inner, Const) else None
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(read(left), op, read(right))
        case ast.JoinedStr(values=parts):
            return _formatted(parts, read)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return _number(read(operand), operator.invert)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _comparison(read(left), op, read(right))
        case ast.Call(func=ast.Name(id=name) as func, args=args, keywords=[]) if name in _BUILTINS:
            return _called(read(func), [read(arg) for arg in args])
        case ast.Call(func=ast.Attribute(value=base, attr="join"), args=[argument]):
            return _join(read(base), read(argument))
        case ast.Call(func=ast.Attribute(value=base, attr="format"), args=args, keywords=[]):
            return _format(read(base), [read(arg) for arg in args])
    return None


def _number(value: Value, function: Callable[[int], object]) -> Const | None:
    if isinstance(value, Const) and isinstance(value.value, int | float | complex):
        return Const(function(value.value))  # type: ignore[arg-type]
    return None


def _binary(left: Value, op: ast.operator, right: Value) -> Const | None:
    if not isinstance(left, Const) or not isinstance(right, Const):
        return None
    a, b = left.value, right.value
    if isinstance(op, ast.Pow):
        return _power(a, b)
    if isinstance(op, ast.LShift):
        power = _power(2, b)
        return None if power is None else _binary(left, ast.Mult(), power)
    if isinstance(op, ast.Mult) and not _small_product(a, b):
        return None
    if isinstance(op, ast.Mod) and isinstance(a, str) and any(c in a for c in "*0123456789"):
        return None
    function = _BINARY.get(type(op))
    return Const(function(a, b)) if function else None


def _comparison(left: Value, op: ast.cmpop, right: Value) -> Const | None:
    if isinstance(op, ast.Is | ast.IsNot) and isinstance(left, _THINGS) and _is_none(right):
        # `if fn is None:`, in decorators that may be written with or without a call.
        return Const(isinstance(op, ast.IsNot))
    if not isinstance(left, Const) or not isinstance(right, Const):
        return None
    if isinstance(op, ast.Is | ast.IsNot) and left.value is not None and right.value is not None:
        return None
    return Const(_COMPARE[type(op)](left.value, right.value))


def _is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def _called(callee: Value, arguments: list[Value]) -> Const | None:
    """`len("abc")`, `int("3")`, `max(1, 2)`."""
    if not isinstance(callee, External) or not callee.name.startswith("builtins."):
        return None
    values = [argument.value for argument in arguments if isinstance(argument, Const)]
    if len(values) != len(arguments) or not values:
        return None
    return Const(_BUILTINS[callee.name.removeprefix("builtins.")](*values))


def text_method(base: Value, name: str, arguments: list[Value]) -> object:
    """What `"a b".split()` and the like give; None when that is not known."""
    values = [argument.value for argument in arguments if isinstance(argument, Const)]
    if not isinstance(base, Const) or not isinstance(base.value, str) or len(values) != len(arguments):
        return None
    if name == "replace" and any(len(value) > 100 for value in values if isinstance(value, str)):
        return None
    try:
        result: object = getattr(base.value, name)(*values)
    except _FAULTS:
        return None
    return result


def _power(a: object, b: object) -> Const | None:
    if isinstance(a, int) and isinstance(b, int) and 0 <= b <= 64 and abs(a) <= 2**16:
        return Const(a**b)
    return None


def _small_product(a: object, b: object) -> bool:
    numbers = isinstance(a, int | float) and isinstance(b, int | float)
    if numbers:
        return _is_small(a) and _is_small(b)
    sized = [len(x) for x in (a, b) if isinstance(x, str | bytes | tuple)]
    counts = [x for x in (a, b) if isinstance(x, int)]
    return len(sized) == 1 and len(counts) == 1 and sized[0] * max(counts[0], 0) <= MAX_TEXT


def _is_small(value: object) -> bool:
    if isinstance(value, str | bytes):
        return len(value) <= MAX_TEXT
    return not isinstance(value, int) or abs(value) <= MAX_NUMBER


def _formatted(parts: list[ast.expr], read: Callable[[ast.expr], Value]) -> Const | None:
    out: list[str] = []
    for part in parts:
        if isinstance(part, ast.FormattedValue):
            if part.format_spec is not None or part.conversion != -1:
                return None
            value = read(part.value)
        else:
            value = read(part)
        if not isinstance(value, Const) or not isinstance(value.value, str | int):
            return None
        out.append(str(value.value))
    return Const("".join(out))


def _join(base: Value, argument: Value) -> Const | None:
    if not isinstance(base, Const) or not isinstance(base.value, str):
        return None
    if not isinstance(argument, Sequence) or argument.gaps:
        return None
    texts = [item.value.value for item in argument.items if isinstance(item.value, Const)]
    if len(texts) != len(argument.items) or not all(isinstance(text, str) for text in texts):
        return None
    return Const(base.value.join(text for text in texts if isinstance(text, str)))


def _format(base: Value, arguments: list[Value]) -> Const | None:
    if not isinstance(base, Const) or not isinstance(base.value, str):
        return None
    values = [value.value for value in arguments if isinstance(value, Const)]
    plain = base.value.replace("{}", "")
    if len(values) != len(arguments) or "{" in plain or "}" in plain:
        return None
    return Const(base.value.format(*values)) if all(isinstance(v, str | int) for v in values) else None
