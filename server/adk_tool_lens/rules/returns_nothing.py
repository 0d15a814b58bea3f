'''The model learns nothing from calling the tool.

## What it does
Reports a tool that returns nothing at all (a hint, at its name), and one that returns a value in some ways
through it and runs past its end in others (a warning, where it ends).

## Why it matters
What returns nothing is sent as `{"result": null}` (every version). The model cannot tell whether the action
succeeded, and often calls the tool again.

## What it ignores
Generators, functions that only raise, long-running tools, whose result comes later, bodies without any
statement of their own, tools that steer the agent through `tool_context.actions`, and annotations that
allow `None`.

## Example
```python
SENT = []


def send_message(text: str) -> None:
    """Send a message to the team.

    Args:
        text: What to send, in Markdown.
    """
    SENT.append(text)
```

## Use instead
```python
SENT = []


def send_message(text: str) -> dict:
    """Send a message to the team.

    Args:
        text: What to send, in Markdown.

    Returns:
        A dict with `status`.
    """
    SENT.append(text)
    return {"status": "success"}
```

## Fix
None: what to return only the author knows.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.discovery.model import TypeKind
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules._docstring import code_of
from adk_tool_lens.rules.model import Finding, Severity, ToolView
from adk_tool_lens.source.text import Span

SEVERITY = Severity.HINT
GROUP = "result"
_MAY_NOT_END = ("for ", "while ", "async ", "with ")


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    tool = view.tool
    if view.declaration is None or tool.is_generator or tool.layout is None:
        return
    if (tool.wrapper or "").endswith("LongRunningFunctionTool") or _steers(view):
        return
    if all(each.kind == "none" for each in tool.body.returns):
        if tool.body.end is not None and _does_something(view):
            yield _nothing(view)
    elif tool.body.end is not None and not _may_be_none(view) and not _is_open(tool.body.end):
        yield _sometimes(view, tool.body.end)


def _steers(view: ToolView) -> bool:
    return ".actions." in code_of(view.tool)


def _does_something(view: ToolView) -> bool:
    return bool(view.tool.body.calls or view.tool.body.names)


def _may_be_none(view: ToolView) -> bool:
    result = view.tool.result
    return result is None or result.optional or result.kind is TypeKind.UNKNOWN


def _is_open(end: Place) -> bool:
    """Whether the last statement is one that may well never end otherwise than by `return`."""
    return end.block.text.startswith(_MAY_NOT_END, end.span.start)


def _nothing(view: ToolView) -> Finding:
    return Finding(
        "returns-nothing",
        Severity.HINT,
        f"`{view.tool.name}` returns nothing, so the model cannot tell whether it succeeded. Return a dict "
        "with a `status`.",
        view.tool.returns.place if view.tool.returns is not None else view.tool.place,
        view.tool.name,
    )


def _sometimes(view: ToolView, end: Place) -> Finding:
    return Finding(
        "returns-nothing",
        Severity.WARNING,
        f"`{view.tool.name}` can run past this without a result, and the model then gets `null`. Return a "
        "dict with a `status` in each way through it.",
        _first_line(end),
        view.tool.name,
    )


def _first_line(where: Place) -> Place:
    first = re.split(r"[\r\n]", where.block.text[where.span.start : where.span.end], maxsplit=1)[0].rstrip()
    return Place(where.path, where.block, Span(where.span.start, where.span.start + len(first)))
