'''Two tools of one agent have the same name.

## What it does
Reports each tool of an agent whose name an earlier tool of the same agent already has.

## Why it matters
Both declarations are sent, which the Gemini API refuses as a duplicate; where they get through, every call
goes to the last tool of the name. google-adk says nothing up to 2.7 and writes a warning to the log from 2.8.

## What it ignores
Tools that are registered only under a condition, tools of toolsets, and names that cannot be told for sure
(functions that are renamed or decorated out of sight).

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


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[price, FunctionTool(price)])
```

## Use instead
```python
from google.adk.agents import Agent
from google.adk.tools import FunctionTool


def price(sku: str) -> dict:
    """Tell the price of an article. Returns a dict with the price.

    Args:
        sku: Eight digit article number.
    """
    return {"price": 3}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[FunctionTool(price)])
```

## Fix
Removes the second one where both are the same function; else none, as only the author knows which one is
meant. Not applied unasked.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Entry
from adk_tool_lens.rules._entries import declared_name, sentence, sure
from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity

SEVERITY = Severity.ERROR
GROUP = "registration"


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    first: dict[str, Entry] = {}
    for entry, tool in sure(view):
        name = declared_name(entry, tool)
        if name is None:
            continue
        if name not in first:
            first[name] = entry
            continue
        earlier = first[name]
        yield Finding(
            "duplicate-tool-name",
            SEVERITY,
            f"{sentence(view.agent)} already has a tool called `{name}`: both are declared, which the Gemini "
            "API refuses, and only the last could be called. Rename or remove one.",
            entry.place,
            name,
            related=(Related(earlier.place, f"the other `{name}`"),),
        )
