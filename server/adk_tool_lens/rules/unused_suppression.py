'''A suppression comment suppresses nothing.

## What it does
Reports `# adk-tool-lens: ignore` and the names in `# adk-tool-lens: ignore[...]` that keep no finding quiet,
and names that are no rule.

## Why it matters
A comment that outlived its fault, or stands on the wrong line, hides the next one that appears there.

## What it ignores
Names of rules that the settings turn off, `ignore-file`, and files whose declarations are not known yet.

## Example
```python
def get_stock(sku: str) -> dict:  # adk-tool-lens: ignore[missing-description]
    """Get the stock of an article. Returns a dict with the count.

Args:
        sku: Eight digit article number.
    """
    return {"status": "success", "count": 3}
```

## Use instead
```python
def get_stock(sku: str) -> dict:
    """Get the stock of an article. Returns a dict with the count.

Args:
        sku: Eight digit article number.
    """
    return {"status": "success", "count": 3}
```

## Fix
Removes the name, or the comment. Not applied unasked.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._selection import expand, unknown
from adk_tool_lens.rules.catalogue import catalogue
from adk_tool_lens.rules.model import FileView, Finding, Severity, Tag

SEVERITY = Severity.HINT
GROUP = "description"


def check_file(view: FileView) -> Iterator[Finding]:
    """See the module's docstring."""
    for comment in view.suppressions:
        if comment.rules is None:
            if not comment.used:
                yield Finding(
                    "unused-suppression",
                    SEVERITY,
                    "Nothing is found on this line, so `ignore` suppresses nothing. Remove the comment.",
                    comment.place,
                    tags=(Tag.UNNECESSARY,),
                )
            continue
        for name, place in comment.rules:
            message = _fault(view, name, comment.used)
            if message is not None:
                yield Finding("unused-suppression", SEVERITY, message, place, tags=(Tag.UNNECESSARY,))


def _fault(view: FileView, name: str, used: frozenset[str]) -> str | None:
    rules = expand(name)
    if not rules:
        return unknown(name)
    if rules & used:
        return None
    known = catalogue()
    if not any(view.facts.selection.runs(rule, by_default=known[rule].on_by_default) for rule in rules):
        return None
    return f"`{name}` finds nothing on this line, so the comment suppresses nothing. Remove the name."
