'''Some results have a status or an error, and others do not.

## What it does
Reports a returned dict without `status` in a tool that returns another with it, and the successful result
of a tool that reports failures under a key of their own.

## Why it matters
The model tells success from failure by what it finds in the result. ADK's guide asks for a `status` in each
dict, and an `error_message` where it failed: results that are built differently have to be guessed at.

## What it ignores
Dicts of which not all keys are known, tools that return one dict only, and keys that say as much
(`success`, `ok`, `state`).

## Example
```python
ORDERS = {"A-1": "shipped"}


def find_order(number: str) -> dict:
    """Find an order by its number.

    Args:
        number: Order number, e.g. "A-1".

    Returns:
        A dict with `delivery`, or with `error` when there is no such order.
    """
    if number not in ORDERS:
        return {"error": "There is no such order."}
    return {"delivery": ORDERS[number]}
```

## Use instead
```python
ORDERS = {"A-1": "shipped"}


def find_order(number: str) -> dict:
    """Find an order by its number.

    Args:
        number: Order number, e.g. "A-1".

    Returns:
        A dict with `status` and `delivery`, or `error_message` when there is no such order.
    """
    if number not in ORDERS:
        return {"status": "error", "error_message": "There is no such order."}
    return {"status": "success", "delivery": ORDERS[number]}
```

## Fix
Adds a `status` to the dict. Not safe: callers may iterate over its keys.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Returned
from adk_tool_lens.rules.model import Finding, Fix, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "result"
_STATUS = {
    *("status", "success", "ok", "state", "successful", "is_error", "isError", "outcome"),
    *("valid", "found", "available", "exists"),
}
_FAILURE = {"error", "errors", "error_message", "errorMessage", "failure", "exception"}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or view.tool.is_generator:
        return
    dicts = [each for each in view.tool.body.returns if each.kind == "dict" and each.keys is not None]
    if len(dicts) < 2:
        return
    without = [each for each in dicts if not _has(each, _STATUS)]
    some_have = len(without) < len(dicts)
    bare = [each for each in without if not _has(each, _FAILURE)]
    if not bare or not (some_have or any(_has(each, _FAILURE) for each in dicts)):
        return
    for each in bare:
        why = "other results of it have one" if some_have else "it reports failures in another form"
        yield Finding(
            "result-without-status",
            SEVERITY,
            f"This result of `{view.tool.name}` has no `status`, while {why}, so the model has to guess "
            "whether it succeeded. Add one to each.",
            each.place,
            view.tool.name,
            (Fix("add-status", ()),),
        )


def _has(result: Returned, keys: set[str]) -> bool:
    return bool(keys & set(result.keys or ()))
