"""Brings tools and the docstring editor together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypedDict

from adk_tool_lens.discovery.model import Tool
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.docstrings import editor
from adk_tool_lens.docstrings.carry import FunctionText
from adk_tool_lens.docstrings.model import Style
from adk_tool_lens.fixes.model import Case, PlacedEdit
from adk_tool_lens.fixes.style import style_for
from adk_tool_lens.rules.model import ToolView
from adk_tool_lens.source.edits import Edit, apply, difference
from adk_tool_lens.source.text import Span

PLACEHOLDER = "TODO: describe."
LONGEST_TYPE = 40


def function_text(tool: Tool) -> FunctionText | None:
    """The docstring editor's view of a tool; None when its text is not laid out as expected."""
    layout = tool.layout
    if layout is None:
        return None
    block = tool.whole.block
    text = tool.docstring
    own = text is not None and text.place.block is block and text.place.span.start == layout.body_start
    if text is not None and not own:
        return None  # the description is the one of a class or of a base class
    return FunctionText(
        source=block.text,
        docstring=(text.place.span.start, text.place.span.end) if text is not None else None,
        body_start=layout.body_start,
        body_indent=layout.body_indent,
        header_end=layout.header_end,
        one_line=layout.one_line,
        newline=block.source.newline,
    )


class _Manner(TypedDict):
    """How a docstring is written, whatever it says."""

    order: list[str]
    style: Style
    summary: str
    width: int


def entries(case: Case, descriptions: Mapping[str, str]) -> tuple[PlacedEdit, ...] | None:
    """Edits that give parameters descriptions in the docstring; None when there is no safe way."""
    described = _described(case)
    if described is None:
        return None
    tool, function = described
    return placed(tool, editor.set_entries(function, descriptions, **_manner(case, tool)))


def results(case: Case, description: str) -> tuple[PlacedEdit, ...] | None:
    """Edits that say in the docstring what the tool returns; None when there is no safe way."""
    described = _described(case)
    if described is None:
        return None
    tool, function = described
    made = editor.set_returns(function, description, kind=_kind(tool), **_manner(case, tool))
    return placed(tool, made)


def whole(case: Case, descriptions: Mapping[str, str], returns: str) -> tuple[PlacedEdit, ...] | None:
    """Edits that write a docstring into a tool that has none; None when there is no safe way."""
    described = _described(case)
    if described is None:
        return None
    tool, function = described
    manner = _manner(case, tool)
    made = editor.write_docstring(function, descriptions, returns, kind=_kind(tool), **manner)
    return placed(tool, made)


def _described(case: Case) -> tuple[Tool, FunctionText] | None:
    """The tool, if its docstring is laid out as expected and is the one that the model reads."""
    tool = case.tool
    function = function_text(tool) if tool is not None else None
    if tool is None or function is None or not _is_sent(case):
        return None
    return tool, function


def _manner(case: Case, tool: Tool) -> _Manner:
    return {
        "order": parameter_order(tool),
        "style": style_for(case.module, case.taste),
        "summary": summary_of(tool),
        "width": case.taste.width,
    }


def _is_sent(case: Case) -> bool:
    """Whether the model reads this docstring, and not one that a decorator or `partial` puts in its place."""
    view = case.view
    if not isinstance(view, ToolView) or view.declaration is None:
        return True
    written = " ".join(view.tool.docstring.value.split()) if view.tool.docstring is not None else ""
    sent = " ".join(view.description.split())
    return written in sent if written else not sent


def _kind(tool: Tool) -> str:
    """The result's type, where it is short enough to name."""
    text = " ".join(tool.returns.text.strip("\"'").split()) if tool.returns is not None else ""
    return text if len(text) <= LONGEST_TYPE else ""


def placed(tool: Tool, edits: Iterable[Edit] | None) -> tuple[PlacedEdit, ...] | None:
    """Edits of a tool's block."""
    if edits is None:
        return None
    where = tool.whole
    return tuple(
        PlacedEdit(Place(where.path, where.block, Span(edit.start, edit.end)), edit.text) for edit in edits
    )


def parameter_order(tool: Tool) -> list[str]:
    """The names of the parameters, for the order of entries."""
    return [parameter.name for parameter in tool.parameters]


def summary_of(tool: Tool) -> str:
    """A first line for a new docstring: the tool's name in words."""
    words = tool.name.strip("_").replace("_", " ").strip()
    return f"{words[:1].upper()}{words[1:]}." if words else ""


def without_entries(tool: Tool, names: Iterable[str]) -> tuple[PlacedEdit, ...] | None:
    """Edits that take the entries of parameters out of the docstring; None when there is no safe way."""
    function = function_text(tool)
    if function is None or function.docstring is None:
        return None
    start, end = function.docstring
    before = function.source[start:end]
    order = parameter_order(tool)
    for name in names:
        edits = editor.remove_entry(function, name, order=order)
        if edits is None or function.docstring is None:
            return None
        source = apply(function.source, edits)
        grown = len(source) - len(function.source)
        function = replace(
            function, source=source, docstring=(function.docstring[0], function.docstring[1] + grown)
        )
    after = function.source[start : function.docstring[1]] if function.docstring else before
    return placed(tool, () if before == after else (difference(before, after).moved(start),))
