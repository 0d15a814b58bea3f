'''The default of a parameter is not of the parameter's type.

## What it does
Reports a default that the parameter's own schema does not allow.

## Why it matters
google-adk sends type and default side by side without a check (1.19 to 2.13): the model reads `"type":
"integer", "default": "10"`, and the function receives the one or the other type.

## What it ignores
`None` (implicit-optional), a tuple for a list, and whatever JSON shows as the right type.

## Example
```python
def list_orders(limit: int = "10") -> dict:
    """List orders.

    Args:
        limit: How many at most.

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
None: whether type or default is wrong only the author knows.
'''

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.rules._parameters import for_the_model, has_field_default, is_exact
from adk_tool_lens.rules._schema import Schema, branches, types
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    for parameter in for_the_model(view):
        schema = view.sent.get(parameter.name)
        if schema is None or parameter.default is None or has_field_default(parameter):
            continue
        conflict = _conflict(schema, view.schema)
        if conflict:
            yield _finding(view, parameter, conflict)


def _conflict(schema: Schema, root: Schema) -> str:
    """What is wrong with the default of a schema; empty when nothing is."""
    default = schema.get("default")
    if default is None:
        return ""
    allowed = types(schema, root)
    if allowed and not _json_types(default) & allowed:
        return f"it is no {' or '.join(sorted(allowed - {'null'}))}"
    options = [branch for branch in branches(schema, root) if branch.get("type") != "null"]
    values = [value for branch in options for value in branch.get("enum") or ()]
    if values and default not in values and all("enum" in branch for branch in options):
        return f"it is none of {', '.join(map(repr, values[:8]))}"
    return ""


def _json_types(value: object) -> set[str]:
    match value:
        case bool():
            return {"boolean"}
        case int():
            return {"integer", "number"}
        case float():
            return {"number", "integer"} if value.is_integer() else {"number"}
        case str():
            return {"string"}
        case list():
            return {"array"}
        case Mapping():
            return {"object"}
    return set()


def _finding(view: ToolView, parameter: Parameter, conflict: str) -> Finding:
    assert parameter.default is not None  # noqa: S101 - the caller looked
    return Finding(
        "default-type-conflict",
        SEVERITY,
        f"The default `{parameter.default.text[:60]}` of `{parameter.name}` of `{view.tool.name}` does "
        "not fit the type "
        f"that the model is told: {conflict}. Change one of them.",
        parameter.default.place,
        view.tool.name,
    )
