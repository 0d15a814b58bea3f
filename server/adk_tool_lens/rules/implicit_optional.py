'''A parameter may be `None`, but its type does not say so.

## What it does
Reports `x: T = None` where `T` does not allow `None`.

## Why it matters
google-adk 2.0 and later send `{"type": "string", "default": null}`: the default is outside of the type. With
`T | None` the model is told that null is a value.

## What it ignores
`Optional[T]`, `T | None`, `Any`, parameters without a type, the context parameter.

## Example
```python
def list_orders(customer: str = None) -> dict:
    """List orders.

    Args:
        customer: Number of the customer, or nothing for all.

    Returns:
        A dict with `orders`, the newest first.
    """
    return {"orders": []}
```

## Use instead
```python
def list_orders(customer: str | None = None) -> dict:
    """List orders.

    Args:
        customer: Number of the customer, or nothing for all.

    Returns:
        A dict with `orders`, the newest first.
    """
    return {"orders": []}
```

## Fix
Writes `| None` behind the type. Safe: it says what the default says.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import TypeKind
from adk_tool_lens.rules._parameters import defaults_to_none, for_the_model, is_exact, type_place
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    for parameter in for_the_model(view):
        tree = parameter.type
        if tree is None or tree.optional or tree.kind is TypeKind.UNKNOWN or not defaults_to_none(parameter):
            continue
        if parameter.name in view.sent:
            yield Finding(
                "implicit-optional",
                SEVERITY,
                f"`{parameter.name}` of `{view.tool.name}` is None when it is left out, but its type does "
                "not allow None. "
                "Write `| None`.",
                type_place(parameter),
                view.tool.name,
            )
