"""Results are cut off by a callback, and nobody tells the model.

## What it does
Reports an `after_tool_callback` that hands on only a part of the result (`rows[:10]`, `random.sample`) when
the agent's instruction says nothing of it. It is a hint where the result itself carries a mark, such as a
`total` or a note.

## Why it matters
The model takes what it reads for the whole: it counts ten orders where there are a thousand, and says that
something is not there. An instruction that says that results are samples, with the total beside them, keeps
it from that.

## What it ignores
Parts that are only logged or compared, instructions that are not known, and those that speak of samples,
limits, totals or excerpts in any way.

## Example
```python
from google.adk.agents import Agent


def shorten(tool, args, tool_context, tool_response):
    return {"rows": tool_response["rows"][:10]}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", after_tool_callback=shorten)
```

## Use instead
```python
from google.adk.agents import Agent


def shorten(tool, args, tool_context, tool_response):
    rows = tool_response["rows"]
    return {"rows": rows[:10], "total": len(rows)}


agent = Agent(
    name="a",
    model="gemini-2.5-flash",
    instruction="Help. Results are samples of at most ten rows; `total` tells how many there are.",
    after_tool_callback=shorten,
)
```

## Fix
None: how results are announced only the author knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.rules._entries import title
from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity

SEVERITY = Severity.WARNING
GROUP = "callbacks"
_SAYS = re.compile(
    r"sampl|truncat|trimm|shorten|abridg|excerpt|partial|preview|omit|limited to|at most|up to \d|\btop \d"
    r"|first \d|\btotal|only (?:a part|some|the first)|not (?:all|complete)|incomplete|summar",
    re.IGNORECASE,
)


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    agent = view.agent
    texts = [agent.instruction, *(k.literal for k in agent.keywords if k.name.endswith("_instruction"))]
    if agent.instruction is None or any(isinstance(text, str) and _SAYS.search(text) for text in texts):
        return
    for callback in agent.callbacks:
        function = callback.function
        if function is None or not callback.effects.shortened:
            continue
        place = callback.effects.shortened[0]
        marked = callback.effects.marked
        related = [Related(callback.place, f"given as `{callback.kind}` here")]
        if agent.instruction_place is not None:
            related.append(Related(agent.instruction_place, "the instruction that does not speak of it"))
        yield Finding(
            "truncation-not-announced",
            Severity.HINT if marked else SEVERITY,
            f"`{function.name}` hands on only a part of each result, and the instruction of "
            f"{title(agent)} does not say so: the model takes it for the whole. Say it there, and add the "
            "total to the result.",
            place if place.path == agent.place.path else callback.place,
            function.name,
            related=tuple(related),
        )
