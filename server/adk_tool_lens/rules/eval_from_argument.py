'''Python runs what the model chose.

## What it does
Reports `eval`, `exec` and `compile` of a text that an argument of the tool is part of.

## Why it matters
Whoever can talk to the model, or writes a text that it reads, runs Python in your process, with its keys and
files. Empty `__builtins__` do not keep anybody in.

## What it ignores
`ast.literal_eval`, code executors, and arguments that the tool compares with something or gives to a check
first.

## Example
```python
def calculate(expression: str) -> dict:
    """Work a sum out. Returns a dict with the value.

    Args:
        expression: The sum, e.g. "3 * (4 + 5)".
    """
    return {"status": "success", "value": eval(expression)}
```

## Use instead
```python
import ast


def calculate(numbers: list[float]) -> dict:
    """Add numbers up. Returns a dict with the sum.

    Args:
        numbers: What to add up.
    """
    return {"status": "success", "value": sum(numbers)}
```

## Fix
None: use `ast.literal_eval` for values, an arithmetic parser for sums, a code executor for programs.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._flows import flows, last
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "safety"
_RUNS = {"builtins.eval", "builtins.exec", "builtins.compile"}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    for flow in flows(view, 0):
        if flow.call.callee in _RUNS:
            yield Finding(
                "eval-from-argument",
                SEVERITY,
                f"`{last(flow.call.callee)}` runs {flow.listed} of `{view.tool.name}` as Python, so whoever "
                "talks to the model can run any code. Use `ast.literal_eval`, a parser, or a code executor.",
                flow.call.place,
                view.tool.name,
            )
