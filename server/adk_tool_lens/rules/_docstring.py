"""Tells the docstring and the code of a function apart."""

from __future__ import annotations

from adk_tool_lens.discovery.model import Tool
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.docstrings.literal import parse
from adk_tool_lens.docstrings.model import Span as ValueSpan
from adk_tool_lens.source.text import Span


def in_docstring(tool: Tool, span: ValueSpan) -> Place:
    """Where a part of the docstring's value is written; the whole literal where that cannot be told.

    Raises:
        ValueError: the tool has no docstring.
    """
    if tool.docstring is None:
        raise ValueError(f"{tool.name} has no docstring")
    whole = tool.docstring.place
    literal = parse(whole.block.text, whole.span.start, whole.span.end)
    if literal is None or literal.value != tool.docstring.value:
        return whole
    return Place(whole.path, whole.block, Span(*literal.source_span(span)))


def code_of(tool: Tool) -> str:
    """The text of the body behind the docstring; empty where it is not laid out as expected."""
    if tool.layout is None:
        return ""
    text, start = tool.docstring, tool.layout.body_start
    if text is not None and text.place.block is tool.whole.block and text.place.span.start == start:
        start = text.place.span.end
    return tool.whole.block.text[start : tool.whole.span.end]
