"""Gives an agent a `description`, to be filled in: by it another agent's model decides whether to use it."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.module import Place
from adk_tool_lens.fixes.calls import added_argument
from adk_tool_lens.fixes.docstring_text import PLACEHOLDER
from adk_tool_lens.fixes.model import Case, Repair
from adk_tool_lens.fixes.nodes import exactly

_ARGUMENT = f'description="{PLACEHOLDER}"'


def repair(case: Case) -> Repair | None:
    """The edit; None when the agent is not made by a call that can be seen."""
    place = _whole(case)
    call = exactly(place, ast.Call) if place is not None else None
    if place is None or call is None or case.module_of(place) is None:
        return None
    name = next((k for k in call.keywords if k.arg == "name"), None)
    if any(keyword.arg in {"description", None} for keyword in call.keywords):
        return None
    match name:
        case ast.keyword(value=ast.Constant(value=str(text))):
            title = f"Add a description to '{text}', to be described"
        case _:
            title = "Add a description to the agent, to be described"
    own = added_argument(place, call, _ARGUMENT, behind=name)
    return Repair(title, (own,), safe=False, snippet=True)


def _whole(case: Case) -> Place | None:
    """The call that makes the agent: where the finding is, else where the one listed there is made."""
    place = case.place
    if place is None or case.agent is None:
        return place
    agent = case.agent.agent
    listed = dict(zip(agent.sub_agent_places, agent.sub_agents, strict=False))
    listed |= {entry.place: entry.agent for entry in agent.entries if entry.agent is not None}
    member = listed.get(place)
    return place if member is None else member.whole
