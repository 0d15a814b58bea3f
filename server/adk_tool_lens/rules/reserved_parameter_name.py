'''The name of a parameter means something else to google-adk or pydantic.

## What it does
Reports a parameter whose name makes the declaration fail (`model_validate`, `__base__`), and an ordinary
parameter called `tool_context` or `input_stream`.

## Why it matters
google-adk 2.0 and later hand the names to pydantic's `create_model`: members of `BaseModel` and some
names with double underscores raise at the first request. `tool_context` and `input_stream` are never
sent to the model (every version seen, 1.18 to 2.13): the first is filled with the context object, the
second with a stream.

## What it ignores
Names that pydantic only warns about (`schema`, `copy`, `model_post_init`): they work. `tool_context`
without a type or with google-adk's, and `input_stream` of a type that is not Python's own.

## Example
```python
def check_model(model_validate: str) -> dict:
    """Check a model.

    Args:
        model_validate: Name of the check.

    Returns:
        A dict with `ok`.
    """
    return {"ok": True}
```

## Use instead
```python
def check_model(check: str) -> dict:
    """Check a model.

    Args:
        check: Name of the check.

    Returns:
        A dict with `ok`.
    """
    return {"ok": True}
```

## Fix
Renames the parameter and its uses in the function. Not safe: other callers are not seen.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.declaration.model import Refused
from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.rules._parameters import is_context, is_exact
from adk_tool_lens.rules._refusals import Cause, blame, says
from adk_tool_lens.rules.model import CALLABLE_KINDS, Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"
_FILLED = {"tool_context": "its context object", "input_stream": "the stream of a live call"}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    found = blame(view)
    if found is not None and found.cause is Cause.RESERVED_NAME and found.parameter is not None:
        yield _refused(view, found.parameter)
    if is_exact(view):
        for parameter in view.tool.parameters:
            if _is_taken(view, parameter):
                yield _taken(view, parameter)


def _refused(view: ToolView, parameter: Parameter) -> Finding:
    error = says(view.answer) if isinstance(view.answer, Refused) else ""
    return Finding(
        "reserved-parameter-name",
        SEVERITY,
        f"`{parameter.name}` of `{view.tool.name}` is a name that pydantic needs for itself, so "
        f"{view.facts.judged_by} cannot declare the tool and every request with it fails. {error} Rename it.",
        parameter.place,
        view.tool.name,
    )


def _is_taken(view: ToolView, parameter: Parameter) -> bool:
    """Whether a parameter of an ordinary type has a name that google-adk fills in."""
    if parameter.name not in _FILLED or parameter.name in view.sent or parameter.kind not in CALLABLE_KINDS:
        return False
    tree = parameter.type
    if tree is None or is_context(tree) or not tree.alternatives:
        return False
    return all(one.name.startswith("builtins.") for one in tree.alternatives)


def _taken(view: ToolView, parameter: Parameter) -> Finding:
    return Finding(
        "reserved-parameter-name",
        SEVERITY,
        f"google-adk never asks the model for a parameter called `{parameter.name}`: it passes "
        f"{_FILLED[parameter.name]} to `{view.tool.name}`. Rename it if the model is to fill it in.",
        parameter.place,
        view.tool.name,
    )
