"""Copies `AgentTool(agent=...)` into a stub: what the model is told of an agent that is used as a tool."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import values
from adk_tool_lens.declaration.frames import Frame, OpaqueError
from adk_tool_lens.discovery.evaluate import evaluate, is_agent, keyword
from adk_tool_lens.discovery.module import block_namespace
from adk_tool_lens.discovery.values import Called, Scope, Sequence, Value

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

_TOLD = ("name", "description", "input_schema", "output_schema")
"""What `AgentTool._get_declaration` reads of its agent (google-adk 1.18 to 2.13)."""


def agent_of(call: ast.Call) -> ast.expr | None:
    """The expression for the agent in `AgentTool(agent)` or `AgentTool(agent=agent)`."""
    return keyword(call, "agent") or (call.args[0] if call.args else None)


def note_changes(w: Writer, call: ast.Call, scope: Scope, attributes: Iterable[str]) -> None:
    """Says so when something is done to an attribute of what a call makes: `tool.func = other`."""
    for name in _variables(call, scope):
        for attribute in attributes:
            text = f"{name}.{attribute}"
            if scope.changes(text):
                w.approximate(f"`{text}` is set when the code runs", scope, call)


def _variables(call: ast.Call, scope: Scope) -> Iterator[str]:
    """The names that `name = call` binds where a call is written."""
    around = scope.names
    if around is None and scope.block is not None:
        around = block_namespace(scope.block)
    for name, bindings in around.bindings.items() if around is not None else ():
        if any(binding.value is call for binding in bindings):
            yield name


def agent_tool(w: Writer, value: Called, into: Frame) -> ast.expr:
    """`AgentTool(agent=LlmAgent(name=..., description=...))`.

    Raises:
        OpaqueError: the agent is not known.
    """
    written = agent_of(value.call)
    agent: Value | None = None if written is None else evaluate(written, value.scope, w.world)
    if not isinstance(agent, Called) or not is_agent(agent.callee.name):
        raise OpaqueError("the agent given to `AgentTool` is not known")
    made = _agent(w, agent, into)
    return ast.Call(values.external(value.callee.name, into), [], [ast.keyword("agent", made)])


def _agent(w: Writer, agent: Called, into: Frame) -> ast.expr:
    note_changes(w, agent.call, agent.scope, (*_TOLD, "sub_agents"))
    return ast.Call(values.external(agent.callee.name, into), [], _arguments(w, agent, into))


def _arguments(w: Writer, agent: Called, into: Frame) -> list[ast.keyword]:
    if any(k.arg is None for k in agent.call.keywords):
        reason = "the agent is given arguments that are only known when the code runs"
        w.approximate(reason, agent.scope, agent.call)
    found = []
    for name in _TOLD:
        node = keyword(agent.call, name)
        copy = None if node is None else _argument(w, name, node, agent.scope, into)
        if copy is not None:
            found.append(ast.keyword(name, copy))
    return [*found, *_steps(w, agent, into)]


def _steps(w: Writer, agent: Called, into: Frame) -> Iterator[ast.keyword]:
    """`sub_agents` of an agent that only runs others: it takes what the first one takes."""
    node = keyword(agent.call, "sub_agents")
    if node is None or agent.callee.name.rpartition(".")[2] in {"Agent", "LlmAgent"}:
        return
    value = evaluate(node, agent.scope, w.world)
    items = value.items if isinstance(value, Sequence) and not value.gaps else None
    agents = [item.value for item in items or () if isinstance(item.value, Called) and not item.conditional]
    if items is None or len(agents) < len(items) or not all(is_agent(each.callee.name) for each in agents):
        w.approximate("the agents that it runs are only known when the code runs", agent.scope, node)
        return
    yield ast.keyword("sub_agents", ast.List([_agent(w, each, into) for each in agents], ast.Load()))


def _argument(w: Writer, name: str, node: ast.expr, scope: Scope, into: Frame) -> ast.expr | None:
    try:
        return values.given(w, node, scope, into)
    except OpaqueError as opaque:
        w.approximate(f"the agent's `{name}` is not known: {opaque.reason}", scope, node)
        return ast.Constant("agent") if name == "name" else None
