'''A parameter whose name starts with an underscore is left out of the declaration.

## What it does
Reports a parameter `_x` that is not in the declaration.

## Why it matters
google-adk 2.0 and later make a pydantic model of the parameters, and pydantic takes `_x` for a private
attribute: the model is not told of it. Without a default google-adk still asks for it, so every call
fails; up to 1.39 it is sent like any other.

## What it ignores
A parameter that `functools.partial` fills in. One with a default is only an info: it may be left out on
purpose.

## Example
```python
def get_stock(_sku: str) -> dict:
    """Get the stock of an article.

    Args:
        _sku: Eight digit article number.

    Returns:
        A dict with `count`, the number in stock.
    """
    return {"count": 3}
```

## Use instead
```python
def get_stock(sku: str) -> dict:
    """Get the stock of an article.

    Args:
        sku: Eight digit article number.

    Returns:
        A dict with `count`, the number in stock.
    """
    return {"count": 3}
```

## Fix
Renames the parameter and its uses in the function. Not safe: other callers are not seen.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.rules._parameters import for_the_model, is_exact
from adk_tool_lens.rules._versions import Versions
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"
DIFFERS = (Versions("2.0"),)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    expected = for_the_model(view)
    if not view.sent and any(not parameter.name.startswith("_") for parameter in expected):
        return  # all parameters are gone, for another reason
    for parameter in expected:
        if parameter.name.startswith("_") and parameter.name not in view.sent:
            yield _finding(view, parameter)


def elsewhere(view: ToolView) -> Iterator[Finding]:
    """The parameters with an underscore of which 1.x tells the model."""
    for parameter in for_the_model(view) if is_exact(view) else ():
        if parameter.name.startswith("_") and parameter.name in view.sent:
            yield _finding(view, parameter)


def _finding(view: ToolView, parameter: Parameter) -> Finding:
    needed = parameter.default is None
    outcome = "yet it has to be given: every call fails" if needed else "so it always has its default"
    return Finding(
        "hidden-parameter",
        SEVERITY if needed else Severity.INFO,
        f"{view.facts.judged_by} does not tell the model of `{parameter.name}` of `{view.tool.name}`, "
        f"because its name starts with an underscore, {outcome}. Take the underscore away if the model is to "
        "fill it in.",
        parameter.place,
        view.tool.name,
    )
