'''The type of a parameter does not tell the model what to put into it.

## What it does
Reports `Any`, `object`, a `list` or `tuple` without the type of its elements, and a `dict` without
known keys.

## Why it matters
`Any` gives a schema without `type`, `list` one with `"items": {}`, `dict` an object of which no key is
told (every version seen, 1.19 to 2.13). The model has to guess, and Vertex AI refuses schemas without
`type`.

## What it ignores
A `dict` that the tool's description says something about (then it is a hint), `dict[str, int]` and others
whose values have a type, and fields within models.

## Example
```python
def place_order(lines: list) -> dict:
    """Place an order.

    Args:
        lines: What is ordered.

    Returns:
        A dict with `number`, the number of the order.
    """
    return {"number": 1}
```

## Use instead
```python
from pydantic import BaseModel


class Line(BaseModel):
    article: str
    count: int


def place_order(lines: list[Line]) -> dict:
    """Place an order.

    Args:
        lines: What is ordered.

    Returns:
        A dict with `number`, the number of the order.
    """
    return {"number": 1}
```

## Fix
None: which type is meant only the author knows.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Parameter, TypeKind, TypeTree
from adk_tool_lens.rules._parameters import for_the_model, is_exact
from adk_tool_lens.rules.context_parameter_exposed import is_meant_as_context
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "schema"
_LISTS = frozenset(
    {
        "builtins.list",
        "builtins.tuple",
        "builtins.set",
        "builtins.frozenset",
        "collections.deque",
        "collections.abc.Sequence",
        "collections.abc.Iterable",
        "collections.abc.Collection",
    }
)
_DICTS = frozenset({"builtins.dict", "collections.abc.Mapping", "collections.abc.MutableMapping"})


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    for parameter in for_the_model(view):
        node = None if parameter.type is None else _opaque(parameter.type)
        if node is None or parameter.name not in view.sent or is_meant_as_context(view, parameter):
            continue
        yield _finding(view, parameter, node)


def _opaque(tree: TypeTree) -> TypeTree | None:
    """The first part that says nothing about what goes into it, from the outside."""
    for one in tree.alternatives:
        if one.kind is TypeKind.ANY:
            return one
        if one.name in _LISTS:
            inner = one.arguments[0] if one.arguments else None
            if inner is None or inner.kind is TypeKind.ANY:
                return one
            return _opaque(inner)
        if one.name in _DICTS and (not one.arguments or one.arguments[-1].kind is TypeKind.ANY):
            return one
    return None


def _finding(view: ToolView, parameter: Parameter, node: TypeTree) -> Finding:
    documented = node.name in _DICTS and view.reads_about(parameter.name)
    if node.kind is TypeKind.ANY:
        gap, cure = "of which type it is", "Name the type"
    elif node.name in _DICTS:
        gap, cure = "which keys it has", "Use a pydantic model or a TypedDict"
    else:
        gap, cure = "what its elements are", "Name the type of the elements, as in `list[str]`"
    return Finding(
        "opaque-type",
        Severity.HINT if documented else SEVERITY,
        f"The schema of `{parameter.name}` of `{view.tool.name}` does not tell the model {gap}. {cure}.",
        node.place,
        view.tool.name,
    )
