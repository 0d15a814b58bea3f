'''A statement is too large or too deeply nested to be read, so nothing is said of the tools in it.

## What it does
Reports a top-level statement that defines functions or speaks of agents or tools, and that has more than
two million characters or is nested deeper than Python's parser goes.

## Why it matters
Everything else in the file is read and checked. What such a statement defines is not: no preview, no
findings, and tools that it registers look as if no agent had them. Without this note that would be silent.

## What it ignores
Large statements without functions, agents or tools, such as generated tables, and code that is not complete.

## Example
```python
from google.adk.agents import Agent


def get_time(city: str) -> dict:
    """Get the local time of a city. Returns a dict with `time`."""
    return {"status": "success", "time": "10:00"}


root_agent = Agent(name="clock", model="gemini-2.5-flash", instruction="Tell the time.", tools=[
    ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
    ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((get_time))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
    ))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
])
```

## Use instead
```python
from google.adk.agents import Agent


def get_time(city: str) -> dict:
    """Get the local time of a city. Returns a dict with `time`."""
    return {"status": "success", "time": "10:00"}


root_agent = Agent(name="clock", model="gemini-2.5-flash", instruction="Tell the time.", tools=[get_time])
```

## Fix
None here: split the statement, or move the data of it into a file of its own.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules.model import FileView, Finding, Severity

SEVERITY = Severity.INFO
GROUP = "schema"


def check_file(view: FileView) -> Iterator[Finding]:
    """See the module's docstring."""
    for place, name, reason in view.unread:
        yield Finding(
            "unread-statement",
            SEVERITY,
            f"The statement that begins with `{name}` is not read, because {reason}: nothing is said of "
            "the tools in it. Split it, or move its data into a file of its own.",
            place,
        )
