"""Finds a function in a source text the way a caller of the editor does, and applies its answer."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from itertools import accumulate

from adk_tool_lens.docstrings.editor import FunctionText
from adk_tool_lens.source.edits import Edit, apply

Function = ast.FunctionDef | ast.AsyncFunctionDef


def function_text(source: str) -> FunctionText:
    """The first function of a source text."""
    node = _function(source)
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n|\Z)", source)
    starts = [0, *accumulate(map(len, lines))]

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    first = node.body[0]
    decorators = getattr(first, "decorator_list", [])
    body_start = offset(first.lineno, first.col_offset)
    if decorators:
        body_start = offset(decorators[0].lineno, decorators[0].col_offset) - 1
    header = _header_end(source, starts, body_start)
    one_line = not re.search(r"[\r\n]", source[header:body_start])
    indent = re.match(r"[ \t]*", lines[first.lineno - 1])
    outer = re.match(r"[ \t]*", lines[node.lineno - 1])
    assert indent
    assert outer
    docstring = None
    match first:
        case ast.Expr(ast.Constant(str()) as value):
            end = offset(value.end_lineno or 0, value.end_col_offset or 0)
            docstring = offset(value.lineno, value.col_offset), end
    return FunctionText(
        source,
        docstring,
        body_start,
        outer[0] + ("\t" if "\t" in outer[0] else "    ") if one_line else indent[0],
        header,
        one_line,
        "\r\n" if "\r\n" in source else "\n",
    )


def _header_end(source: str, starts: list[int], body_start: int) -> int:
    tokens = tokenize.generate_tokens(io.StringIO(source, newline="").readline)
    colons = (starts[t.end[0] - 1] + t.end[1] for t in tokens if t.string == ":")
    return max(colon for colon in colons if colon <= body_start)


def _function(source: str) -> Function:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function):
            return node
    raise AssertionError("no function")


def docstring_of(source: str) -> str | None:
    """The value of the first function's docstring, as the interpreter sees it."""
    return ast.get_docstring(_function(source), clean=False)


def without_docstring(source: str) -> str:
    """What the interpreter sees of a source text but for the first function's docstring."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, Function):
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:]
            break
    return ast.dump(tree)


def edited(source: str, edits: tuple[Edit, ...] | None) -> str:
    """A source text after edits that must have been possible."""
    assert edits is not None
    return apply(source, edits)
