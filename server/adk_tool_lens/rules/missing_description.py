'''The model is sent no description of the tool.

## What it does
Reports a tool whose declaration has no description, or one of white space only. For an object of a class
with `__call__` the place is where it is handed to the agent.

## Why it matters
The description is the only text that tells the model what a tool does and when to call it; google-adk takes
it from the docstring alone and sends nothing when there is none (every version). Of an object, versions
before 2.12 send the class's docstring only; that of `__call__` is lost.

## What it ignores
Tools whose declaration could not be built or is only approximate because their `__doc__` is set when the
code runs; lambdas, functions hidden by a decorator and texts that are no docstring, of which other rules
speak.

## Example
```python
def get_weather(city: str) -> dict:
    return {"temperature": 21}
```

## Use instead
```python
def get_weather(city: str) -> dict:
    """Get the current temperature of a city.

    Args:
        city: Name of the city in English.

    Returns:
        A dict with `temperature` in degrees Celsius.
    """
    return {"temperature": 21}
```

## Fix
Adds a docstring with the tool's name in words and an entry for each parameter, to be filled in. Not
applied unasked.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules._parameters import is_hidden
from adk_tool_lens.rules._versions import Versions
from adk_tool_lens.rules.model import Finding, Fix, Related, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "description"
DIFFERS = (Versions("2.0", "2.12"),)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    tool = view.tool
    if view.declaration is None or view.description.strip() or tool.opening or is_hidden(view):
        return
    if tool.name == "<lambda>" or any("__doc__" in each.reason for each in view.approximations):
        return
    written = tool.docstring is not None and tool.docstring.value.strip()
    if written and not tool.is_object:
        return
    place = _place(view)
    yield Finding(
        "missing-description",
        SEVERITY,
        _lost(view) if written else _absent(view),
        place,
        tool.name,
        (Fix("add-docstring"),) if tool.layout and not written else (),
        tuple(_related(view, place)),
    )


def elsewhere(view: ToolView) -> Iterator[Finding]:
    """The docstring of a `__call__`, which 2.12 sends and 2.0 does not."""
    tool = view.tool
    if not tool.is_object or tool.docstring is None or tool.layout is None or not view.description.strip():
        return
    if tool.docstring.place.span.start == tool.layout.body_start:
        yield Finding("missing-description", SEVERITY, _lost(view), _place(view), tool.name)


def _absent(view: ToolView) -> str:
    return (
        f"The model is told nothing about what `{view.tool.name}` does: it has no docstring text, and "
        "google-adk sends no other. Write one that says what it does and when to use it."
    )


def _lost(view: ToolView) -> str:
    return (
        f"The model is told nothing about what `{view.tool.name}` does: {view.facts.judged_by} does not send "
        "the docstring of `__call__`. Give the class a docstring."
    )


def _place(view: ToolView) -> Place:
    """The name; of an object, the place where it becomes a tool."""
    if view.tool.is_object:
        for registration in view.tool.registrations:
            if registration.place.path == view.tool.path:
                return registration.place
    return view.tool.place


def _related(view: ToolView, place: Place) -> Iterator[Related]:
    if place != view.tool.place:
        yield Related(view.tool.place, f"`{view.tool.name}` is defined here.")
    if view.tool.docstring is not None and view.tool.is_object and place != view.tool.place:
        yield Related(view.tool.docstring.place, "This text does not reach the model.")
