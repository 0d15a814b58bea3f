"""Finds the parameters that a function looks at before it uses them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from adk_tool_lens.discovery.functions import parameters
from adk_tool_lens.discovery.module import FunctionNode

_NO_CHECKS = {
    *(
        "len",
        "bool",
        "isinstance",
        "str",
        "int",
        "exists",
        "isfile",
        "isdir",
        "is_file",
        "is_dir",
        "strip",
        "lower",
    ),
    *("get", "hasattr", "callable"),
}
"""Calls in a condition that only ask whether there is something."""
_CHECKERS = re.compile(
    r"valid|check|ensure|assert|verif|sanit|safe|allow|permit|secure|within|confine|guard|restrict|relative_to",
    re.IGNORECASE,
)
_RUNNERS = {"check_output", "check_call"}
"""Of `subprocess`: they run what they are given."""


def checked(node: FunctionNode | ast.Lambda) -> frozenset[str]:
    """The parameters that a condition compares with something, or that a checking function is given."""
    if isinstance(node, ast.Lambda):
        return frozenset()
    origins = _origins(node, {row.arg for row in parameters(node)})
    found: set[str] = set()
    for part in _checks(node):
        for name in ast.walk(part):
            if isinstance(name, ast.Name):
                found |= origins.get(name.id, set())
    return frozenset(found)


def _origins(node: FunctionNode, parameters: set[str]) -> dict[str, set[str]]:
    """Which parameters the value of each local name comes from, by any way."""
    origins = {name: {name} for name in parameters}
    for part in ast.walk(node):
        match part:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
            ):
                source = {
                    o for n in ast.walk(value) if isinstance(n, ast.Name) for o in origins.get(n.id, ())
                }
                for name in ast.walk(target):
                    if isinstance(name, ast.Name) and source:
                        origins.setdefault(name.id, set()).update(source)
    return origins


def _checks(node: FunctionNode) -> Iterator[ast.expr]:
    for part in ast.walk(node):
        match part:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.Assert(test=test) | ast.While(test=test):
                yield from _in_test(test)
            case ast.Match(subject=subject):
                yield subject
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if _is_checker(name):
                yield part


def _is_checker(name: str) -> bool:
    return name not in _RUNNERS and _CHECKERS.search(name) is not None


def _in_test(test: ast.expr) -> Iterator[ast.expr]:
    """The parts of a condition that say more than that there is something."""
    for part in ast.walk(test):
        match part:
            case ast.Compare(ops=ops, comparators=comparators):
                none = all(isinstance(c, ast.Constant) and c.value in {None, ""} for c in comparators)
                if not none and not any(isinstance(op, ast.Is | ast.IsNot) for op in ops):
                    yield part
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name not in _NO_CHECKS:
                yield part
