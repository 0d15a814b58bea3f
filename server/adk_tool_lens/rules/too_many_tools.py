'''An agent has more tools than a model chooses well among.

## What it does
Reports an agent with more tools than the setting `max-tools` (20).

## Why it matters
Each declaration is sent with each request, and the more there are, the more often the wrong one is chosen.
Gemini's guide advises 10 to 20 active tools, OpenAI's fewer than 20; Azure OpenAI refuses more than 128.

## What it ignores
Tools of toolsets, whose number is only known when the code runs.

## Example
```python
from google.adk.agents import Agent
from google.adk.tools import FunctionTool


def price(sku: str) -> dict:
    """Tell the price of an article. Returns a dict with the price.

    Args:
        sku: Eight digit article number.
    """
    return {"price": 3}


def make(name: str):
    def tool(sku: str) -> dict:
        """Look an article up. Returns a dict with what is known.

        Args:
            sku: Eight digit article number.
        """
        return {"name": name}

    tool.__name__ = name
    return tool


agent = Agent(
    name="a",
    model="gemini-2.5-flash",
    instruction="Help.",
    tools=[
        make("t01"), make("t02"), make("t03"), make("t04"), make("t05"), make("t06"), make("t07"),
        make("t08"), make("t09"), make("t10"), make("t11"), make("t12"), make("t13"), make("t14"),
        make("t15"), make("t16"), make("t17"), make("t18"), make("t19"), make("t20"), price,
    ],
)
```

## Use instead
```python
from google.adk.agents import Agent


def price(sku: str) -> dict:
    """Tell the price of an article. Returns a dict with the price.

    Args:
        sku: Eight digit article number.
    """
    return {"price": 3}


prices = Agent(
    name="prices", model="gemini-2.5-flash", description="Knows prices.", instruction="Help.", tools=[price]
)
agent = Agent(name="a", model="gemini-2.5-flash", instruction="Route.", sub_agents=[prices])
```

## Fix
None: divide the tools among sub-agents, or merge tools that differ by one argument.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import EntryKind
from adk_tool_lens.rules._entries import sentence, sure
from adk_tool_lens.rules.model import AgentView, Finding, Severity

SEVERITY = Severity.HINT
GROUP = "registration"
_COUNTED = {EntryKind.FUNCTION, EntryKind.AGENT, EntryKind.CUSTOM, EntryKind.BUILT_IN}


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    count = sum(entry.kind in _COUNTED for entry, _ in sure(view))
    limit = view.settings.max_tools
    if count <= limit:
        return
    yield Finding(
        "too-many-tools",
        SEVERITY,
        f"{sentence(view.agent)} has {count} tools; models choose worse among more than {limit}. Divide "
        "`tools` among sub-agents, or merge tools that differ by one argument.",
        view.agent.place,
    )
