'''A secret is asked of the model.

## What it does
Reports parameters annotated `SecretStr` or `SecretBytes`.

## Why it matters
The model has to know the secret to pass it: it stands in the conversation, in logs and in traces. The
function receives it as a plain text (1.39 to 2.13).

## What it ignores
Secrets within models.

## Example
```python
from pydantic import SecretStr


def log_in(user: str, password: SecretStr) -> dict:
    """Log in to the shop.

    Args:
        user: Name of the user.
        password: The user's password.

    Returns:
        A dict with `ok`.
    """
    return {"ok": bool(str(password))}
```

## Use instead
```python
import os


def log_in(user: str) -> dict:
    """Log in to the shop.

    Args:
        user: Name of the user.

    Returns:
        A dict with `ok`.
    """
    return {"ok": bool(os.environ["SHOP_PASSWORD"])}
```

## Fix
None: take the secret from the environment, the session's state or google-adk's authentication.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._parameters import for_the_model, is_exact
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.INFO
GROUP = "schema"
_SECRETS = frozenset({"SecretStr", "SecretBytes"})


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view):
        return
    for parameter in for_the_model(view):
        nodes = () if parameter.type is None else parameter.type.walk()
        secret = next(
            (n for n in nodes if n.name.startswith("pydantic") and n.name.rpartition(".")[2] in _SECRETS),
            None,
        )
        if secret is not None and parameter.name in view.sent:
            yield Finding(
                "secret-parameter",
                SEVERITY,
                f"The model has to know the secret to pass `{parameter.name}` to `{view.tool.name}`: it "
                "stands in the "
                "conversation. Take it from the environment or from google-adk's authentication.",
                secret.place,
                view.tool.name,
            )
