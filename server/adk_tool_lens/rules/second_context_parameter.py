'''Only one parameter can be google-adk's context.

## What it does
Reports the second parameter annotated `ToolContext`, `CallbackContext` or `Context`.

## Why it matters
google-adk fills in and hides the first one only (1.28 to 2.13). The second is treated as an argument
for the model, and pydantic has no schema for it: the declaration fails at the first request.

## What it ignores
A second parameter that the declaration does not mention.

## Example
```python
from google.adk.tools import ToolContext


def remember(note: str, ctx: ToolContext, tool_context: ToolContext = None) -> dict:
    """Store a note for the user. Returns a dict with `ok`."""
    return {"ok": True}
```

## Use instead
```python
from google.adk.tools import ToolContext


def remember(note: str, tool_context: ToolContext) -> dict:
    """Store a note for the user.

    Args:
        note: Text of the note.

    Returns:
        A dict with `ok`.
    """
    return {"ok": True}
```

## Fix
None: remove one of them.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._parameters import context_parameter
from adk_tool_lens.rules._refusals import Cause, blame
from adk_tool_lens.rules.model import Finding, Related, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    found = blame(view)
    first = context_parameter(view)
    if found is None or found.cause is not Cause.SECOND_CONTEXT or found.parameter is None or first is None:
        return
    yield Finding(
        "second-context-parameter",
        SEVERITY,
        f"`{view.tool.name}` has two context parameters: google-adk fills in `{first.name}` only and "
        "cannot declare "
        f"`{found.parameter.name}`, so every request with the tool fails. Remove one of them.",
        found.place,
        view.tool.name,
        related=(Related(first.place, "google-adk fills in this one"),),
    )
