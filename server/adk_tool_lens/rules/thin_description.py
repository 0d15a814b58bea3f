'''The description is too short to choose the tool by.

## What it does
Reports a tool whose description has fewer than three sentences before its sections.

## Why it matters
The model decides from this text alone whether the tool fits. Anthropic's guide asks for three or four
sentences: what it does, when to use it, when not, and what it does not give. The rule is off until asked
for, because three of four tools in public code are described more shortly.

## What it ignores
Tools without any description, and texts of more than sixty words however they are divided.

## Example
```python
def search_orders(query: str) -> dict:
    """Search orders.

    Args:
        query: Words to look for.

    Returns:
        A dict with `status` and `orders`.
    """
    return {"status": "success", "orders": []}
```

## Use instead
```python
def search_orders(query: str) -> dict:
    """Search the orders of all customers for words in their positions or notes.

    Use it when the user remembers what was ordered but not the order's number. It finds no drafts, and no
    orders older than two years.

    Args:
        query: Words to look for.

    Returns:
        A dict with `status` and `orders`.
    """
    return {"status": "success", "orders": []}
```

## Fix
None: what is missing only the author knows.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "description"
ON_BY_DEFAULT = False
_SENTENCES = 3
_WORDS = 60
_END = re.compile(r"[.!?。！？](?=[\s\"')`]|$)|\n\s*(?=[-*•]|\d+[.)])")


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    prose = f"{view.docstring.summary}\n{view.docstring.body}".strip()
    if view.declaration is None or not view.description.strip() or not prose:
        return
    count = len([part for part in _END.split(prose) if part and part.strip()])
    if count >= _SENTENCES or len(prose.split()) >= _WORDS:
        return
    sentences = "one sentence" if count == 1 else f"{count} sentences"
    yield Finding(
        "thin-description",
        SEVERITY,
        f"`{view.tool.name}` is described in {sentences}, which is little to choose it by. Say what it "
        "does, when to use it and when not.",
        view.tool.place,
        view.tool.name,
    )
