"""A sub-agent has no description.

## What it does
Reports an agent that another one can hand over to (`sub_agents`) or call (`AgentTool`) and that has no
`description`.

## Why it matters
The description is all that the other model is told about it: without one it has the name alone to decide by
(`transfer_to_agent` lists the names, `AgentTool` sends an empty description). Every google-adk version.

## What it ignores
Sub-agents of workflow agents (`SequentialAgent`, `ParallelAgent`, `LoopAgent`), which hand over in a fixed
order; remote agents, whose card has a description; classes of the project, which may set one; agents made
with a `**kwargs` that is not known.

## Example
```python
from google.adk.agents import Agent

billing = Agent(name="billing", model="gemini-2.5-flash", instruction="Handle invoices.")
agent = Agent(name="router", model="gemini-2.5-flash", instruction="Route.", sub_agents=[billing])
```

## Use instead
```python
from google.adk.agents import Agent

billing = Agent(
    name="billing",
    model="gemini-2.5-flash",
    description="Answers questions about invoices and payments.",
    instruction="Handle invoices.",
)
agent = Agent(name="router", model="gemini-2.5-flash", instruction="Route.", sub_agents=[billing])
```

## Fix
Adds a `description` to be filled in. Not applied unasked.
"""

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Agent
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules._entries import title
from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity

SEVERITY = Severity.WARNING
GROUP = "registration"
_WORKFLOWS = {"SequentialAgent", "ParallelAgent", "LoopAgent"}
_KINDS = {"Agent", "LlmAgent", *_WORKFLOWS}


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    agent = view.agent
    seen: set[Place] = set()
    for member, place, how in _reachable(agent):
        if _has_description(member) or member.whole in seen:
            continue
        seen.add(member.whole)
        here = member.whole.path == agent.whole.path
        yield Finding(
            "sub-agent-without-description",
            SEVERITY,
            f"The model of {title(agent)} is told nothing about {title(member)} but its name, so it cannot "
            f"tell when to {how} it. Give it a `description`.",
            member.whole if here else place,
            member.name or "",
            related=(Related(place if here else member.whole, "used here" if here else "made here"),),
        )


def _reachable(agent: Agent) -> Iterator[tuple[Agent, Place, str]]:
    """The agents that a model chooses among, and where they are listed."""
    if agent.kind.rpartition(".")[2] not in _WORKFLOWS:
        for member, place in zip(agent.sub_agents, agent.sub_agent_places, strict=True):
            yield member, place, "hand over to"
    for entry in agent.entries:
        if entry.agent is not None:
            yield entry.agent, entry.place, "call"


def _has_description(member: Agent) -> bool:
    if member.own_class or not member.is_complete or member.kind.rpartition(".")[2] not in _KINDS:
        return True
    given = member.keyword("description")
    return given is not None and given.literal != ""
