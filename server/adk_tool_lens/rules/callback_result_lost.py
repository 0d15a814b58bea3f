"""A callback changes a copy of the response and returns nothing.

## What it does
Reports, in an `after_tool_callback` or `after_model_callback` of an agent or a plugin that never returns a
value, the change of a copy of the response (or a new value for its parameter) that nothing reads.

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
Returns the changed response at the end. Not safe: other callers get a result that they did not get.
"""

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules.model import CallbacksView, Finding, Severity

SEVERITY = Severity.WARNING
GROUP = "callbacks"


def check_callbacks(view: CallbacksView) -> Iterator[Finding]:
    """See the module's docstring."""
    for callback in view.callbacks:
        function = callback.function
        if function is None:
            continue
        for place in callback.effects.lost:
            yield Finding(
                "callback-result-lost",
                SEVERITY,
                f"`{function.name}` changes a copy of the response and returns nothing, so the model still "
                "gets the old one. Return the changed response.",
                view.place_of(callback, place),
                function.name,
                related=view.related(callback),
            )
