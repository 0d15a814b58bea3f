'''The type of a parameter allows `None`, but the argument has to be given.

## What it does
Reports `x: T | None` without a default.

## Why it matters
google-adk asks for every parameter without a default: a call that leaves it out comes back to the model
as an error. In the declaration the parameter is required, so the model sends null (an info). 1.x tells
the model that it may be left out, which then fails (a warning); so does a `default` inside `Annotated`.

## What it ignores
Parameters with a default, `Any`, and what `functools.partial` fills in.

## Example
```python
def list_orders(customer: str | None) -> dict:
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
Gives the parameter the default None. Not safe: the function has to accept it.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Parameter, TypeKind
from adk_tool_lens.rules._parameters import for_the_model, is_exact, type_place
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.INFO
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    required = view.schema.get("required") or ()
    for parameter in for_the_model(view):
        if parameter.default is not None or parameter.name not in view.sent:
            continue
        if parameter.name not in required:
            yield _misleading(view, parameter)
        elif parameter.type is not None and parameter.type.kind is TypeKind.UNION and parameter.type.optional:
            yield _required(view, parameter)


def _required(view: ToolView, parameter: Parameter) -> Finding:
    return Finding(
        "optional-but-required",
        SEVERITY,
        f"`{parameter.name}` of `{view.tool.name}` may be None but has no default, so the model has to "
        "send null. "
        "Add `= None` if it may be left out.",
        type_place(parameter),
        view.tool.name,
    )


def _misleading(view: ToolView, parameter: Parameter) -> Finding:
    return Finding(
        "optional-but-required",
        Severity.WARNING,
        f"{view.facts.judged_by} tells the model that `{parameter.name}` of `{view.tool.name}` may be "
        "left out, but it has "
        "no default, so such a call fails. Add `= ...` behind the annotation.",
        type_place(parameter),
        view.tool.name,
    )
