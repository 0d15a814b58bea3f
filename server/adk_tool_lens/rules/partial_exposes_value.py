'''What `functools.partial` binds by keyword is shown to the model, which may change it.

## What it does
Reports a keyword argument of `partial(...)` that is still in the declaration.

## Why it matters
A parameter that is bound by keyword stays in the signature with the value as its default: the model is
sent the value (a key, a tenant, a path) and may pass another (2.0 to 2.13).

## What it ignores
What is bound by position: that is gone from the signature.

## Example
```python adk=2.13.0
from functools import partial

from google.adk.agents import Agent


def get_stock(sku: str, tenant: str) -> dict:
    """Get the stock of an article.

    Args:
        sku: Eight digit article number.
        tenant: Whose stock.

    Returns:
        A dict with `count`, the number in stock.
    """
    return {"count": 3}


root_agent = Agent(
    name="shop",
    model="gemini-2.5-flash",
    instruction="Help.",
    tools=[partial(get_stock, tenant="acme")],
)
```

## Use instead
```python
from google.adk.agents import Agent


def get_stock(sku: str) -> dict:
    """Get the stock of an article.

    Args:
        sku: Eight digit article number.

    Returns:
        A dict with `count`, the number in stock.
    """
    tenant = "acme"
    return {"count": len(tenant)}


root_agent = Agent(name="shop", model="gemini-2.5-flash", instruction="Help.", tools=[get_stock])
```

## Fix
None: write a function that calls the other one with the value.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Argument
from adk_tool_lens.rules._parameters import nearby
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    for argument in view.tool.bound:
        if argument.keyword is not None and argument.keyword in view.sent:
            yield _finding(view, argument)


def _finding(view: ToolView, argument: Argument) -> Finding:
    shown = "default" in (view.sent.get(argument.keyword or "") or {})
    what = "sees this value and may pass another" if shown else "may pass another value"
    return Finding(
        "partial-exposes-value",
        SEVERITY,
        f"`partial` leaves `{argument.keyword}` in the signature of `{view.tool.name}`: the model {what}. "
        "Write a function that calls it with the value.",
        nearby(view, argument.expression.place),
        view.tool.name,
    )
