'''A tool's function is defined twice, and the first definition is never used.

## What it does
Reports the first of two definitions of a function of the same name in a module when the second one is
registered as a tool.

## Why it matters
Python takes the last definition. Whoever reads or edits the first one believes that the model is told of it.

## What it ignores
Definitions in branches of `if` and `try`, decorated ones (`@overload`, routes), and names that are read in
between.

## Example
```python
from google.adk.agents import Agent


def price(sku: int) -> dict:
    """Tell a price. Returns a dict with the price."""
    return {"price": 3}


def price(sku: str) -> dict:
    """Tell the price of an article. Returns a dict with the price.

    Args:
        sku: Eight digit article number.
    """
    return {"price": 3}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[price])
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
None: rename or remove one of them.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules.model import Finding, Related, Severity, Tag, ToolView

SEVERITY = Severity.WARNING
GROUP = "registration"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    for place in view.tool.shadows:
        yield Finding(
            "replaced-definition",
            SEVERITY,
            f"This `{view.tool.name}` is replaced by the definition further down before anything uses it; "
            "the model is told of that one. Rename or remove one of them.",
            place,
            view.tool.name,
            related=(Related(view.tool.place, f"the `{view.tool.name}` that counts"),),
            tags=(Tag.UNNECESSARY,),
        )
