"""Gives a callback the parameter names by which google-adk calls it."""

from __future__ import annotations

from adk_tool_lens.discovery.model import Callback, ParameterKind, Tool
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.fixes.calls import added_item
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair
from adk_tool_lens.fixes.nodes import function_node
from adk_tool_lens.fixes.renaming import renamed
from adk_tool_lens.rules._callbacks import AGENT, PLUGIN
from adk_tool_lens.rules.model import AgentView, CallbacksView


def repair(case: Case) -> Repair | None:
    """The edits; None when the callback's parameters cannot be told apart."""
    callback = _callback(case)
    function = callback.function if callback is not None else None
    if callback is None or function is None:
        return None
    names = PLUGIN if isinstance(case.view, CallbacksView) else AGENT
    edits = _renamed(case, function, names.get(callback.kind, ()))
    if not edits:
        return None
    wanted = ", ".join(names[callback.kind])
    return Repair(f"Name the parameters of '{function.name}' {wanted}", edits, safe=False)


def _callback(case: Case) -> Callback | None:
    """The callback that the finding is at, or whose function it is in."""
    at = case.place
    if not isinstance(case.view, AgentView | CallbacksView) or at is None:
        return None
    holder = case.view.agent if isinstance(case.view, AgentView) else case.view.holder
    for callback in holder.callbacks:
        function = callback.function
        if at.within(callback.place) or (function is not None and at.within(function.whole)):
            return callback
    return None


def _renamed(case: Case, function: Tool, wanted: tuple[str, ...]) -> tuple[PlacedEdit, ...] | None:
    own = [p for p in function.parameters if not p.receiver]
    plain = all(p.kind in {ParameterKind.NORMAL, ParameterKind.KEYWORD_ONLY} for p in own)
    module = case.module_of(function.whole)
    if module is None or not plain or len(own) > len(wanted) or not own:
        return None
    left = [p for p in own if p.name not in wanted]
    free = [name for name in wanted if name not in {p.name for p in own}]
    in_place = [w for p, w in zip(own, wanted, strict=False) if p in left]
    targets = in_place if set(in_place) <= set(free) else free
    edits: list[PlacedEdit] = []
    for parameter, name in zip(left, targets, strict=False):
        part = renamed(module, function, parameter.name, name)
        if part is None:
            return None
        edits += part
    missing = [name for name in free if name not in targets[: len(left)]]
    more = _added(function, missing) if missing else ()
    return None if more is None else (*edits, *more)


def _added(function: Tool, names: list[str]) -> tuple[PlacedEdit, ...] | None:
    """Parameters more, behind the last one."""
    node = function_node(function)
    last = function.parameters[-1]
    if node is None or last.default is not None:
        return None
    span, indent = last.whole.span, _indent(last.whole)
    gap = f",{last.whole.block.source.newline}{indent}" if indent else ", "
    return (added_item(last.whole, span, last.whole.block.span(node.body[0]).start, gap.join(names)),)


def _indent(place: Place) -> str:
    """The white space before a parameter that stands first on its line."""
    source, start = place.block.source, place.span.start
    before = place.block.text[source.line_around(start).start : start]
    return before if not before.strip() else ""
