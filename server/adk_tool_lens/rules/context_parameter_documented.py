'''The docstring describes the context parameter, which the model cannot set.

## What it does
Reports an entry of the docstring's parameters for the context (`tool_context: ToolContext`) or another
parameter that google-adk fills in itself.

## Why it matters
The docstring is sent as one text (every version), so the model reads of an argument that is not in the
tool's schema. It costs tokens in every request and can make the model send one. ADK's guide says to leave
it out of the docstring.

## What it ignores
Mentions in prose, and parameters that are in the schema.

## Example
```python
from google.adk.tools import ToolContext


def remember(fact: str, tool_context: ToolContext) -> dict:
    """Keep a fact for the rest of the session.

    Args:
        fact: What to keep, one sentence.
        tool_context: The tool context.

    Returns:
        A dict with `status`.
    """
    tool_context.state["fact"] = fact
    return {"status": "success"}
```

## Use instead
```python
from google.adk.tools import ToolContext


def remember(fact: str, tool_context: ToolContext) -> dict:
    """Keep a fact for the rest of the session.

    Args:
        fact: What to keep, one sentence.

    Returns:
        A dict with `status`.
    """
    tool_context.state["fact"] = fact
    return {"status": "success"}
```

## Fix
Removes the entry. Safe: the text says nothing that the model could use.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._docstring import in_docstring
from adk_tool_lens.rules._parameters import context_parameter
from adk_tool_lens.rules.model import Finding, Fix, Severity, Tag, ToolView

SEVERITY = Severity.HINT
GROUP = "description"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or view.tool.docstring is None or not view.description:
        return
    context = context_parameter(view)
    for parameter in view.tool.parameters:
        entry = view.docstring.entry(parameter.name)
        filled_in = parameter is context or parameter.name == "input_stream"
        if entry is None or parameter.name in view.sent or not filled_in:
            continue
        yield Finding(
            "context-parameter-documented",
            SEVERITY,
            f"The model reads about `{parameter.name}` of `{view.tool.name}`, which google-adk fills in and "
            "the model cannot set. Remove it from the docstring.",
            in_docstring(view.tool, entry.span),
            view.tool.name,
            (Fix("remove-entry", (parameter.name,)),),
            tags=(Tag.UNNECESSARY,),
        )
