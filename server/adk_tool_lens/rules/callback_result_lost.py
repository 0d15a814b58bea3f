"""A callback changes a copy of the response and returns nothing.

## What it does
Reports, in an `after_tool_callback` or `after_model_callback` that never returns a value, the change of a
copy of the response (or a new value for its parameter) that nothing reads.

## Why it matters
google-adk keeps the old response when a callback returns None. Changes of the object that was passed are
kept, those of a copy are lost: the model still reads what the callback was written to hide or shorten. Every
version.

## What it ignores
Callbacks that return something somewhere, changes of the response itself, and copies that are read
afterwards, for instance to log or store them.

## Example
```python
from google.adk.agents import Agent


def shorten(tool, args, tool_context, tool_response):
    short = dict(tool_response)
    short["rows"] = []


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", after_tool_callback=shorten)
```

## Use instead
```python
from google.adk.agents import Agent


def shorten(tool, args, tool_context, tool_response):
    short = dict(tool_response)
    short["rows"] = []
    return short


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", after_tool_callback=shorten)
```

## Fix
None here: return the changed response.
"""

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity

SEVERITY = Severity.WARNING
GROUP = "callbacks"


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    for callback in view.agent.callbacks:
        function = callback.function
        if function is None:
            continue
        for place in callback.effects.lost:
            here = place.path == view.agent.place.path
            yield Finding(
                "callback-result-lost",
                SEVERITY,
                f"`{function.name}` changes a copy of the response and returns nothing, so the model still "
                "gets the old one. Return the changed response.",
                place if here else callback.place,
                function.name,
                related=(Related(callback.place, f"given as `{callback.kind}` here"),),
            )
