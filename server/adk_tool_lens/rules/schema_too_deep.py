'''Objects are nested deeper than models handle well.

## What it does
Reports a parameter whose schema nests objects more than five levels deep.

## Why it matters
Gemini's documentation warns that large or deeply nested schemas may be refused, OpenAI limits nesting
to five (later ten) levels, and models fill deep structures badly.

## What it ignores
Lists between the objects: only objects count. Schemas that refer to themselves (unsupported-by-provider).

## Example
```python
from pydantic import BaseModel


class F(BaseModel):
    value: str


class E(BaseModel):
    f: F


class D(BaseModel):
    e: E


class C(BaseModel):
    d: D


class B(BaseModel):
    c: C


class A(BaseModel):
    b: B


def save(tree: A) -> dict:
    """Save a tree.

    Args:
        tree: What to save.

    Returns:
        A dict with `ok`.
    """
    return {"ok": True}
```

## Use instead
```python
from pydantic import BaseModel


class Leaf(BaseModel):
    path: str
    value: str


def save(leaves: list[Leaf]) -> dict:
    """Save a tree.

    Args:
        leaves: What to save, each with its path in the tree.

    Returns:
        A dict with `ok`.
    """
    return {"ok": True}
```

## Fix
None: flatten the structure, or split the tool.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._parameters import is_exact, type_place
from adk_tool_lens.rules._schema import parts
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "schema"
_DEEPEST = 5


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    for parameter in view.parameters:
        found = list(parts(parameter.name, view.sent[parameter.name], view.schema))
        deepest = max(found, key=lambda part: part.objects)
        if deepest.objects > _DEEPEST and not any(part.recursive for part in found):
            yield Finding(
                "schema-too-deep",
                SEVERITY,
                f"`{deepest.path}` of `{view.tool.name}` is {deepest.objects} objects deep. Models fill "
                "such structures "
                "badly, and providers refuse very deep ones. Flatten it, or split the tool.",
                type_place(parameter),
                view.tool.name,
            )
