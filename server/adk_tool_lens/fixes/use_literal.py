"""Turns values that the docstring lists for a `str` parameter into a `Literal` type."""

from __future__ import annotations

import ast
import re

from adk_tool_lens.discovery.model import Expression, Parameter
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.fixes.annotations import literal
from adk_tool_lens.fixes.imports import name_for
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, edit
from adk_tool_lens.fixes.nodes import exactly
from adk_tool_lens.rules.model import ToolView

_QUOTED = re.compile(
    r"""(?<!\w)(?:"([^"\n]{1,60})"|'([^'\n]{1,60})'|(?<!`)`+["']?([^`"'\n]{1,60})["']?`+)(?!\w)"""
)
_EXAMPLES = re.compile(
    r"\b(?:e\.g\.|for example|for instance|such as|like|default|defaults)\b", re.IGNORECASE
)


def repair(case: Case) -> Repair | None:
    """The edits; `arguments` are the parameter and, if known, the values."""
    parameter, view = case.parameter(), case.view
    if parameter is None or parameter.annotation is None or not isinstance(view, ToolView):
        return None
    module = case.module_of(parameter.place)
    values = case.arguments[1:] or _listed(view, parameter.name)
    if module is None or len(values) < 2 or not _fits(parameter, values):
        return None
    base = _str_in(module, parameter.annotation)
    name = name_for(module, "typing", "Literal", parameter.place, "typing_extensions")
    if base is None or name is None:
        return None
    block = parameter.place.block
    span = block.span(base)
    text = f"{name.text}[{', '.join(map(literal, values))}]"
    own: PlacedEdit = edit(parameter.place, span.start, span.end, text)
    return Repair(f"Annotate '{parameter.name}' as {text}", (*name.edits, own), safe=False)


def _listed(view: ToolView, name: str) -> tuple[str, ...]:
    """The values between quotes in what is said about a parameter; none where they are examples only."""
    entry = view.docstring.entry(name)
    text = entry.description if entry is not None else ""
    cut = _EXAMPLES.search(text)
    found = _QUOTED.findall(text[: cut.start()] if cut else text)
    return tuple(dict.fromkeys(next(part for part in groups if part) for groups in found))


def _fits(parameter: Parameter, values: tuple[str, ...]) -> bool:
    """Whether the default is one of the values."""
    if parameter.default is None or parameter.default.text == "None":
        return True
    try:
        return ast.literal_eval(parameter.default.text) in values
    except (ValueError, SyntaxError, TypeError):
        return False


def _str_in(module: Module, annotation: Expression) -> ast.expr | None:
    """The one `str` of an annotation that is `str`, optional or not, with metadata or without."""
    node = exactly(annotation.place, ast.expr)
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)] if node is not None else []
    found = [part for part in names if part.id == "str"]
    plain = {"str", "Optional", "Annotated", "Field", "None", "typing", "t", "pydantic"}
    own = bool(module.bindings.look("str"))
    return found[0] if len(found) == 1 and not own and {n.id for n in names} <= plain else None
