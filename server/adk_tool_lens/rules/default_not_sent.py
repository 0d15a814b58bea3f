'''The default of a parameter is not part of what the model is told.

## What it does
Reports a default that is missing in the declaration.

## Why it matters
A default that JSON cannot express (`object()`, an instance of a class) is left out: the model is told
that the argument may be left out, but not what happens then. Seen from 2.0 to 2.13.

## What it ignores
`None`, `Field(...)` (field-as-default), and parameters that `functools.partial` fills in.

## Example
```python
_ALL = object()


def list_orders(state: str = _ALL) -> dict:
    """List orders.

    Args:
        state: State of the orders.

    Returns:
        A dict with `orders`, the newest first.
    """
    return {"orders": []}
```

## Use instead
```python
def list_orders(state: str = "all") -> dict:
    """List orders.

    Args:
        state: State of the orders.

    Returns:
        A dict with `orders`, the newest first.
    """
    return {"orders": []}
```

## Fix
None: say in the docstring what leaving it out means, or use a value that JSON has.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._parameters import defaults_to_none, for_the_model, has_field_default, is_exact
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    for parameter in for_the_model(view):
        schema = view.sent.get(parameter.name)
        if schema is None or parameter.default is None or "default" in schema:
            continue
        if defaults_to_none(parameter) or has_field_default(parameter):
            continue
        yield Finding(
            "default-not-sent",
            SEVERITY,
            f"The model is not told the default of `{parameter.name}` of `{view.tool.name}`: JSON has "
            "nothing for "
            f"`{parameter.default.text[:60]}`. Say in the docstring what leaving it out means.",
            parameter.default.place,
            view.tool.name,
        )
