'''The instruction names a tool that the agent does not have.

## What it does
Reports a name in back-ticks (or followed by `()`) in an agent's instruction that differs a little from the
name of one of the agent's tools and is no tool itself.

## Why it matters
The model is told to call something that does not exist. It calls it nonetheless, which ends in "tool not
found", or it leaves the step out.

## What it ignores
Names that are not close to a tool's, names of sub-agents and of parameters of a tool, agents with tools that
are only known when the code runs, and instructions that are put together when the code runs.

## Example
```python
from google.adk.agents import Agent


def search_docs(query: str) -> dict:
    """Search the documents. Returns a dict with the hits.

    Args:
        query: Words to look for.
    """
    return {}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Call `search_doc`.", tools=[search_docs])
```

## Use instead
```python
from google.adk.agents import Agent


def search_docs(query: str) -> dict:
    """Search the documents. Returns a dict with the hits.

    Args:
        query: Words to look for.
    """
    return {}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Call `search_docs`.", tools=[search_docs])
```

## Fix
None here: write the tool's name.
'''

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from adk_tool_lens.discovery.model import EntryKind
from adk_tool_lens.rules._entries import declared_name
from adk_tool_lens.rules._instructions import place_of
from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity

SEVERITY = Severity.HINT
GROUP = "registration"
_NAMED = re.compile(r"`([A-Za-z_]\w{2,})(?:\([^`\n]*\))?`|\b([a-z]+(?:_[a-z0-9]+)+)(?=\()")
_OPAQUE = {EntryKind.TOOLSET, EntryKind.CUSTOM, EntryKind.UNKNOWN, EntryKind.CLASS}


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    agent = view.agent
    if not agent.instruction or agent.gaps or any(entry.kind in _OPAQUE for entry in agent.entries):
        return
    tools = {name: entry for entry, tool in view.tools if (name := declared_name(entry, tool))}
    if len(tools) < len(view.tools):
        return
    known = set(tools) | _other_names(view)
    seen: set[str] = set()
    for match in _NAMED.finditer(agent.instruction):
        name = match.group(1) or match.group(2)
        if name in known or name in seen:
            continue
        seen.add(name)
        close = get_close_matches(name, tools, n=1, cutoff=0.85)
        place = place_of(agent, name, match.start(1 if match.group(1) else 2))
        if not close or place is None:
            continue
        yield Finding(
            "unknown-tool-in-instruction",
            SEVERITY,
            f"The instruction names `{name}`, but the agent has no such tool. The closest one is "
            f"`{close[0]}`.",
            place,
            close[0],
            related=(Related(tools[close[0]].place, f"`{close[0]}` is registered here"),),
        )


def _other_names(view: AgentView) -> set[str]:
    """Names that an instruction may well speak of: agents, parameters, keys of results and of the state."""
    agent = view.agent
    names = {agent.name or "", *(member.name or "" for member in agent.sub_agents)}
    for entry in agent.entries:
        if entry.tool is not None:
            names |= {parameter.name for parameter in entry.tool.parameters}
            names |= {key for returned in entry.tool.body.returns for key in returned.keys or ()}
            names |= entry.tool.body.names
    return names
