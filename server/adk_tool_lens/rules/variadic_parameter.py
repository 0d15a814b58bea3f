'''`*args` and `**kwargs` are not part of what the model is told.

## What it does
Reports `*args` and `**kwargs` of a tool.

## Why it matters
google-adk leaves both out of the declaration (every version seen, 1.18 to 2.13) and passes only
arguments that the signature names, so they are always empty when the model calls the tool.

## What it ignores
Wrappers that a decorator puts in the function's place (decorator-hides-signature).

## Example
```python
def search(query: str, **filters: str) -> dict:
    """Search the catalogue.

    Args:
        query: Words to look for.

    Returns:
        A dict with `articles`, the numbers of what was found.
    """
    return {"articles": []}
```

## Use instead
```python
def search(query: str, colour: str = "any") -> dict:
    """Search the catalogue.

    Args:
        query: Words to look for.
        colour: Colour of the articles, or `any`.

    Returns:
        A dict with `articles`, the numbers of what was found.
    """
    return {"articles": []}
```

## Fix
None: which parameters are meant only the author knows.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import ParameterKind
from adk_tool_lens.rules._parameters import is_exact
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "schema"
_STARS = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    for parameter in view.tool.parameters:
        stars = _STARS.get(parameter.kind)
        if stars is None or parameter.name in view.sent:
            continue
        yield Finding(
            "variadic-parameter",
            SEVERITY,
            f"The model is not told of `{stars}{parameter.name}` of `{view.tool.name}`, and google-adk "
            "passes nothing "
            "in it. Give each argument a parameter of its own.",
            parameter.place,
            view.tool.name,
        )
