'''A method is registered without an object to call it on.

## What it does
Reports a tool that is a method taken from its class (`Shop.price`), so that `self` is left to be filled in.

## Why it matters
google-adk declares `self` as a required parameter without a type. The model makes a value up, the method
gets a text for its object, and each call fails. Seen on every version from 1.0 to 2.13.

## What it ignores
Methods of an object (`shop.price`), class methods and static methods.

## Example
```python
from google.adk.agents import Agent


class Shop:
    def price(self, sku: str) -> dict:
        """Tell the price of an article. Returns a dict with the price.

        Args:
            sku: Eight digit article number.
        """
        return {"price": 3}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[Shop.price])
```

## Use instead
```python
from google.adk.agents import Agent


class Shop:
    def price(self, sku: str) -> dict:
        """Tell the price of an article. Returns a dict with the price.

        Args:
            sku: Eight digit article number.
        """
        return {"price": 3}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[Shop().price])
```

## Fix
Takes the method from the module's object of the class, or from a new one where the class needs no
arguments. Not safe: which object is meant only the author knows.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import EntryKind, Tool
from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity

SEVERITY = Severity.ERROR
GROUP = "registration"


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    for entry in view.agent.entries:
        tool = entry.tool
        if entry.kind is not EntryKind.FUNCTION or tool is None or not is_unbound(tool):
            continue
        owner = tool.qualname.rpartition(".")[0]
        yield Finding(
            "unbound-method",
            SEVERITY,
            f"`{tool.qualname}` is taken from the class, so the model is asked for `self` and every call "
            f"fails. Register the method of an object: `{owner}(...).{tool.name}`.",
            entry.place,
            tool.name,
            related=(Related(tool.place, f"`{tool.name}` is defined here"),),
        )


def is_unbound(tool: Tool) -> bool:
    """Whether a method's `self` is left for the model to fill in."""
    first = tool.parameters[0] if tool.parameters else None
    static = any(decorator.text in {"staticmethod", "classmethod"} for decorator in tool.decorators)
    return (
        first is not None
        and first.name == "self"
        and not first.receiver
        and first.annotation is None
        and "." in tool.qualname
        and not static
    )
