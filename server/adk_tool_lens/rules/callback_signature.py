"""A callback does not take the arguments that google-adk calls it with.

## What it does
Reports a callback whose parameters do not fit the call, at the parameter that is in the way, and a plugin's
callback that is no `async def`.

## Why it matters
Callbacks are called by keyword: `before_tool_callback(tool, args, tool_context)`, `after_tool_callback(tool,
args, tool_context, tool_response)`, `before_model_callback(callback_context, llm_request)`, and so on. With
other names the first call raises a TypeError and ends the run (up to 2.8). From 2.9 on google-adk falls back
to passing them by position, so names may differ but not number and order; names in another order silently
get each other's values. A plugin's methods are passed `tool_args` and `result` instead of `args` and
`tool_response`, by keyword in every version, and are awaited: a plain `def` that returns None fails.

## What it ignores
Parameters with a default, `**kwargs`, callbacks whose text is not at hand, decorated ones, and a plain `def`
that may return something to await.

## Example
```python adk=1.39.1
from google.adk.agents import Agent


def guard(tool, arguments, context):
    return None


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", before_tool_callback=guard)
```

## Use instead
```python
from google.adk.agents import Agent


def guard(tool, args, tool_context):
    return None


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", before_tool_callback=guard)
```

## Fix
Renames the parameters to the names by which google-adk passes them. Not safe: other callers are not seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adk_tool_lens.discovery.model import Parameter, ParameterKind, Tool
from adk_tool_lens.rules._callbacks import NOTIFIED
from adk_tool_lens.rules._callbacks import given as names_given
from adk_tool_lens.rules._versions import Versions, at_least
from adk_tool_lens.rules.model import CallbacksView, Finding, Severity

SEVERITY = Severity.ERROR
GROUP = "callbacks"
_BY_POSITION = "2.9"
DIFFERS = (Versions(below=_BY_POSITION),)
_POSITIONAL = {ParameterKind.NORMAL, ParameterKind.POSITIONAL_ONLY}

_VALUES = {"dict", "list", "tuple", "set", "str", "bytes", "number", "bool", "none"}


@dataclass(frozen=True)
class _Misfit:
    """Why a call fails or mixes values up, and the parameter to blame."""

    why: str
    parameter: Parameter | None = None
    severity: Severity = Severity.ERROR
    remedy: str = ""
    """Something else than to name the parameters as they are passed."""


def check_callbacks(view: CallbacksView) -> Iterator[Finding]:
    """See the module's docstring."""
    for callback in view.callbacks:
        function, given = callback.function, names_given(view, callback)
        if function is None or given is None or function.decorators:
            continue
        by_position = not view.in_plugin and at_least(view.facts.adk, _BY_POSITION)
        misfit = _misfit(function, given, by_position=by_position)
        if misfit is None and view.in_plugin:
            misfit = _not_awaitable(function)
        if misfit is None:
            continue
        place = function.place if misfit.parameter is None else misfit.parameter.place
        yield Finding(
            "callback-signature",
            Severity.WARNING if callback.kind in NOTIFIED else misfit.severity,
            f"google-adk calls `{function.name}` as `{callback.kind}({', '.join(given)})`: {misfit.why}. "
            f"{misfit.remedy or f'Name {_listed(given)}.'}",
            view.place_of(callback, place),
            function.name,
            related=view.related(callback),
        )


def _misfit(function: Tool, given: tuple[str, ...], *, by_position: bool) -> _Misfit | None:
    rows = list(_open(function))
    wrong = _keyword_misfit(rows, given)
    if wrong is None or not by_position:
        return wrong
    names = [p.name for p in rows if p.kind in _POSITIONAL]
    needed = [p for p in rows if p.kind in _POSITIONAL and p.default is None]
    only = next((p for p in rows if p.kind is ParameterKind.KEYWORD_ONLY and p.default is None), None)
    many = any(p.kind is ParameterKind.VAR_POSITIONAL for p in rows)
    if only is not None:
        return wrong
    if len(needed) > len(given):
        return _Misfit(f"`{needed[len(given)].name}` is never passed", needed[len(given)])
    if len(names) < len(given) and not many:
        return _Misfit(f"it has no parameter for `{given[len(names)]}`")
    return _mixed_up(rows, given)


def _open(function: Tool) -> Iterator[Parameter]:
    """The parameters that the call has to fill: not `self`, nor what `functools.partial` has given."""
    rows = [p for p in function.parameters if not p.receiver]
    named = {argument.keyword for argument in function.bound}
    by_position = sum(argument.keyword is None for argument in function.bound)
    yield from (p for p in rows[by_position:] if p.name not in named)


def _keyword_misfit(rows: list[Parameter], given: tuple[str, ...]) -> _Misfit | None:
    named = {p.name for p in rows if p.kind in {ParameterKind.NORMAL, ParameterKind.KEYWORD_ONLY}}
    for parameter in rows:
        collects = parameter.kind in {ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD}
        if parameter.default is None and not collects and parameter.name not in set(given) & named:
            return _Misfit(f"`{parameter.name}` is never passed", parameter)
    if any(p.kind is ParameterKind.VAR_KEYWORD for p in rows):
        return None
    missing = next((name for name in given if name not in named), None)
    return None if missing is None else _Misfit(f"it has no parameter `{missing}`")


def _mixed_up(rows: list[Parameter], given: tuple[str, ...]) -> _Misfit | None:
    """By position, a parameter named like another argument gets that of its place."""
    for parameter, name in zip(rows, given, strict=False):
        if parameter.kind in _POSITIONAL and parameter.name in given and parameter.name != name:
            why = f"the names do not fit, so it passes by position, and `{parameter.name}` gets `{name}`"
            return _Misfit(why, parameter, Severity.WARNING)
    return None


def _not_awaitable(function: Tool) -> _Misfit | None:
    """A plugin's method whose result is nothing to await: it may run to its end, or returns a value."""
    if function.is_async or function.is_generator:
        return None
    kinds = {each.kind for each in function.body.returns}
    if function.body.end is None and kinds - _VALUES:
        return None
    return _Misfit(
        "it awaits the call, and a plain `def` gives nothing to await", remedy="Write `async def`."
    )


def _listed(given: tuple[str, ...]) -> str:
    *before, last = (f"`{name}`" for name in given)
    return f"the parameters {', '.join(before)} and {last}" if before else f"the parameter {last}"
