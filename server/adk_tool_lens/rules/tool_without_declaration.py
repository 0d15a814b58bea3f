'''A tool object never tells the model that it exists.

## What it does
Reports an object of a class derived from `BaseTool` that defines neither `_get_declaration` nor
`process_llm_request`.

## Why it matters
`BaseTool._get_declaration` returns `None`, and a tool without a declaration is left out of the request: the
model cannot call it, and nothing is logged. Seen on every version from 1.5 to 2.13.

## What it ignores
Classes with a base that is not known or is another of google-adk's tool classes, such as `FunctionTool`.

## Example
```python
from google.adk.agents import Agent
from google.adk.tools.base_tool import BaseTool


class Ping(BaseTool):
    """Ping a host."""

    async def run_async(self, *, args, tool_context):
        return {"ok": True}


ping = Ping(name="ping", description="Ping a host")
agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[ping])
```

## Use instead
```python
from google.adk.agents import Agent


def ping(host: str) -> dict:
    """Ping a host. Returns a dict with `ok`.

    Args:
        host: Name or address of the host.
    """
    return {"ok": True}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[ping])
```

## Fix
None: define `_get_declaration`, or write the tool as a function.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Entry, EntryKind
from adk_tool_lens.rules.model import AgentView, Finding, Severity

SEVERITY = Severity.ERROR
GROUP = "registration"
_DECLARING = {"_get_declaration", "process_llm_request"}


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    for entry in view.agent.entries:
        if entry.kind is EntryKind.CUSTOM and _is_silent(entry):
            yield Finding(
                "tool-without-declaration",
                SEVERITY,
                f"The model is never told of this tool: `{entry.reason}` defines no `_get_declaration`, and "
                "google-adk leaves a tool without one out of the request. Define it, or pass a function.",
                entry.place,
                entry.reason,
            )


def _is_silent(entry: Entry) -> bool:
    plain = {"builtins.object", "abc.ABC", "typing.Generic"}
    outside = {base.rpartition(".")[2] for base in entry.bases if base not in plain}
    return outside == {"BaseTool"} and not entry.methods & _DECLARING
