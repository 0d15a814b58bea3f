'''A tool is called where it should be passed.

## What it does
Reports an element of `tools=[...]` that is a call of a function of the project whose result is no tool: a
dict, a text, a number, `None` or a coroutine.

## Why it matters
The function runs once while the module is imported, and its result takes the tool's place: every google-adk
version refuses the agent with a ValidationError.

## What it ignores
Factories (calls that return a function or a tool object), calls whose result cannot be told, and elements
that are there only under a condition.

## Example
```python
from google.adk.agents import Agent


def weather(city: str = "MUC") -> dict:
    """Tell the weather of a city. Returns a dict with the city.

    Args:
        city: IATA code of the city.
    """
    return {"city": city}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[weather()])
```

## Use instead
```python
from google.adk.agents import Agent


def weather(city: str = "MUC") -> dict:
    """Tell the weather of a city. Returns a dict with the city.

    Args:
        city: IATA code of the city.
    """
    return {"city": city}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[weather])
```

## Fix
Takes the parentheses away where they are empty. Not safe: the call may have been meant.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Entry, Tool
from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity

SEVERITY = Severity.ERROR
GROUP = "registration"
_SHAPES = {"dict": "a dict", "str": "a text", "int": "a number", "float": "a number", "NoneType": "None"}
_TYPES = {"dict": "a dict", "Dict": "a dict", "str": "a text", "int": "a number", "float": "a number"}


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    for entry in view.agent.entries:
        if entry.called is None or entry.conditional:
            continue
        what = _result(entry, entry.called)
        if what is None:
            continue
        name = entry.called.name
        yield Finding(
            "tool-called-instead-of-passed",
            SEVERITY,
            f"`{name}` is called here, so the agent gets what it returns ({what}) and not the tool; "
            f"google-adk refuses that. Pass `{name}` without parentheses.",
            entry.place,
            name,
            related=(Related(entry.called.place, f"`{name}` is defined here"),),
        )


def _result(entry: Entry, called: Tool) -> str | None:
    """What the call gives, when it is no tool for sure."""
    if called.is_async and not called.is_generator:
        return "a coroutine"
    if called.decorators:
        return None
    if entry.shape in _SHAPES:
        return _SHAPES[entry.shape]
    if entry.shape != "unknown" or called.returns is None:
        return None
    return _TYPES.get(called.returns.text.partition("[")[0].strip())
