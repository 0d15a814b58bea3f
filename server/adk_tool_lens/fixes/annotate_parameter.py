"""Annotates a parameter that has no type, with what the docstring or the default tells.

The docstring's type is what the author says. A default of `0` may stand for any number, so what follows
from a default is for a person to look at; `str` is offered where nothing tells a type.
"""

from __future__ import annotations

import ast
import re

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit
from adk_tool_lens.rules.model import ToolView

_WORDS = {
    "string": "str",
    "text": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "double": "float",
}
_SIMPLE = re.compile(r"(?:str|int|float|bool|list|dict|bytes)(?:\[(?:str|int|float|bool)(?:, ?\w+)?\])?")


def repair(case: Case) -> Repair | None:
    """The edits; None when there is an annotation already."""
    parameter, view = case.parameter(), case.view
    if parameter is None or parameter.annotation is not None or not isinstance(view, ToolView):
        return None
    if parameter.receiver or parameter.name != parameter.place.block.text[_span(parameter)]:
        return None
    said = _documented(view, parameter.name)
    type_text = said or _of_default(parameter) or "str"
    if said and parameter.default is not None and parameter.default.text == "None":
        type_text = f"{said} | None"
    edits = annotated(parameter, type_text)
    return Repair(f"Annotate '{parameter.name}' as {type_text}", edits, safe=bool(said))


def _span(parameter: Parameter) -> slice:
    return slice(parameter.place.span.start, parameter.place.span.end)


def annotated(parameter: Parameter, type_text: str) -> tuple[PlacedEdit, ...]:
    """`x` becomes `x: T`, and `x=1` becomes `x: T = 1`."""
    end = parameter.place.span.end
    if parameter.default is None:
        return (edit(parameter.place, end, end, f": {type_text}"),)
    start = parameter.default.place.span.start
    between = parameter.place.block.text[end:start]
    if re.fullmatch(r"[ \t]*=[ \t]*", between):
        return (edit(parameter.place, end, start, f": {type_text} = "),)
    return (edit(parameter.place, end, end, f": {type_text}"),)


def _documented(view: ToolView, name: str) -> str:
    """The type that the docstring gives, if it is one that needs no import."""
    entry = view.docstring.entry(name)
    written = re.sub(r",? optional$", "", (entry.type or "") if entry else "").strip("` ")
    written = _WORDS.get(written.lower(), written)
    return written if _SIMPLE.fullmatch(written) else ""


def _of_default(parameter: Parameter) -> str:
    if parameter.default is None:
        return ""
    try:
        value = ast.literal_eval(parameter.default.text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ""
    if isinstance(value, bool | int | float | str):
        return type(value).__name__
    return _of_display(value)


def _of_display(value: object) -> str:
    match value:
        case list() | tuple() if value and len({type(each) for each in value}) == 1:
            first = value[0]
            return f"list[{type(first).__name__}]" if isinstance(first, bool | int | float | str) else ""
        case None:
            return "str | None"
    return ""
