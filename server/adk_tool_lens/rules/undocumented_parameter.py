'''The model is told nothing about a parameter but its name and type.

## What it does
Reports a parameter that the model must or may fill in and that neither its schema nor the tool's
description says anything about.

## Why it matters
The model chooses the value from what it can read. A name and `string` leave format, unit and meaning to
guessing, and a wrong guess is a failed or wrong call.

## What it ignores
Parameters mentioned anywhere in the description in a way that the model can read, the context parameter,
`*args`, `**kwargs`, and tools without any description (missing-description speaks there).

## Example
```python
def get_stock(sku: str) -> dict:
    """Get the stock of an article. Returns a dict with the count."""
    return {}
```

## Use instead
```python
def get_stock(sku: str) -> dict:
    """Get the stock of an article. Returns a dict with the count.

    Args:
        sku: Eight digit article number, e.g. "00112233".
    """
    return {}
```

## Fix
Adds an entry to `Args:` for you to fill in. Not applied unasked.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules.model import Finding, Fix, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "description"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or not view.description.strip():
        return
    for parameter in view.parameters:
        if parameter.name == "self":  # no parameter to describe; unbound-method says it all
            continue
        if view.reads_about(parameter.name) or any(m.description for m in parameter.metadata):
            continue
        yield Finding(
            "undocumented-parameter",
            SEVERITY,
            f"The model is told nothing about `{parameter.name}` of `{view.tool.name}` but its name and "
            "type, so it has to guess. Describe it in the docstring's `Args:`.",
            parameter.place,
            view.tool.name,
            (Fix("add-entry", (parameter.name,)),) if view.tool.layout else (),
        )
