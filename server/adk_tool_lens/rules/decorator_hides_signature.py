'''A decorator puts its own wrapper in the tool's place.

## What it does
Reports a decorator without `functools.wraps` on a tool, when name or parameters in the declaration are
the wrapper's.

## Why it matters
google-adk reads name, docstring and parameters of the object that it is given: the model is told of a
tool called `wrapper` without description and, for `*args, **kwargs`, without parameters (every version
seen, 1.18 to 2.13).

## What it ignores
Decorators that keep the function (`functools.wraps`), and ones whose source is not at hand.

## Example
```python
def logged(function):
    def wrapper(*args, **kwargs):
        print(function.__name__)
        return function(*args, **kwargs)

    return wrapper


@logged
def get_stock(sku: str) -> dict:
    """Get the stock of an article.

    Args:
        sku: Eight digit article number.

    Returns:
        A dict with `count`, the number in stock.
    """
    return {"count": 3}


from google.adk.agents import Agent

root_agent = Agent(name="shop", model="gemini-2.5-flash", instruction="Help.", tools=[get_stock])
```

## Use instead
```python
import functools


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print(function.__name__)
        return function(*args, **kwargs)

    return wrapper


@logged
def get_stock(sku: str) -> dict:
    """Get the stock of an article.

    Args:
        sku: Eight digit article number.

    Returns:
        A dict with `count`, the number in stock.
    """
    return {"count": 3}


from google.adk.agents import Agent

root_agent = Agent(name="shop", model="gemini-2.5-flash", instruction="Help.", tools=[get_stock])
```

## Fix
Adds `@functools.wraps(...)` to the function that the decorator returns.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._parameters import is_hidden
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    hiding = view.tool.hidden_by
    if hiding is None or not is_hidden(view) or view.declaration is None:
        return
    name = view.declaration.get("name")
    told = ", ".join(f"`{each}`" for each in view.sent) or "no parameters"
    hidden = f"`{view.tool.name}`"
    advice = "Add `@functools.wraps(...)` to the function that the decorator returns."
    if view.tool.is_object:
        hidden, advice = (
            "the function below it",
            "Call `functools.update_wrapper(self, ...)` in its `__init__`.",
        )
    yield Finding(
        "decorator-hides-signature",
        SEVERITY,
        f"`@{hiding.text}` hides {hidden}: the model is told of a tool `{name}` with {told}. {advice}",
        hiding.place,
        view.tool.name,
    )
