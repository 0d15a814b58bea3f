'''google-adk cannot build the declaration of the tool.

## What it does
Reports a tool for which the project's google-adk raises when it builds the declaration, with its error.

## Why it matters
Nothing fails while the module is imported: the first request with this tool does, and the whole turn of
the agent with it.

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
from adk_tool_lens.rules._refusals import Blame, Cause, blame, says
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    found = blame(view)
    if found is None or found.cause is not Cause.OTHER or view.approximations:
        return
    assert isinstance(view.answer, Refused)  # noqa: S101 - only refusals are blamed on something
    yield Finding(
        "declaration-fails", SEVERITY, _message(view, view.answer, found), found.place, view.tool.name
    )


def _message(view: ToolView, refused: Refused, found: Blame) -> str:
    because = f" because of `{found.parameter.name}`" if found.parameter else ""
    if refused.stage is Stage.STUB:
        return f"Python cannot define `{view.tool.name}`{because}. {says(refused)}"
    return (
        f"{view.facts.judged_by} cannot declare `{view.tool.name}`{because}, so every request with it fails. "
        f"{says(refused)}"
    )
