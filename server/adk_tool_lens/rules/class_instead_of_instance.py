'''A class is registered where an object of it was meant.

## What it does
Reports an element of `tools=[...]` that is a class. It is an error for tool classes (derived from `BaseTool`
or `BaseToolset`, or with `__call__`), else a warning.

## Why it matters
google-adk takes the class itself for a function: the model is told the parameters of `__init__`, a call makes
an object, and what the class was written for never runs. No version reports it.

## What it ignores
Objects of the class, and classes that are there only under a condition.

## Example
```python
from google.adk.agents import Agent
from google.adk.tools.base_tool import BaseTool


class Ping(BaseTool):
    """Ping a host. Returns a dict with `ok`."""

    def __init__(self):
        super().__init__(name="ping", description="Ping a host")

    async def run_async(self, *, args, tool_context):
        return {"ok": True}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[Ping])
```

## Use instead
```python
from google.adk.agents import Agent
from google.adk.tools.base_tool import BaseTool


class Ping(BaseTool):
    """Ping a host. Returns a dict with `ok`."""

    def __init__(self):
        super().__init__(name="ping", description="Ping a host")

    def _get_declaration(self):
        return None

    async def run_async(self, *, args, tool_context):
        return {"ok": True}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[Ping()])
```

## Fix
Adds parentheses where the class needs no arguments. Not safe: an object may have been meant to be shared.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Entry, EntryKind
from adk_tool_lens.rules.model import AgentView, Finding, Severity

SEVERITY = Severity.ERROR
GROUP = "registration"


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    for entry in view.agent.entries:
        if entry.kind is not EntryKind.CLASS or entry.conditional:
            continue
        if _is_tool_class(entry):
            why = "so google-adk declares its `__init__` to the model and never runs the tool"
            severity = Severity.ERROR
        else:
            why = "so a call by the model only makes an object of it"
            severity = Severity.WARNING
        yield Finding(
            "class-instead-of-instance",
            severity,
            f"`{entry.name}` is a class, {why}. Pass an object (`{entry.name}(...)`) or a function.",
            entry.place,
            entry.name,
        )


def _is_tool_class(entry: Entry) -> bool:
    if entry.tool is None:
        return True
    adk = (base for base in entry.bases if base.startswith("google.adk"))
    return "__call__" in entry.methods or any(base.endswith(("Tool", "Toolset")) for base in adk)
