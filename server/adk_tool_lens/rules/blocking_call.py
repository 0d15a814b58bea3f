'''An async tool blocks the event loop.

## What it does
Reports a call in an `async def` tool that is known to wait without giving the event loop free:
`time.sleep`, `requests`, `urllib.request.urlopen`, `subprocess.run`, `os.system`, `input` and their like.

## Why it matters
google-adk runs the tool calls of one answer side by side on one event loop (since 1.10). A call that blocks
it stops the other tools, the streaming of the answer and, in a server, all other users.

## What it ignores
Functions that are not `async`, calls inside of nested functions and lambdas, functions that are only handed
on (`asyncio.to_thread(requests.get, url)`), and files, which are read fast enough.

## Example
```python
import time


async def wait_for_delivery(minutes: int) -> dict:
    """Wait until a delivery may have come.

    Args:
        minutes: How long to wait.

    Returns:
        A dict with `status`.
    """
    time.sleep(60 * minutes)
    return {"status": "success"}
```

## Use instead
```python
import asyncio


async def wait_for_delivery(minutes: int) -> dict:
    """Wait until a delivery may have come.

    Args:
        minutes: How long to wait.

    Returns:
        A dict with `status`.
    """
    await asyncio.sleep(60 * minutes)
    return {"status": "success"}
```

## Fix
Awaits `asyncio.sleep` instead of `time.sleep`, or runs the call in a thread with `asyncio.to_thread`. Safe
where `asyncio` is imported.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import BodyCall
from adk_tool_lens.rules.model import Finding, Fix, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "result"
_VERBS = ("get", "post", "put", "patch", "delete", "head", "options", "request")
_BLOCKING = {
    *("time.sleep", "os.system", "builtins.input", "urllib.request.urlopen", "socket.create_connection"),
    *(f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "getoutput")),
    *(f"{library}.{verb}" for library in ("requests", "httpx") for verb in _VERBS),
    *(f"requests.Session.{verb}" for verb in _VERBS),
    *(f"requests.session.{verb}" for verb in _VERBS),
    *(f"httpx.Client.{verb}" for verb in _VERBS),
    *(f"urllib3.PoolManager.{verb}" for verb in ("request", "urlopen")),
}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or not view.tool.is_async:
        return
    for call in view.tool.body.calls:
        if call.callee in _BLOCKING and not call.awaited:
            yield Finding(
                "blocking-call",
                SEVERITY,
                f"`{_short(call)}` blocks the event loop while `{view.tool.name}` waits: no other tool and "
                f"no other user is served. {_advice(call)}",
                call.place,
                view.tool.name,
                (Fix("run-in-thread", (call.callee,)),),
            )


def _short(call: BodyCall) -> str:
    return call.callee.removeprefix("builtins.")


def _advice(call: BodyCall) -> str:
    if call.callee == "time.sleep":
        return "Use `await asyncio.sleep(...)`."
    return f"Use `await asyncio.to_thread({_short(call)}, ...)` or an asynchronous library."
