'''An alias in `Field` does not rename a parameter.

## What it does
Reports `alias`, `validation_alias` and `serialization_alias` in a parameter's `Field`, when the model
is told the parameter's own name.

## Why it matters
google-adk takes the name from the signature, because it passes the argument under that name (1.19 to 2.13).

## What it ignores
Aliases in fields of models: those are sent.

## Example
```python
from typing import Annotated

from pydantic import Field


def get_user(user_id: Annotated[str, Field(alias="userId")]) -> dict:
    """Get a user.

    Args:
        user_id: Number of the user.

    Returns:
        A dict with `name`.
    """
    return {"name": "Ada"}
```

## Use instead
```python
def get_user(user_id: str) -> dict:
    """Get a user.

    Args:
        user_id: Number of the user.

    Returns:
        A dict with `name`.
    """
    return {"name": "Ada"}
```

## Fix
None: rename the parameter, or remove the alias.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._parameters import is_exact
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.INFO
GROUP = "schema"
_ALIASES = frozenset({"alias", "validation_alias", "serialization_alias"})


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    for parameter in view.parameters:
        for metadata in parameter.metadata:
            for option in metadata.options:
                if option.name in _ALIASES and option.value not in {parameter.name, *view.sent}:
                    yield Finding(
                        "field-alias-ignored",
                        SEVERITY,
                        f"`{option.name}` has no effect: the model is told the name `{parameter.name}` "
                        "for this "
                        f"parameter of `{view.tool.name}`. Rename the parameter, or remove the alias.",
                        option.place,
                        view.tool.name,
                    )
