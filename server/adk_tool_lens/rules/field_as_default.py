'''`= Field(...)` as default reaches the function as a `FieldInfo` object.

## What it does
Reports a parameter whose default is pydantic's `Field(...)`.

## Why it matters
google-adk calls the function as it is: when the model leaves the argument out, the function receives
the `FieldInfo` object, not its `default` (2.0 to 2.13). 1.32 to 1.39 raise when the declaration is
built.

## What it ignores
`Field(...)` inside `Annotated`. Without a default of its own the parameter is required, so the model seldom
leaves it out: that is a warning, else an error.

## Example
```python
from pydantic import Field


def list_orders(limit: int = Field(default=10, description="How many at most.")) -> dict:
    """List orders.

    Returns:
        A dict with `orders`, the newest first.
    """
    return {"orders": []}
```

## Use instead
```python
def list_orders(limit: int = 10) -> dict:
    """List orders.

    Args:
        limit: How many at most.

    Returns:
        A dict with `orders`, the newest first.
    """
    return {"orders": []}
```

## Fix
Moves `Field(...)` into the annotation and writes a plain default.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.rules._parameters import has_field_default, is_exact
from adk_tool_lens.rules._refusals import Cause, blame
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    found = blame(view)
    refused = found is not None and found.cause is Cause.FIELD_DEFAULT
    if not refused and not is_exact(view):
        return
    for parameter in view.tool.parameters:
        if has_field_default(parameter) and (refused or parameter.name in view.sent):
            yield _finding(view, parameter, refused=refused)


def _finding(view: ToolView, parameter: Parameter, *, refused: bool) -> Finding:
    assert parameter.default is not None  # noqa: S101 - the caller looked
    required = parameter.name in (view.schema.get("required") or ())
    if refused:
        what = f"{view.facts.judged_by} cannot declare `{view.tool.name}` with it, so every request fails"
    else:
        what = f"when the model leaves it out, `{view.tool.name}` receives the `FieldInfo` object"
    return Finding(
        "field-as-default",
        Severity.WARNING if required and not refused else SEVERITY,
        f"`Field(...)` as default of `{parameter.name}`: {what}. Write a plain default and describe the "
        "parameter in the docstring's `Args:`.",
        parameter.default.place,
        view.tool.name,
    )
