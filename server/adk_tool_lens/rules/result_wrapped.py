'''The result is no dict, so google-adk wraps it.

## What it does
Reports a tool that returns text, a number, a boolean or a list, or whose results are all such values.

## Why it matters
The response of a function has to be an object: google-adk sends `{"result": ...}` (every version). The
model sees a key that the code does not have, and there is no place for a status or an error message beside
it.

## What it ignores
Results that may be dicts, results of unknown type, tools that return nothing, generators, and descriptions
that speak of the key `result`.

## Example
```python
def get_capital(country: str) -> str:
    """Get the capital of a country.

    Args:
        country: Name of the country in English.

    Returns:
        The name of the capital in English.
    """
    return "Paris"
```

## Use instead
```python
def get_capital(country: str) -> dict:
    """Get the capital of a country.

    Args:
        country: Name of the country in English.

    Returns:
        A dict with `status` and `capital`, its name in English.
    """
    return {"status": "success", "capital": "Paris"}
```

## Fix
None here; returning a dict changes what other callers of the function get.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.discovery.model import TypeKind, TypeTree
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.INFO
GROUP = "result"
_TYPES = {"builtins.str": "text", "builtins.int": "a number", "builtins.float": "a number"} | {
    "builtins.bool": "a boolean",
    "builtins.list": "a list",
    "builtins.tuple": "a list",
    "builtins.bytes": "bytes",
}
_KINDS = {"str": "text", "number": "a number", "bool": "a boolean", "list": "a list", "tuple": "a list"}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or view.tool.is_generator or view.tool.name == "<lambda>":
        return
    if re.search(r"[`'\"]result[`'\"]", view.description):
        return
    wrapped = _by_type(view.tool.result) if view.tool.result is not None else _by_returns(view)
    if not wrapped:
        return
    yield Finding(
        "result-wrapped",
        SEVERITY,
        f"`{view.tool.name}` returns {wrapped}, which google-adk wraps: the model gets "
        '`{"result": ...}`. Return a dict with named keys and a `status`.',
        _place(view),
        view.tool.name,
    )


def _by_type(result: TypeTree) -> str:
    """What is wrapped, in words; empty when the type leaves it open."""
    members = result.alternatives
    words = {_TYPES.get(member.name, "") for member in members if member.kind is TypeKind.EXTERNAL}
    if len(words) != 1 or any(member.kind is not TypeKind.EXTERNAL for member in members):
        return ""
    return words.pop()


def _by_returns(view: ToolView) -> str:
    words = {_KINDS.get(each.kind, "") for each in view.tool.body.returns}
    return words.pop() if len(words) == 1 and view.tool.body.end is None else ""


def _place(view: ToolView) -> Place:
    if view.tool.returns is not None:
        return view.tool.returns.place
    return view.tool.body.returns[0].place
