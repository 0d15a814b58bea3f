'''Parameters before `/` cannot be passed by google-adk.

## What it does
Reports the `/` of a tool's signature, for versions that pass arguments by name only.

## Why it matters
Up to google-adk 2.12 every argument is passed by keyword, and Python refuses that for parameters before
`/`: each call that gives one of them ends in TypeError. The declaration looks right. From 2.13 on such
tools work.

## What it ignores
A `/` behind `self` alone, and google-adk 2.13 or later.

## Example
```python
def get_stock(sku: str, /) -> dict:
    """Get the stock of an article.

    Args:
        sku: Eight digit article number.

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
Removes the `/`. Safe: calls by position work as before. None where `**kwargs` takes the names.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import ParameterKind
from adk_tool_lens.rules._parameters import for_the_model, is_exact, slash_place
from adk_tool_lens.rules._versions import POSITIONAL_ONLY_WORKS, Versions, at_least
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"
DIFFERS = (Versions(below=POSITIONAL_ONLY_WORKS),)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    place = slash_place(view)
    if place is None or not is_exact(view) or at_least(view.facts.adk, POSITIONAL_ONLY_WORKS):
        return
    names = [p.name for p in for_the_model(view) if p.kind is ParameterKind.POSITIONAL_ONLY]
    told = [name for name in names if name in view.sent]
    if told:
        yield Finding(
            "positional-only-parameter",
            SEVERITY,
            f"{view.facts.judged_by} passes arguments by name, so calls of `{view.tool.name}` with "
            f"`{'`, `'.join(told)}` end in TypeError. Remove the `/`, or use google-adk "
            f"{POSITIONAL_ONLY_WORKS}.",
            place,
            view.tool.name,
        )
