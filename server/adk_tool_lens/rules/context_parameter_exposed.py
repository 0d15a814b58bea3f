'''A parameter that is meant as google-adk's context is asked of the model.

## What it does
Reports a parameter that google-adk does not recognise as its context although it is meant as one: a
context without type under another name than `tool_context`, `ReadonlyContext` or `InvocationContext`,
and before google-adk 1.28 a `ToolContext` under another name.

## Why it matters
google-adk fills in one parameter: the first one annotated `Context`, `ToolContext` or `CallbackContext`
(from 1.28 on), else the one called `tool_context`. Any other is sent to the model, which cannot know a
context, or the declaration fails.

## What it ignores
A parameter called `ctx` or `context` with a type of its own, or one whose use does not tell that it is
a context.

## Example
```python
def remember(note: str, tool_ctx) -> dict:
    """Store a note for the user.

    Args:
        note: Text of the note.

    Returns:
        A dict with `ok`. `tool_ctx` is not for you.
    """
    tool_ctx.state.update(note=note)
    return {"ok": True}
```

## Use instead
```python
from google.adk.tools import ToolContext


def remember(note: str, tool_ctx: ToolContext) -> dict:
    """Store a note for the user.

    Args:
        note: Text of the note.

    Returns:
        A dict with `ok`.
    """
    tool_ctx.state.update(note=note)
    return {"ok": True}
```

## Fix
Annotates the parameter with `ToolContext`, or renames it to `tool_context`. Safe when it had no type.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.declaration.model import Refused
from adk_tool_lens.discovery.model import Parameter, TypeKind
from adk_tool_lens.rules._parameters import for_the_model, is_context, is_exact, typed_as
from adk_tool_lens.rules._refusals import Cause, blame, says
from adk_tool_lens.rules._versions import CONTEXT_BY_TYPE, Versions
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"
DIFFERS = (Versions(below=CONTEXT_BY_TYPE),)
_SURE = frozenset(
    {"tool_context", "tool_ctx", "toolcontext", "callback_context", "adk_context", "readonly_context"}
)
_LIKELY = frozenset({"ctx", "context", "_ctx", "_context", "_tool_context"})
_MEMBERS = frozenset(
    {
        "actions", "agent_name", "function_call_id", "invocation_id", "list_artifacts", "load_artifact",
        "request_confirmation", "request_credential", "save_artifact", "search_memory", "session", "state",
        "user_content", "user_id",
    }
)  # fmt: skip


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    found = blame(view)
    if found is not None and found.cause is Cause.OTHER_CONTEXT and found.parameter is not None:
        error = says(view.answer) if isinstance(view.answer, Refused) else ""
        yield Finding(
            "context-parameter-exposed",
            SEVERITY,
            f"{view.facts.judged_by} does not fill in `{found.parameter.name}` and cannot declare "
            f"`{view.tool.name}` with it. {error} Use `tool_context: ToolContext`.",
            found.place,
            view.tool.name,
        )
    if is_exact(view):
        yield from _exposed(view)


def elsewhere(view: ToolView) -> Iterator[Finding]:
    """A context under another name than `tool_context`, which is found by its type later."""
    if view.declaration is None or any(p.name == "tool_context" for p in view.tool.parameters):
        return
    for parameter in view.tool.parameters:
        if is_context(parameter.type):
            yield Finding(
                "context-parameter-exposed",
                SEVERITY,
                f"{view.facts.judged_by} finds its context by the name `tool_context` alone, so it cannot "
                f"declare `{view.tool.name}` with `{parameter.name}`. Name it `tool_context`.",
                parameter.place,
                view.tool.name,
            )


def _exposed(view: ToolView) -> Iterator[Finding]:
    for parameter in for_the_model(view):
        if parameter.name in view.sent and is_meant_as_context(view, parameter):
            needed = parameter.name in (view.schema.get("required") or ())
            yield Finding(
                "context-parameter-exposed",
                SEVERITY if needed else Severity.WARNING,
                f"google-adk does not take `{parameter.name}` of `{view.tool.name}` for its context, so "
                "it asks "
                "the model for it. Annotate it with `ToolContext`, and keep one context parameter.",
                parameter.place,
                view.tool.name,
            )


def is_meant_as_context(view: ToolView, parameter: Parameter) -> bool:
    """Whether name and use of a parameter without a type of its own tell that it is google-adk's context."""
    if parameter.type is not None and not typed_as(parameter, TypeKind.ANY):
        return False
    name = parameter.name.lower()
    if name in _SURE:
        return True
    used = {f"{parameter.name}.{member}" for member in _MEMBERS}
    return name in _LIKELY and not used.isdisjoint(view.tool.body.attributes)
