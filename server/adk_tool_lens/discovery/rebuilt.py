"""Calls that stand for other calls: of a `partial`, and copies of agents with something changed.

    make = partial(Agent, model="gemini-2.5-flash")
    orders = make(name="orders", tools=[find_order])
    drafts = orders.clone(update={"name": "drafts"})

Each becomes one call of the class, whose arguments are read where they were written.
"""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.attributes import keyword
from adk_tool_lens.discovery.containers import keywords_of
from adk_tool_lens.discovery.values import Called, Instance, Scope, Value
from adk_tool_lens.discovery.world import World, evaluate

PARTIAL = "functools.partial"
COPIES = frozenset({"clone", "model_copy"})
"""`BaseAgent.clone` (google-adk) and `BaseModel.model_copy` (pydantic), both with `update`."""
Rebuilt = tuple[Value, ast.Call, Scope]
"""What is called, with which arguments, read in which scope."""


def of_partial(made: Called, node: ast.Call, scope: Scope, world: World) -> Rebuilt | None:
    """The call that a call of a `partial` is."""
    if not made.call.args:
        return None
    first, *rest = made.call.args
    given: dict[str, Value] = {"@target": evaluate(first, made.scope, world)}
    given |= {f"@{number}": evaluate(argument, made.scope, world) for number, argument in enumerate(rest)}
    given["@given"] = keywords_of(made.call, made.scope, world)
    positional = [_named(f"@{number}", node) for number in range(len(rest))]
    more = [ast.keyword(arg=None, value=_named("@given", node)), *node.keywords]
    call = ast.Call(func=_named("@target", node.func), args=[*positional, *node.args], keywords=more)
    return given["@target"], ast.copy_location(call, node), _inside(scope, given)


def of_copy(base: Called | Instance, node: ast.Call, scope: Scope, world: World) -> Rebuilt | None:
    """The call that would make a copy of an agent, as `agent.clone(update={...})` does."""
    if base.call is None:
        return None
    target = base.callee if isinstance(base, Called) else base.cls
    given: dict[str, Value] = {"@target": target, "@given": keywords_of(base.call, base.scope, world)}
    more = [ast.keyword(arg=None, value=_named("@given", node))]
    update = keyword(node, "update") or (node.args[0] if node.args else None)
    if update is not None:
        given["@update"] = evaluate(update, scope, world)
        more.append(ast.keyword(arg=None, value=_named("@update", update)))
    call = ast.Call(func=_named("@target", node.func), args=[], keywords=more)
    return target, ast.copy_location(call, node), _inside(scope, given)


def _named(name: str, like: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Name(id=name, ctx=ast.Load()), like)


def _inside(scope: Scope, given: dict[str, Value]) -> Scope:
    return Scope(scope.module, scope.block, None, scope, given)
