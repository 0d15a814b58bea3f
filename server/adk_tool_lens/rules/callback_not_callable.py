"""Something else than a function is given as a callback.

## What it does
Reports a text, a number, a dict or the None that a call gives where an agent wants a callback.

## Why it matters
google-adk raises a ValidationError for anything but functions and lists of them as soon as the module is
imported. A callback that is called instead of passed and returns None is worse: the agent has no callback at
all, and nobody says so. Seen with 1.39, 2.9 and 2.13.

## What it ignores
`None` that is written as such, and values that are known only when the code runs.

## Example
```python
from google.adk.agents import Agent


def guard(callback_context=None):
    return None


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", before_agent_callback=guard())
```

## Use instead
```python
from google.adk.agents import Agent


def guard(callback_context=None):
    return None


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", before_agent_callback=guard)
```

## Fix
None: only the author knows which function is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import AgentKeyword
from adk_tool_lens.rules._callbacks import AGENT
from adk_tool_lens.rules._entries import title
from adk_tool_lens.rules.model import AgentView, Finding, Severity

SEVERITY = Severity.ERROR
GROUP = "callbacks"
_SHAPES = {"str": "a text", "int": "a number", "float": "a number", "bool": "a truth value", "dict": "a dict"}


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    for given in view.agent.keywords:
        what = _what(given) if given.name in AGENT else None
        if what is not None:
            yield Finding(
                "callback-not-callable",
                SEVERITY,
                f"`{given.name}` of {title(view.agent)} is {what}. Pass the function itself.",
                given.value.place,
            )


def _what(given: AgentKeyword) -> str | None:
    called = given.value.text.endswith(")") and "(" in given.value.text.lstrip("(")
    if given.shape == "NoneType" and called:
        return "called here and gives None, so the agent has no such callback"
    if given.shape in _SHAPES:
        how = "what a call gives, " if called else ""
        return f"{how}{_SHAPES[given.shape]} and no function, so google-adk refuses the agent"
    return None
