'''The model is told no type of a parameter.

## What it does
Reports a parameter without annotation whose schema says nothing about its values.

## Why it matters
The schema is only `{"title": "City"}` (every version seen, 1.19 to 2.13): the model may send a text, a
number or an object. Vertex AI refuses schemas without `type`.

## What it ignores
The context parameter, `self`, `*args`, `**kwargs`, lambdas (lambda-tool), and parameters that are meant
as a context (context-parameter-exposed).

## Example
```python
def get_weather(city) -> dict:
    """Get the current weather of a city.

    Args:
        city: Name of the city in English.

    Returns:
        A dict with `temperature` in degrees Celsius.
    """
    return {"temperature": 21}
```

## Use instead
```python
def get_weather(city: str) -> dict:
    """Get the current weather of a city.

    Args:
        city: Name of the city in English.

    Returns:
        A dict with `temperature` in degrees Celsius.
    """
    return {"temperature": 21}
```

## Fix
Annotates the parameter with the type that the docstring or the default tells. Safe when the docstring
tells it.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.rules._parameters import for_the_model, is_exact
from adk_tool_lens.rules._schema import says_nothing
from adk_tool_lens.rules.context_parameter_exposed import is_meant_as_context
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view) or view.tool.name == "<lambda>":
        return
    for parameter in for_the_model(view):
        schema = view.sent.get(parameter.name)
        if parameter.annotation is not None or schema is None or not says_nothing(schema, view.schema):
            continue
        if not is_meant_as_context(view, parameter) and not _is_receiver(view, parameter):
            yield Finding(
                "untyped-parameter",
                SEVERITY,
                f"The model is told no type of `{parameter.name}` of `{view.tool.name}`, so it may send a "
                "text, "
                "a number or anything else. Annotate it.",
                parameter.place,
                view.tool.name,
            )


def _is_receiver(view: ToolView, parameter: Parameter) -> bool:
    """Whether it is the `self` of a method that was taken from its class."""
    return parameter.name in {"self", "cls"} and parameter is view.tool.parameters[0]
