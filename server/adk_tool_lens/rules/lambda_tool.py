'''A lambda is registered as a tool.

## What it does
Reports a tool that is a lambda.

## Why it matters
A lambda is called `<lambda>`, which no provider accepts as a name of a function: the whole request fails. It
can have neither types nor a docstring, so the model would be told nothing, too. Every google-adk version.

## What it ignores
Lambdas that are callbacks or are wrapped in an object that gives them a name.

## Example
```python
from google.adk.agents import Agent

agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[lambda sku: {"price": 3}])
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
None: a name and a description only the author can give.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules.model import Finding, Related, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "registration"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.tool.name != "<lambda>":
        return
    yield Finding(
        "lambda-tool",
        SEVERITY,
        "A lambda is called `<lambda>`, which is no name that a model's provider accepts, so every request "
        "with it fails. Write a function with a name, types and a docstring.",
        view.tool.place,
        view.tool.name,
        related=tuple(
            Related(registration.place, "registered here")
            for registration in view.tool.registrations
            if registration.place != view.tool.place
        ),
    )
