"""Copies `AgentTool(agent=...)` into a stub: what the model is told of an agent that is used as a tool."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import values
from adk_tool_lens.declaration.frames import Frame, OpaqueError
from adk_tool_lens.discovery.evaluate import evaluate, is_agent, keyword
from adk_tool_lens.discovery.values import Called, Scope, Value

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

_TOLD = ("name", "description", "input_schema", "output_schema")
"""What `AgentTool._get_declaration` reads of its agent (google-adk 1.18 to 2.13)."""


def agent_of(call: ast.Call) -> ast.expr | None:
    """The expression for the agent in `AgentTool(agent)` or `AgentTool(agent=agent)`."""
    return keyword(call, "agent") or (call.args[0] if call.args else None)


def agent_tool(w: Writer, value: Called, into: Frame) -> ast.expr:
    """`AgentTool(agent=LlmAgent(name=..., description=...))`.

    Raises:
        OpaqueError: the agent is not known.
    """
    written = agent_of(value.call)
    agent: Value | None = None if written is None else evaluate(written, value.scope, w.world)
    if not isinstance(agent, Called) or not is_agent(agent.callee.name):
        raise OpaqueError("the agent given to `AgentTool` is not known")
    inner = ast.Call(values.external(agent.callee.name, into), [], _arguments(w, agent, into))
    return ast.Call(values.external(value.callee.name, into), [], [ast.keyword("agent", inner)])


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
    return found


def _argument(w: Writer, name: str, node: ast.expr, scope: Scope, into: Frame) -> ast.expr | None:
    try:
        return values.given(w, node, scope, into)
    except OpaqueError as opaque:
        w.approximate(f"the agent's `{name}` is not known: {opaque.reason}", scope, node)
        return ast.Constant("agent") if name == "name" else None
