'''The default inside `Annotated[..., Field(default=...)]` is ignored.

## What it does
Reports `default` and `default_factory` in a `Field` inside `Annotated`, when the declaration does not
have them.

## Why it matters
google-adk 2.0 and later take the default from the signature alone: the parameter is required, in the
declaration and when the tool is called. 1.19 to 1.39 send the default (optional-but-required speaks
there).

## What it ignores
A default that the declaration has. One that the signature overrides is only an info.

## Example
```python
from typing import Annotated

from pydantic import Field


def list_orders(limit: Annotated[int, Field(default=10)]) -> dict:
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
Writes the default behind the annotation.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import MetadataKind, Option, Parameter
from adk_tool_lens.rules._parameters import is_exact
from adk_tool_lens.rules._versions import Versions
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "schema"
DIFFERS = (Versions("2.0"),)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    for parameter in view.parameters:
        for option in _defaults(parameter):
            if parameter.default is not None:
                yield _overridden(view, parameter, option)
            elif parameter.name in (view.schema.get("required") or ()):
                yield _ignored(view, parameter, option)


def elsewhere(view: ToolView) -> Iterator[Finding]:
    """Each default that 1.x takes from `Annotated`."""
    for parameter in view.parameters if is_exact(view) else ():
        if parameter.default is None:
            yield from (_ignored(view, parameter, option) for option in _defaults(parameter))


def _defaults(parameter: Parameter) -> Iterator[Option]:
    for metadata in parameter.metadata:
        if metadata.kind is MetadataKind.FIELD:
            for option in metadata.options:
                if option.name in {"default", "default_factory"} and option.text not in {"...", "Ellipsis"}:
                    yield option


def _ignored(view: ToolView, parameter: Parameter, option: Option) -> Finding:
    return Finding(
        "field-default-ignored",
        SEVERITY,
        f"{view.facts.judged_by} ignores this default of `{parameter.name}` of `{view.tool.name}`: the "
        "model is told "
        "that the argument is required. Write the default behind the annotation: `= ...`.",
        option.place,
        view.tool.name,
    )


def _overridden(view: ToolView, parameter: Parameter, option: Option) -> Finding:
    assert parameter.default is not None  # noqa: S101 - the caller looked
    return Finding(
        "field-default-ignored",
        Severity.INFO,
        f"This default of `{parameter.name}` of `{view.tool.name}` has no effect: "
        f"`= {parameter.default.text}` behind the annotation counts. Remove one of them.",
        option.place,
        view.tool.name,
    )
