"""Finds the syntax at a place: repairs change code, so they look at its tree."""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections.abc import Iterator
from typing import TypeVar

from adk_tool_lens.discovery.model import Tool
from adk_tool_lens.discovery.module import DefNode, FunctionNode, Module, Place, body_namespace
from adk_tool_lens.discovery.sites import scope_of
from adk_tool_lens.discovery.values import Scope
from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.text import Span

N = TypeVar("N", bound=ast.AST)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
KNOWS_FSTRINGS = sys.version_info >= (3, 12)
"""Before Python 3.12 what stands in an f-string has no usable positions."""


def extent(block: Block, node: ast.AST) -> Span:
    """A node's text, decorators with their `@` included."""
    span = block.span(node)
    decorators = getattr(node, "decorator_list", [])
    if decorators:
        first = block.span(decorators[0]).start
        return Span(block.text.rfind("@", 0, first), span.end)
    return span


def chain(place: Place) -> list[ast.AST]:
    """The nodes around a place, from the module to the innermost one that covers it."""
    block, span = place.block, place.span
    found: list[ast.AST] = []
    level: list[ast.AST] = [block.tree] if block.tree is not None else []
    while level:
        node = level.pop()
        if not hasattr(node, "lineno"):
            if isinstance(node, ast.Module):
                found.append(node)
            level.extend(_children(node))
            continue
        own = extent(block, node)
        if own.covers(span):
            found.append(node)
            level = list(_children(node))
    return found


def _children(node: ast.AST) -> Iterator[ast.AST]:
    if KNOWS_FSTRINGS or not isinstance(node, ast.JoinedStr):
        yield from ast.iter_child_nodes(node)


def around(place: Place, *kinds: type[N]) -> N | None:
    """The innermost node of some kinds that covers a place."""
    return next((node for node in reversed(chain(place)) if isinstance(node, kinds)), None)


def exactly(place: Place, *kinds: type[N]) -> N | None:
    """The outermost node of some kinds that is just the text of a place."""
    for node in chain(place):
        if isinstance(node, kinds) and place.block.span(node) == place.span:
            return node
    return None


def parent_of(place: Place, node: ast.AST) -> ast.AST | None:
    """The node right around one of `chain(place)`."""
    nodes = chain(place)
    index = nodes.index(node)
    return nodes[index - 1] if index else None


def function_node(tool: Tool) -> FunctionNode | None:
    """The `def` whose body is the tool's."""
    if tool.layout is None:
        return None
    block = tool.whole.block
    start = tool.layout.body_start
    place = Place(tool.whole.path, block, Span(start, start))
    for node in reversed(chain(place)):
        if isinstance(node, FUNCTIONS) and extent(block, node.body[0]).start == start:
            return node
    return None


def definitions(place: Place) -> tuple[DefNode, ...]:
    """The functions and classes that a place stands in the bodies of."""
    return tuple(node for node in chain(place) if isinstance(node, DEFINITIONS) and _in_body(place, node))


def _in_body(place: Place, node: DefNode) -> bool:
    return extent(place.block, node.body[0]).start <= place.span.start


def scope_at(module: Module, place: Place) -> Scope:
    """The scope in which the text of a place is evaluated."""
    return scope_of(module, place.block, definitions(place))


def local_names(place: Place) -> set[str]:
    """Names that the functions and classes around a place bind."""
    names: set[str] = set()
    for node in definitions(place):
        names |= set(body_namespace(node).bindings)
        if not isinstance(node, ast.ClassDef):
            names |= {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
    return names


def text_of(block: Block, node: ast.AST) -> str:
    """A node as written."""
    span = block.span(node)
    return block.text[span.start : span.end]


def has_comment(text: str) -> bool:
    """Whether a part of an expression has a comment, which shorter text would lose; also when in doubt."""
    if "#" not in text:
        return False
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f"(\n{text}\n)").readline))
    except (tokenize.TokenError, SyntaxError):
        return True
    return any(token.type == tokenize.COMMENT for token in tokens)
