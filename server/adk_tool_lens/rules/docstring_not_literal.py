'''The text in the docstring's place is no docstring.

## What it does
Reports an f-string, bytes, a sum of strings, a formatted string or a call where the docstring was meant to
be, and a string that stands after the first statement, when the model is sent no description.

## Why it matters
Python makes a docstring of a plain string literal that is the first statement, and of nothing else.
Whatever stands there instead is worked out and thrown away at each call; google-adk finds no `__doc__` and
sends no description (every version).

## What it ignores
Tools that are sent a description from elsewhere, and those whose `__doc__` is set when the code runs.

## Example
```python
LIMIT = 20


def find_orders(customer: str) -> dict:
    f"""Find the last {LIMIT} orders of a customer.

    Args:
        customer: Customer number.

    Returns:
        A dict with `status` and `orders`.
    """
    return {"status": "success", "orders": []}
```

## Use instead
```python
def find_orders(customer: str) -> dict:
    """Find the last 20 orders of a customer.

    Args:
        customer: Customer number.

    Returns:
        A dict with `status` and `orders`.
    """
    return {"status": "success", "orders": []}
```

## Fix
Writes the text as a plain literal where all of it is known. Safe.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import OpeningKind
from adk_tool_lens.rules.model import Finding, Fix, Related, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "description"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    opening = view.tool.opening
    if opening is None or view.declaration is None or view.description.strip():
        return
    if any("__doc__" in approximation.reason for approximation in view.approximations):
        return
    # Bytes show nobody what they were meant for: the function's name is where the docstring is missed.
    named = opening.kind is OpeningKind.BYTES
    yield Finding(
        "docstring-not-literal",
        SEVERITY,
        f"The model is told nothing about what `{view.tool.name}` does: {opening.kind.value} is no docstring "
        "for Python. Write a plain string literal as the first statement.",
        view.tool.place if named else opening.place,
        view.tool.name,
        (Fix("plain-docstring"),) if view.tool.layout else (),
        (Related(opening.place, "This is no docstring."),) if named else (),
    )
