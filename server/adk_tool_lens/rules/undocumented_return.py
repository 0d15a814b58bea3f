'''The model is not told what the tool returns.

## What it does
Reports a tool whose declaration has no response schema and whose description says nothing of the result.

## Why it matters
On the Gemini API google-adk sends no schema of the result, whatever the return type says (every version);
on Vertex AI it does. What the model cannot read it has to find out from the first result, after it
already decided to call.

## What it ignores
Tools that are sent with a response schema, tools that return `None`, tools without any description.

## Example
```python
def get_stock(sku: str) -> dict:
    """Get the stock of an article.

    Args:
        sku: Eight digit article number.
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
        A dict with `count`, the number of pieces in stock.
    """
    return {"count": 3}
```

## Fix
Adds a `Returns:` section for you to fill in. Not applied unasked.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules.model import Finding, Fix, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "description"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or not view.description.strip() or view.reads_about_result:
        return
    returns = view.tool.returns
    if returns is not None and returns.text in {"None", "NoReturn"}:
        return
    yield Finding(
        "undocumented-return",
        SEVERITY,
        f"The model is not told what `{view.tool.name}` returns: on this back end google-adk sends no "
        "schema of the result. Describe it in the docstring's `Returns:`.",
        returns.place if returns is not None else view.tool.place,
        view.tool.name,
        (Fix("add-returns"),) if view.tool.layout else (),
    )
