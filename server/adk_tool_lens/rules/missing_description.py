'''The model is sent no description of the tool.

## What it does
Reports a tool whose declaration has no description, or one of white space only.

## Why it matters
The description is the only text that tells the model what a tool does and when to call it; google-adk
takes it from the docstring alone and sends nothing when there is none (every version).

## What it ignores
Tools whose declaration could not be built or is only approximate because their `__doc__` is set when the
code runs, and tools that a decorator hides (decorator-hides-signature).

## Example
```python
def get_weather(city: str) -> dict:
    return {"temperature": 21}
```

## Use instead
```python
def get_weather(city: str) -> dict:
    """Get the current temperature of a city.

    Args:
        city: Name of the city in English.

    Returns:
        A dict with `temperature` in degrees Celsius.
    """
    return {"temperature": 21}
```

## Fix
Adds a docstring with the tool's name in words and an entry for each parameter, to be filled in. Safe.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._parameters import is_hidden
from adk_tool_lens.rules.model import Finding, Fix, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "description"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or view.description.strip() or is_hidden(view):
        return
    if view.tool.name == "<lambda>":  # a lambda has none; lambda-tool says it all
        return
    if any("__doc__" in approximation.reason for approximation in view.approximations):
        return
    yield Finding(
        "missing-description",
        SEVERITY,
        f"The model is told nothing about what `{view.tool.name}` does: it has no docstring text, and "
        "google-adk sends no other. Write one that says what it does and when to use it.",
        view.tool.place,
        view.tool.name,
        (Fix("add-docstring"),) if view.tool.layout else (),
    )
