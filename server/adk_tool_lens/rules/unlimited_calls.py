"""A loop of agents has no end.

## What it does
Reports a `LoopAgent` without `max_iterations` none of whose agents can leave the loop.

## Why it matters
The loop calls the model again and again until something escalates or the run's `max_llm_calls` (500) is used
up. Each round costs money. Every google-adk version.

## What it ignores
Loops with an agent that has tools, callbacks, sub-agents or a class of its own, files that speak of
`exit_loop` or `escalate`, and agents from other files.

## Example
```python
from google.adk.agents import Agent, LoopAgent

writer = Agent(name="writer", model="gemini-2.5-flash", instruction="Write the text.")
critic = Agent(name="critic", model="gemini-2.5-flash", instruction="Say what is to be improved.")
agent = LoopAgent(name="refine", sub_agents=[writer, critic])
```

## Use instead
```python
from google.adk.agents import Agent, LoopAgent

writer = Agent(name="writer", model="gemini-2.5-flash", instruction="Write the text.")
critic = Agent(name="critic", model="gemini-2.5-flash", instruction="Say what is to be improved.")
agent = LoopAgent(name="refine", sub_agents=[writer, critic], max_iterations=3)
```

## Fix
None: how many rounds are enough only the author knows.
"""

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Agent
from adk_tool_lens.rules._entries import sentence
from adk_tool_lens.rules.model import AgentView, Finding, Severity

SEVERITY = Severity.WARNING
GROUP = "safety"
_LEAVE = {"tools", "sub_agents", "planner", "code_executor"}


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    agent = view.agent
    if agent.kind.rpartition(".")[2] != "LoopAgent" or agent.own_class or not agent.is_complete:
        return
    limit = agent.keyword("max_iterations")
    listed = agent.keyword("sub_agents")
    if (limit is not None and limit.value.text != "None") or listed is None or not agent.sub_agents:
        return
    if (
        agent.texts & {"exit_loop", "escalate"}
        or agent.callbacks
        or not _is_display(listed.value.text, agent)
    ):
        return
    if all(_cannot_leave(member, agent) for member in agent.sub_agents):
        yield Finding(
            "unlimited-calls",
            SEVERITY,
            f"{sentence(agent)} loops until something escalates, and none of its agents can: it only ends at "
            "the run's limit of model calls. Set `max_iterations`.",
            agent.place,
        )


def _is_display(text: str, agent: Agent) -> bool:
    """Whether the list is written out and each of its agents is known."""
    inside = text.strip()[1:-1].strip().rstrip(",")
    return text.startswith("[") and "*" not in inside and inside.count(",") + 1 >= len(agent.sub_agents) > 0


def _cannot_leave(member: Agent, agent: Agent) -> bool:
    plain = member.kind.rpartition(".")[2] in {"Agent", "LlmAgent"} and not member.own_class
    here = member.whole.path == agent.whole.path
    names = {keyword.name for keyword in member.keywords}
    return plain and here and member.is_complete and not member.callbacks and not names & _LEAVE
