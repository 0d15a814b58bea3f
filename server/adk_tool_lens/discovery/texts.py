"""Reads texts that people hand to an agent, and the short texts of a file."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator

from adk_tool_lens.discovery.evaluate import World, evaluate
from adk_tool_lens.discovery.module import Binding, Module, Place
from adk_tool_lens.discovery.values import Const, External, Scope
from adk_tool_lens.source.blocks import Block, per_block

_TRIMMING: dict[str, Callable[[str], str]] = {
    "textwrap.dedent": textwrap.dedent,
    "inspect.cleandoc": inspect.cleandoc,
}


def text_of(node: ast.expr, scope: Scope, world: World) -> str | None:
    """The text an expression gives: literals, constants, `dedent("...")`, `"...".strip()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr="strip"), args=[], keywords=[]):
            text = text_of(inner, scope, world)
            return None if text is None else text.strip()
        case ast.Call(func=func, args=[inner], keywords=[]):
            match evaluate(func, scope, world):
                case External(name=name) if name in _TRIMMING:
                    text = text_of(inner, scope, world)
                    return None if text is None else _TRIMMING[name](text)
    value = evaluate(node, scope, world)
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def literal_of(node: ast.expr, scope: Scope) -> Place | None:
    """The literal that a text comes from, when it is one literal of the same file."""
    match node:
        case ast.Constant(value=str()):
            return scope.place(node)
        case ast.Call(func=ast.Attribute(value=inner, attr="strip"), args=[]) | ast.Call(args=[inner]):
            return literal_of(inner, scope)
        case ast.Name(id=name):
            found = _only_binding(name, scope)
            if found is not None and isinstance(found[1].value, ast.Constant):
                return found[0].place(found[1].value)
    return None


def _only_binding(name: str, scope: Scope) -> tuple[Scope, Binding] | None:
    """The one statement that binds a name, in the function or the module; None for several."""
    current: Scope | None = scope
    while current is not None:
        if current.names is not None and (own := current.names.bindings.get(name)):
            return (current, own[0]) if len(own) == 1 else None
        current = current.parent
    located = scope.module.bindings.get(name, ())
    if len(located) != 1:
        return None
    block, binding = located[0]
    return Scope(scope.module, block), binding


def texts_of(module: Module) -> frozenset[str]:
    """The short texts that a file has, the keys of `dict(key=...)` and the words of `WORDS` in it."""
    return frozenset().union(*map(_texts, module.blocks))


WORDS = ("escalate", "exit_loop")
"""google-adk's ways out of a loop."""


@per_block
def _texts(block: Block) -> frozenset[str]:
    nodes = () if block.tree is None else ast.walk(block.tree)
    words = (word for word in WORDS if word in block.text)
    return frozenset((*words, *(text for node in nodes for text in _text_in(node))))


def _text_in(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)) if len(text) < 100:
            yield text
        case ast.Call(func=ast.Name(id="dict") | ast.Attribute(attr="update"), keywords=keywords):
            yield from (keyword.arg for keyword in keywords if keyword.arg is not None)
