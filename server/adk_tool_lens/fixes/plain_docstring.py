"""Makes a docstring of what only stands in its place: an f-string, bytes or texts put together."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.model import Tool
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair
from adk_tool_lens.fixes.nodes import function_node, has_comment


def repair(case: Case) -> Repair | None:
    """The edits; None when the text is not known without running the code."""
    tool = case.tool
    node = _first(tool) if tool is not None else None
    if tool is None or node is None:
        return None
    block = tool.whole.block
    where = Place(tool.whole.path, block, block.span(node))
    written = block.text[where.span.start : where.span.end]
    text = _plain(node, written)
    if text is None or has_comment(written):
        return None
    return Repair(f"Make the text of '{tool.name}' a docstring", (PlacedEdit(where, text),))


def _first(tool: Tool) -> ast.expr | None:
    node = function_node(tool)
    match node.body[0] if node is not None else None:
        case ast.Expr(value=ast.JoinedStr() | ast.BinOp() | ast.Constant(value=bytes()) as value):
            return value
    return None


def _plain(node: ast.expr, written: str) -> str | None:
    """The same text as a plain literal; None when something in it is worked out at run time."""
    match node:
        case ast.JoinedStr(values=values) if all(isinstance(v, ast.Constant) for v in values):
            if written[:1] in "fF" and "{{" not in written and "}}" not in written:
                return written[1:]
        case ast.Constant(value=bytes()):
            if written[:1] in "bB" and written.isascii():
                return written[1:]
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            parts = [_value(left), _value(right)]
            if None not in parts:
                return _triple("".join(part for part in parts if part is not None))
    return None


def _value(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            first, second = _value(left), _value(right)
            return None if first is None or second is None else first + second
    return None


def _triple(text: str) -> str | None:
    """A text between triple quotes; None where it would need escapes."""
    if "\\" in text or '"""' in text or text.endswith('"') or not text.replace("\n", "").isprintable():
        return None
    return f'"""{text}"""'
