'''The whole of a query, table or file is handed to the model.

## What it does
Reports a result that is all rows of a query, all of a table or all of a file, where nothing in the tool
limits it.

## Why it matters
A result stays in the conversation and is sent again with each later turn. One large table fills the
context, slows every answer down, and the model overlooks what matters in it.

## What it ignores
Tools with a parameter or a constant that sounds like a limit, queries that limit, count or look up by key,
results that are cut, and agents with an `after_tool_callback`, which may sample them.

## Example
```python
import sqlite3


def list_orders(state: str) -> dict:
    """List the orders in a state.

    Args:
        state: State of the orders, e.g. "open".

    Returns:
        A dict with `status` and `orders`.
    """
    orders = sqlite3.connect("shop.db").execute("SELECT number FROM orders WHERE state = ?", (state,))
    return {"status": "success", "orders": orders.fetchall()}
```

## Use instead
```python
import sqlite3


def list_orders(state: str, limit: int) -> dict:
    """List the newest orders in a state.

    Args:
        state: State of the orders, e.g. "open".
        limit: How many orders to list, 50 at most.

    Returns:
        A dict with `status`, `orders` and `total`, the number of all orders in that state.
    """
    orders = sqlite3.connect("shop.db").execute("SELECT number FROM orders WHERE state = ?", (state,))
    rows = orders.fetchall()
    return {"status": "success", "orders": rows[: min(limit, 50)], "total": len(rows)}
```

## Fix
None: what a good limit is only the author knows.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.discovery.model import Returned
from adk_tool_lens.rules._docstring import code_of
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "result"
_WHOLE = {
    "fetchall": "all rows of a query",
    "to_dict": "a whole table",
    "to_json": "a whole table",
    "to_string": "a whole table",
    "to_csv": "a whole table",
    "readlines": "a whole file",
    "read_text": "a whole file",
}
_OF_TABLES = {"to_dict", "to_json", "to_string", "to_csv"}
_LIMITING_PARAMETER = re.compile(
    r"limit|max|top|head|first|size|count|page|offset|num|sample|chunk|length|lines|rows|^[nk]$",
    re.IGNORECASE,
)
_CUT = re.compile(r"limit|max_|_max|truncat|sample|chunk|\.head\(|islice|\[\s*[\w.()+-]*\s*:", re.IGNORECASE)
_BOUNDED_QUERY = re.compile(
    r"\b(?:limit|top|fetch\s+first|count\s*\(|sum\s*\(|avg\s*\(|max\s*\(|min\s*\(|group\s+by)\b",
    re.IGNORECASE,
)
_KEYED = re.compile(r"\bwhere\b[^;]*\b\w*(?:id|key|uuid|number|code|email|name)\s*=", re.IGNORECASE)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or _is_limited(view):
        return
    for each in view.tool.body.returns:
        for value, what in _whole(each):
            yield Finding(
                "unbounded-result",
                SEVERITY,
                f"`{view.tool.name}` hands the model {what}, however large, and it stays in the "
                "conversation. Limit it and tell the total.",
                value.place,
                view.tool.name,
            )


def _is_limited(view: ToolView) -> bool:
    if any(_LIMITING_PARAMETER.search(name) for name in view.sent):
        return True
    if any(callback.kind == "after_tool_callback" for agent in view.agents for callback in agent.callbacks):
        return True
    texts = [a.literal for call in view.tool.body.calls for a in call.arguments if isinstance(a.literal, str)]
    code = code_of(view.tool)
    return bool(_CUT.search(code)) or any(
        _BOUNDED_QUERY.search(text) or _KEYED.search(text) for text in (*texts, code)
    )


def _takes_a_part(value: Returned, name: str) -> bool:
    """Whether it is `file.read(1000)`."""
    return name in {"read", "readlines"} and not value.text.rstrip().endswith("()") and "(" in value.text


def _whole(value: Returned) -> Iterator[tuple[Returned, str]]:
    """The parts of a result that are all there is of something."""
    for part in value.values:
        yield from _whole(part)
    callee = value.callee or ""
    name = callee.rpartition(".")[2]
    if value.kind != "call" or _takes_a_part(value, name):
        return
    if name in _WHOLE and (name not in _OF_TABLES or callee.startswith("pandas.")):
        yield value, _WHOLE[name]
    elif name == "read" and callee.startswith("builtins.open."):
        yield value, "a whole file"
