'''A coroutine is made and never awaited.

## What it does
Reports a call of an `async def` of the project without `await` whose result is thrown away, looked into or
returned.

## Why it matters
Without `await` the function does not run. What it gives is a coroutine: looking into it raises, and as a
part of the result it cannot be sent to the model ("Object of type coroutine is not JSON serializable", seen
with google-adk 1.39.1, 2.9.0 and 2.13.0). From 2.10 on google-adk awaits what a function that is not
`async` returns as a whole.

## What it ignores
Coroutines that are handed on (`asyncio.gather(...)`, `create_task(...)`, a list), functions under
decorators other than those of methods, asynchronous generators, and functions whose text is not in the
project.

## Example
```python
async def _load(order: str) -> dict:
    return {"state": "shipped"}


async def get_order(number: str) -> dict:
    """Get the state of an order.

    Args:
        number: Order number, e.g. "A-1".

    Returns:
        A dict with `status` and `state`.
    """
    order = _load(number)
    return {"status": "success", "state": order["state"]}
```

## Use instead
```python
async def _load(order: str) -> dict:
    return {"state": "shipped"}


async def get_order(number: str) -> dict:
    """Get the state of an order.

    Args:
        number: Order number, e.g. "A-1".

    Returns:
        A dict with `status` and `state`.
    """
    order = await _load(number)
    return {"status": "success", "state": order["state"]}
```

## Fix
Adds `await`. Safe in an `async def`; otherwise none.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import BodyCall, Use
from adk_tool_lens.rules._parameters import context_parameter
from adk_tool_lens.rules._versions import at_least
from adk_tool_lens.rules.model import Finding, Fix, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "result"
_EFFECTS = {
    Use.DISCARDED: "it never runs",
    Use.READ: "what it gives is a coroutine, and looking into it raises",
    Use.RETURNED: "what it gives is a coroutine, which cannot be sent to the model",
}
_OF_CONTEXT = {
    *("load_artifact", "save_artifact", "list_artifacts", "get_artifact_version", "search_memory"),
    *("add_memory", "add_session_to_memory", "load_credential", "save_credential"),
}
"""Methods of `ToolContext` that are coroutines (1.39 to 2.13)."""
_AWAITS_RESULTS = "2.10"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None:
        return
    for call in view.tool.body.calls:
        lost = _is_coroutine(view, call) and not call.awaited and call.use in _EFFECTS
        if lost and not _is_awaited(view, call):
            name = call.callee.rpartition(".")[2]
            advice = (
                f"Write `await {name}(...)`"
                if view.tool.is_async
                else f"Make `{view.tool.name}` async and await it"
            )
            yield Finding(
                "missing-await",
                SEVERITY,
                f"`{name}` is called without `await` in `{view.tool.name}`: {_EFFECTS[call.use]}. {advice}.",
                call.place,
                view.tool.name,
                (Fix("add-await"),) if view.tool.is_async else (),
            )


def _is_coroutine(view: ToolView, call: BodyCall) -> bool:
    context = context_parameter(view)
    base, _, name = call.callee.rpartition(".")
    of_context = context is not None and base == context.name and name in _OF_CONTEXT
    return call.target_is_async or of_context


def _is_awaited(view: ToolView, call: BodyCall) -> bool:
    """Whether google-adk awaits it: as the whole result of a function that is not async."""
    if call.use is not Use.RETURNED or view.tool.is_async:
        return False
    if not any(each.place == call.place or each.kind == "call" for each in view.tool.body.returns):
        return False
    return at_least(view.facts.adk, _AWAITS_RESULTS)
