'''google-adk cannot build the declaration of the tool.

## What it does
Reports a tool for which the project's google-adk raises when it builds the declaration, with its error.

## Why it matters
Nothing fails while the module is imported: the first request with this tool does, and the whole turn of
the agent with it. Before 2.0 dataclasses, typed dicts and callables that are no functions are among what
google-adk cannot declare.

## What it ignores
Tools that can only be approximated, because then the live one may do better. A second context parameter,
a reserved name, `Field(...)` as default and other contexts than the tool's have rules of their own.

## Example
```python
class Client:
    pass


def fetch(path: str, client: Client) -> dict:
    """Fetch a path. Returns a dict with the content.

    Args:
        path: Path below the root.
        client: The client to use.
    """
    return {}
```

## Use instead
```python
def fetch(path: str) -> dict:
    """Fetch a path. Returns a dict with the content.

    Args:
        path: Path below the root.
    """
    return {}
```

## Fix
Moves an import that only type checkers see to where it runs; else none: which type is meant only the
author knows.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.declaration.model import Refused, Stage
from adk_tool_lens.discovery.model import TypeKind
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules._parameters import is_exact
from adk_tool_lens.rules._refusals import Blame, Cause, blame, says
from adk_tool_lens.rules._versions import Versions
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"
DIFFERS = (Versions(below="2.0"),)
_SINCE_2 = {TypeKind.DATACLASS, TypeKind.TYPED_DICT}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    found = blame(view)
    if found is None or found.cause is not Cause.OTHER or view.approximations:
        return
    assert isinstance(view.answer, Refused)  # noqa: S101 - only refusals are blamed on something
    yield Finding(
        "declaration-fails", SEVERITY, _message(view, view.answer, found), found.place, view.tool.name
    )


def elsewhere(view: ToolView) -> Iterator[Finding]:
    """What 1.x cannot declare: dataclasses and typed dicts, and callables that are no functions."""
    if not is_exact(view):
        return
    for parameter in view.parameters:
        parts = [] if parameter.type is None else [n for n in parameter.type.walk() if n.kind in _SINCE_2]
        if parts:
            yield _unknown(view, f"`{parameter.name}`, a {parts[0].kind.value}", parts[0].place)
    if view.tool.bound or view.tool.is_object:
        yield _unknown(view, "a callable that is no function", view.tool.place)


def _unknown(view: ToolView, what: str, place: Place) -> Finding:
    message = f"{view.facts.judged_by} cannot declare `{view.tool.name}` because of {what}."
    return Finding("declaration-fails", SEVERITY, message, place, view.tool.name)


def _message(view: ToolView, refused: Refused, found: Blame) -> str:
    because = f" because of `{found.parameter.name}`" if found.parameter else ""
    if refused.stage is Stage.STUB:
        return f"Python cannot define `{view.tool.name}`{because}. {says(refused)}"
    return (
        f"{view.facts.judged_by} cannot declare `{view.tool.name}`{because}, so every request with it fails. "
        f"{says(refused)}"
    )
