'''An exception leaves the tool and ends the run.

## What it does
Reports a `raise` that no handler of the tool takes.

## Why it matters
google-adk gives the model no word of an exception: it leaves the run, and the user gets an error or nothing
(every version). A dict with `status` and `error_message` lets the model correct its call or tell the user.

## What it ignores
Bare `raise` in a handler, `NotImplementedError`, failed assertions and the end of the program, and agents
with an `on_tool_error_callback`, which may answer instead.

## Example
```python
def get_stock(sku: str) -> dict:
    """Get the number of pieces of an article that are in stock.

    Args:
        sku: Eight digit article number.

    Returns:
        A dict with `status` and `count`.
    """
    if len(sku) != 8:
        raise ValueError("sku has to have eight digits")
    return {"status": "success", "count": 3}
```

## Use instead
```python
def get_stock(sku: str) -> dict:
    """Get the number of pieces of an article that are in stock.

    Args:
        sku: Eight digit article number.

    Returns:
        A dict with `status` and `count`, or `error_message`.
    """
    if len(sku) != 8:
        return {"status": "error", "error_message": "sku has to have eight digits"}
    return {"status": "success", "count": 3}
```

## Fix
Returns a dict with the exception's text. Not safe: other callers may rely on the exception.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules.model import Finding, Fix, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "result"
_MEANT = {
    f"builtins.{name}"
    for name in ("NotImplementedError", "AssertionError", "SystemExit", "KeyboardInterrupt", "StopIteration")
} | {"asyncio.CancelledError"}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or _is_handled(view):
        return
    for raised in view.tool.body.raises:
        if raised.exception in _MEANT or raised.text.strip() == "raise":
            continue
        name = (raised.exception or "").rpartition(".")[2]
        what = f"`{name}`" if name else "this exception"
        yield Finding(
            "raises-for-expected-case",
            SEVERITY,
            f"{what[0].upper()}{what[1:]} leaves `{view.tool.name}` and ends the run; the model does not "
            "learn why. Return a dict with `status` and `error_message` instead.",
            raised.place,
            view.tool.name,
            (Fix("return-error"),),
        )


def _is_handled(view: ToolView) -> bool:
    """Whether each agent that holds the tool has a callback for its errors."""
    return bool(view.agents) and all(
        any(callback.kind == "on_tool_error_callback" for callback in agent.callbacks)
        for agent in view.agents
    )
