"""Which branches are taken, as far as the text decides it."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.module import Guard, body_namespace
from adk_tool_lens.discovery.newer import is_there
from adk_tool_lens.discovery.values import Bound, Class, Const, Function, Lambda, Scope
from adk_tool_lens.discovery.world import World, evaluate


def guard_holds(guard: Guard, scope: Scope, world: World) -> bool | None:
    """Whether a branch is taken; None when only running the code tells."""
    if guard.loop is not None:
        return True
    if guard.test is not None:
        known = truth(guard.test, scope, world)
        return None if known is None else known is guard.holds
    if guard.imports:
        succeeds = all(is_there(name, world.python) and world.importable(name) for name in guard.imports)
        return succeeds is guard.holds
    return True if guard.holds else False if guard.key else None


def truth(test: ast.expr, scope: Scope, world: World) -> bool | None:
    """The value of a condition that the text decides: `TYPE_CHECKING`, `sys.version_info >= (3, 9)`."""
    match test:
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return False
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = truth(operand, scope, world)
            return None if inner is None else not inner
        case ast.Compare(
            left=ast.Attribute(value=ast.Name(id="sys"), attr="version_info"),
            ops=[operator],
            comparators=[
                ast.Tuple(elts=[ast.Constant(value=int(major)), ast.Constant(value=int(minor)), *_])
            ],
        ):
            return _compare(world.python, operator, (major, minor))
        case ast.Compare(left=ast.Name(id="__name__"), comparators=[ast.Constant(value="__main__")]):
            return False
        case ast.BoolOp(op=op, values=values):
            return _combined(op, [truth(value, scope, world) for value in values])
        case ast.Call(func=func) if _has_ways_out(evaluate(func, scope, world)):
            return None
    known = evaluate(test, scope, world)
    if isinstance(known, Function | Bound | Lambda | Class):
        return True
    return bool(known.value) if isinstance(known, Const) else None


def _has_ways_out(callee: object) -> bool:
    """Whether a function returns in several places, or what others may have set before it is called.

    Models `if is_enabled():` where the function keeps its answer in a `global`.
    """
    function = callee.function if isinstance(callee, Bound) else callee
    if not isinstance(function, Function):
        return False
    statements = ast.walk(function.node)
    return len(body_namespace(function.node).returns) > 1 or any(
        isinstance(n, ast.Global) for n in statements
    )


def _combined(operator: ast.boolop, known: list[bool | None]) -> bool | None:
    """`a and b`, `a or b` of which parts may not be known."""
    deciding = isinstance(operator, ast.Or)
    if deciding in known:
        return deciding
    return None if None in known else not deciding


def _compare(left: tuple[int, int], operator: ast.cmpop, right: tuple[int, int]) -> bool | None:
    match operator:
        case ast.GtE():
            return left >= right
        case ast.Gt():
            return left > right
        case ast.Lt():
            return left < right
        case ast.LtE():
            return left <= right
    return None


def branches(
    test: ast.expr, body: ast.expr, orelse: ast.expr, scope: Scope, world: World
) -> tuple[ast.expr, ...]:
    """The parts of `body if test else orelse` that may be taken."""
    match truth(test, scope, world):
        case True:
            return (body,)
        case False:
            return (orelse,)
    return body, orelse
