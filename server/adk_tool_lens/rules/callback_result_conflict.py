"""A callback returns another kind of value than google-adk takes from it.

## What it does
Reports what an agent's or a plugin's callback returns where google-adk wants another type: a text, a dict,
`True` or the request from `before_model_callback`, which wants an `LlmResponse`; a text or an `LlmResponse`
from `before_agent_callback`, which wants a `types.Content`; `True` or the arguments from
`before_tool_callback`, where any value is the tool's result.

## Why it matters
A value that is not None is taken as the answer. From a model's callback one of another type raises an
AttributeError, from an agent's a ValidationError, and the run ends. From `before_tool_callback` it keeps the
tool from being called, and the model reads the value as its result: to return `True` or the arguments does
not mean "go on". Seen by running 1.39, 2.9 and 2.13.

## What it ignores
Values whose kind the text does not tell, what is false for Python (an agent's callbacks pass it over),
decorated callbacks, and any other result of a tool's callback: google-adk wraps it as `{"result": ...}`.

## Example
```python
from google.adk.agents import Agent


def guard(callback_context, llm_request):
    if not llm_request.contents:
        return "Please say something."
    return None


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", before_model_callback=guard)
```

## Use instead
```python
from google.adk.agents import Agent
from google.adk.models import LlmResponse
from google.genai import types


def guard(callback_context, llm_request):
    if not llm_request.contents:
        part = types.Part(text="Please say something.")
        return LlmResponse(content=types.Content(role="model", parts=[part]))
    return None


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", before_model_callback=guard)
```

## Fix
None here: what is to be answered is yours to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adk_tool_lens.discovery.model import Callback, Returned
from adk_tool_lens.rules._callbacks import given
from adk_tool_lens.rules.model import CallbacksView, Finding, Severity

SEVERITY = Severity.ERROR
GROUP = "callbacks"
_WANTED = {
    "before_model_callback": "LlmResponse",
    "after_model_callback": "LlmResponse",
    "on_model_error_callback": "LlmResponse",
    "before_agent_callback": "Content",
    "after_agent_callback": "Content",
    "on_user_message_callback": "Content",
    "on_event_callback": "Event",
}
_TOOLS = {
    "before_tool_callback": "so the tool is not called and the model reads this as its result",
    "after_tool_callback": "so the model reads this instead of the tool's result",
}
_ARGUMENTS = {"args", "tool_args"}
_EACH_VALUE = {"on_user_message_callback", "on_event_callback"}
"""Here google-adk takes what is false for Python as well."""
_KINDS = {
    "str": "a text",
    "bytes": "bytes",
    "number": "a number",
    "bool": "a truth value",
    "list": "a list",
    "tuple": "a tuple",
    "set": "a set",
    "dict": "a dict",
}
_OTHERS = {"LlmResponse": {"Content", "Part"}, "Content": {"LlmResponse"}, "Event": set[str]()}
"""Classes of google-adk and google-genai that are taken for each other."""


@dataclass(frozen=True)
class _Conflict:
    """What is returned, and what comes of it."""

    what: str
    then: str
    severity: Severity = SEVERITY


def check_callbacks(view: CallbacksView) -> Iterator[Finding]:
    """See the module's docstring."""
    for callback in view.callbacks:
        function = callback.function
        if function is None or function.decorators or function.is_generator:
            continue
        for returned in function.body.returns:
            found = _conflict(view, callback, returned)
            if found is not None:
                yield Finding(
                    "callback-result-conflict",
                    found.severity,
                    f"`{function.name}` returns {found.what} from `{callback.kind}`{found.then}",
                    view.place_of(callback, returned.place),
                    function.name,
                    related=view.related(callback),
                )


def _conflict(view: CallbacksView, callback: Callback, returned: Returned) -> _Conflict | None:
    if callback.kind in _TOOLS:
        return _of_a_tool(callback.kind, returned)
    wanted = _WANTED.get(callback.kind)
    what = None if wanted is None else _other(view, callback, returned, wanted)
    if what is None:
        return None
    shown = f"types.{wanted}" if wanted == "Content" else wanted
    then = f": google-adk wants `{shown}`, so the run ends with an error."
    if returned.kind == "call" and wanted == "Content":
        then = f": google-adk wants `{shown}`, so what it says is lost."
    return _Conflict(what, f"{then} Return `{shown}`, or None to go on.")


def _of_a_tool(kind: str, returned: Returned) -> _Conflict | None:
    """From a tool's callback any value counts: `True` and the arguments hardly mean to be the result."""
    then = f", {_TOOLS[kind]}. Return None to go on."
    if returned.literal is True:
        return _Conflict("`True`", then, Severity.WARNING)
    if returned.kind == "name" and returned.text in _ARGUMENTS:
        return _Conflict(f"the arguments (`{returned.text}`)", then, Severity.WARNING)
    return None


def _other(view: CallbacksView, callback: Callback, returned: Returned, wanted: str) -> str | None:
    """In words what is returned, when it is surely not what is wanted; None otherwise."""
    if returned.kind == "call":
        name = (returned.callee or "").rpartition(".")[2]
        google = (returned.callee or "").startswith("google.")
        return f"`{name}`" if google and name in _OTHERS[wanted] else None
    if returned.kind == "name":
        passed = given(view, callback) or ()
        other = returned.text in passed[:-1] or returned.text == "llm_request"
        return f"`{returned.text}`" if other and wanted != "Content" else None
    if returned.kind not in _KINDS or _is_passed_over(callback, returned):
        return None
    if returned.kind == "dict" and wanted == "Content" and callback.kind not in _EACH_VALUE:
        return _KINDS["dict"] if set(returned.keys or ()) - {"parts", "role"} else None
    return _KINDS[returned.kind]


def _is_passed_over(callback: Callback, returned: Returned) -> bool:
    """Whether it is false for Python, or may be."""
    if callback.kind in _EACH_VALUE:
        return False
    if returned.kind in {"bool", "number", "bytes"}:
        return not returned.literal
    if returned.kind == "str":
        return returned.text in {'""', "''"}
    if returned.kind == "dict":
        return not returned.keys
    return not returned.values
