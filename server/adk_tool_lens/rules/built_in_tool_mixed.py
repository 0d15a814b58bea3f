'''A built-in tool of Gemini stands beside function tools.

## What it does
Reports a tool that Gemini runs itself (`google_search`, `url_context`, `VertexAiSearchTool`,
`enterprise_web_search`, `BuiltInCodeExecutor`) in an agent that has function tools or sub-agents, too.

## Why it matters
Gemini 1.5, 2.0 and 2.5 refuse a request that has both (400, "Tool use with function calling is
unsupported"). google-adk puts both into the request, in every version up to 2.13; since 1.16
`GoogleSearchTool(bypass_multi_tools_limit=True)` runs the search in an agent of its own.

## What it ignores
Models that are not known, other than these, or live; `bypass_multi_tools_limit=True`; built-in tools inside
an `AgentTool`; entries that are there only under a condition.

## Example
```python
from google.adk.agents import Agent
from google.adk.tools import google_search


def save(text: str) -> dict:
    """Save a text. Returns a dict with its number.

    Args:
        text: What to save.
    """
    return {"number": 3}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[google_search, save])
```

## Use instead
```python
from google.adk.agents import Agent
from google.adk.tools.google_search_tool import GoogleSearchTool


def save(text: str) -> dict:
    """Save a text. Returns a dict with its number.

    Args:
        text: What to save.
    """
    return {"number": 3}


search = GoogleSearchTool(bypass_multi_tools_limit=True)
agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[search, save])
```

## Fix
None: whether to bypass or to move the tool into an agent of its own is the author's choice.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.discovery.model import Agent, Entry, EntryKind
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules._entries import FUNCTION_BUILT_INS, sure, title
from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity

SEVERITY = Severity.ERROR
GROUP = "registration"
_SEARCHES = {"google_search", "GoogleSearchTool", "VertexAiSearchTool"}
_RUN_BY_MODEL = _SEARCHES | {
    "url_context",
    "UrlContextTool",
    "enterprise_web_search",
    "enterprise_web_search_tool",
    "EnterpriseWebSearchTool",
    "google_maps_grounding",
    "GoogleMapsGroundingTool",
    "built_in_code_execution",
}
_FUNCTIONS = {EntryKind.FUNCTION, EntryKind.AGENT, EntryKind.TOOLSET}
_MODELS = re.compile(r"(?:.*/)?gemini-(?:1\.5|2\.0|2\.5)-(?!.*(?:live|native-audio))")


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    agent = view.agent
    if not _MODELS.match(agent.model_name or ""):
        return
    other = _function_tool(view)
    if other is None:
        return
    for place, name in _built_ins(view):
        advice = (
            "Use `GoogleSearchTool(bypass_multi_tools_limit=True)`, or give the tool to an agent of its own "
            "and that agent as `AgentTool`."
            if name in {"google_search", "GoogleSearchTool"}
            else "Give it to an agent of its own, and that agent as `AgentTool`."
        )
        yield Finding(
            "built-in-tool-mixed",
            SEVERITY,
            f"`{name}` is run by the model itself, and {agent.model_name} refuses requests that also have "
            f"functions, as {title(agent)} has. {advice}",
            place,
            name,
            related=(Related(other, "a function beside it"),),
        )


def _function_tool(view: AgentView) -> Place | None:
    """Something that is declared as a function: a tool, or the transfer to a sub-agent."""
    for entry, _ in sure(view):
        if entry.kind in _FUNCTIONS or entry.name in FUNCTION_BUILT_INS:
            return entry.place
    return view.agent.sub_agent_places[0] if view.agent.sub_agent_places else None


def _built_ins(view: AgentView) -> Iterator[tuple[Place, str]]:
    for entry, _ in sure(view):
        if entry.kind is EntryKind.BUILT_IN and entry.name in _RUN_BY_MODEL and not _is_bypassed(entry):
            yield entry.place, entry.name
    executor = _code_executor(view.agent)
    if executor is not None:
        yield executor, "BuiltInCodeExecutor"


def _is_bypassed(entry: Entry) -> bool:
    """`bypass_multi_tools_limit`, unless it is literally false."""
    given = entry.argument("bypass_multi_tools_limit") or entry.argument("**")
    return given is not None and given.literal is not False


def _code_executor(agent: Agent) -> Place | None:
    given = agent.keyword("code_executor")
    return given.value.place if given is not None and "BuiltInCodeExecutor(" in given.value.text else None
