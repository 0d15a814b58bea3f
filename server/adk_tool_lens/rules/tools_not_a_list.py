'''`tools` is not a list of tools.

## What it does
Reports a `tools` that is a function, a tool object, a dict, a text or `None`, and elements of it that are
texts, numbers, `None`, lists or agents.

## Why it matters
google-adk refuses the agent with a ValidationError or TypeError as soon as the module is imported. Tuples,
sets and generators are accepted. Seen on every version from 1.5 to 2.13.

## What it ignores
Whatever is only known when the code runs, elements that are there under a condition, and agents made by a
class of the project, which may take anything.

## Example
```python
from google.adk.agents import Agent


def price(sku: str) -> dict:
    """Tell the price of an article. Returns a dict with the price.

    Args:
        sku: Eight digit article number.
    """
    return {"price": 3}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=price)
```

## Use instead
```python
from google.adk.agents import Agent


def price(sku: str) -> dict:
    """Tell the price of an article. Returns a dict with the price.

    Args:
        sku: Eight digit article number.
    """
    return {"price": 3}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[price])
```

## Fix
Puts the value into a list, leaves `None` out, spreads a list within the list. Safe: as written, the agent
cannot be made. An agent is wrapped in `AgentTool`, a name in quotes becomes the function; not safe.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import AgentKeyword, Entry, EntryKind
from adk_tool_lens.rules.model import AgentView, Finding, Severity

SEVERITY = Severity.ERROR
GROUP = "registration"
_WHOLE = {
    "function": "a function",
    "class": "a class",
    "tool": "a single tool",
    "agent": "an agent",
    "dict": "a dict",
    "str": "a text",
    "NoneType": "None",
    "int": "a number",
    "bool": "a truth value",
}
_ELEMENTS = {
    "str": ("a text", "Pass the function itself, not its name."),
    "NoneType": ("None", "Leave it out."),
    "int": ("a number", "Leave it out."),
    "dict": ("a dict", "Pass a function or a tool object."),
    "list": ("a list", "Spread it with `*`."),
    "tuple": ("a tuple", "Spread it with `*`."),
    "set": ("a set", "Spread it with `*`."),
    "agent": ("an agent", "Wrap it in `AgentTool(...)` or list it in `sub_agents`."),
}
_LITERAL = {"str", "NoneType", "int", "bool"}
"""What a variable of the module may be replaced by before the agent is made, so only a literal counts."""


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    tools = view.agent.keyword("tools")
    if tools is not None and not view.agent.own_class and _is_wrong(tools):
        what = _WHOLE[tools.shape]
        advice = (
            "Leave `tools` out." if tools.shape == "NoneType" else "Put the tools in a list: `tools=[...]`."
        )
        yield Finding(
            "tools-not-a-list",
            SEVERITY,
            f"`tools` is {what}, and google-adk refuses everything but a list of tools. {advice}",
            tools.value.place,
        )
        return
    for entry in view.agent.entries:
        if not entry.conditional and _is_no_tool(entry):
            what, advice = _ELEMENTS[entry.shape]
            yield Finding(
                "tools-not-a-list",
                SEVERITY,
                f"This element of `tools` is {what}, which google-adk refuses. {advice}",
                entry.place,
            )


def _is_wrong(tools: AgentKeyword) -> bool:
    return tools.shape in _WHOLE and (tools.shape not in _LITERAL or _is_literal(tools.value.text))


def _is_no_tool(entry: Entry) -> bool:
    if entry.shape not in _ELEMENTS or entry.kind in {EntryKind.FUNCTION, EntryKind.AGENT}:
        return False
    if entry.called is not None:
        return entry.shape in {"list", "tuple", "set"}
    return entry.shape not in _LITERAL or _is_literal(entry.name)


def _is_literal(text: str) -> bool:
    return not text.isidentifier() or text in {"None", "True", "False"}
