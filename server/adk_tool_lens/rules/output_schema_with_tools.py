'''An agent with `output_schema` may have no tools in this google-adk.

## What it does
Reports an agent that has both `output_schema` and tools, or `output_schema` and sub-agents, where the
project's google-adk refuses that.

## Why it matters
google-adk before 1.11 raises a ValueError for tools, before 1.13 for sub-agents, as soon as the module is
imported. Later both are accepted: the model is then asked to call `set_model_response` with the result.

## What it ignores
Projects without a known google-adk.

## Example
```python adk=1.10.0
from google.adk.agents import Agent
from pydantic import BaseModel


class Answer(BaseModel):
    price: int


def price(sku: str) -> dict:
    """Tell the price of an article. Returns a dict with the price.

    Args:
        sku: Eight digit article number.
    """
    return {"price": 3}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[price], output_schema=Answer)
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


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[price])
```

## Fix
None: let a second agent put the result into form, or use a newer google-adk.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._entries import sure
from adk_tool_lens.rules._versions import Versions, at_least
from adk_tool_lens.rules.model import AgentView, Finding, Severity

SEVERITY = Severity.ERROR
GROUP = "registration"
DIFFERS = (Versions(below="1.11"), Versions(below="1.13"))


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    schema = view.agent.keyword("output_schema")
    if schema is None or schema.value.text == "None":
        return
    with_tools = any(True for _ in sure(view)) and not at_least(view.facts.adk, "1.11")
    with_agents = bool(view.agent.sub_agents) and not at_least(view.facts.adk, "1.13")
    if not with_tools and not with_agents:
        return
    what = "tools" if with_tools else "sub-agents"
    yield Finding(
        "output-schema-with-tools",
        SEVERITY,
        f"{view.facts.judged_by} refuses an agent that has both `output_schema` and {what}. Let a second "
        "agent put the result into form, or use a newer google-adk (1.18 accepts both).",
        schema.place,
    )
