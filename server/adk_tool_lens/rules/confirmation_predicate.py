'''The function that decides about a confirmation does not take the tool's arguments.

## What it does
Reports a `require_confirmation=function` whose parameters differ from the tool's.

## Why it matters
google-adk calls the function with the tool's arguments, by keyword, the context included. One that it does
not take, or one that is missing, is a TypeError in the middle of the run. Every version from 1.14 to 2.13.

## What it ignores
Functions that take `**kwargs`, parameters of theirs with a default, functions and tools whose text is not at
hand.

## Example
```python
from google.adk.agents import Agent
from google.adk.tools import FunctionTool


def refund(order: str, amount: float) -> dict:
    """Refund a part of an order. Returns a dict with the receipt.

    Args:
        order: Number of the order.
        amount: Amount in euros.
    """
    return {"receipt": order}


def is_large(amount: float) -> bool:
    return amount > 100


tool = FunctionTool(refund, require_confirmation=is_large)
agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[tool])
```

## Use instead
```python
from google.adk.agents import Agent
from google.adk.tools import FunctionTool


def refund(order: str, amount: float) -> dict:
    """Refund a part of an order. Returns a dict with the receipt.

    Args:
        order: Number of the order.
        amount: Amount in euros.
    """
    return {"receipt": order}


def is_large(amount: float, **rest: object) -> bool:
    return amount > 100


tool = FunctionTool(refund, require_confirmation=is_large)
agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[tool])
```

## Fix
Adds `**kwargs` where the function takes too few arguments. Not safe: a misspelt name is taken, too.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Parameter, ParameterKind, Tool
from adk_tool_lens.rules.model import AgentView, Finding, Fix, Related, Severity

SEVERITY = Severity.ERROR
GROUP = "safety"
_COLLECTING = {ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD}


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    for entry in view.agent.entries:
        predicate = entry.confirmation.function if entry.confirmation else None
        if entry.tool is None or entry.confirmation is None or predicate is None or predicate.decorators:
            continue
        misfit = _misfit(entry.tool, predicate)
        if misfit is None:
            continue
        why, fixes = misfit
        here = predicate.place.path == view.agent.place.path
        yield Finding(
            "confirmation-predicate",
            SEVERITY,
            f"`{predicate.name}` is called with the arguments of `{entry.tool.name}`, but {why}. Give it the "
            "tool's parameters, or `**kwargs`.",
            predicate.place if here else entry.confirmation.place,
            entry.tool.name,
            fixes=fixes,
            related=(Related(entry.confirmation.place, "decides about the confirmation here"),),
        )


def _misfit(tool: Tool, predicate: Tool) -> tuple[str, tuple[Fix, ...]] | None:
    """Why the call fails, and what helps."""
    given = [p for p in tool.parameters if not p.receiver and p.kind not in _COLLECTING]
    rows = [p for p in predicate.parameters if not p.receiver]
    named = {p.name for p in rows if p.kind in {ParameterKind.NORMAL, ParameterKind.KEYWORD_ONLY}}
    if not any(p.kind is ParameterKind.VAR_KEYWORD for p in rows):
        missing = next((p.name for p in given if p.name not in named), None)
        if missing is not None:
            return f"it takes no `{missing}`", (Fix("accept-arguments"),)
    extra = next((p.name for p in rows if _is_needed(p) and p.name not in {g.name for g in given}), None)
    return None if extra is None else (f"the tool has no `{extra}`", ())


def _is_needed(parameter: Parameter) -> bool:
    return parameter.default is None and parameter.kind not in _COLLECTING
