"""Finds definitions that a later one of the same name replaces before anything reads them."""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.facts import name_place
from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.discovery.values import Function, Scope, Value
from adk_tool_lens.source.blocks import Block, per_block


def shadows_of(value: Value) -> tuple[Place, ...]:
    """The names of earlier definitions that a module-level function replaces.

    Left out is what may be wanted: branches of `if` and `try`, decorated functions (the decorator may keep
    the first one, as `@overload` and `@app.get` do), and names that are read in between.
    """
    if not isinstance(value, Function) or value.scope.node is not None or value.scope.arguments:
        return ()
    module, name = value.scope.module, value.node.name
    found: list[Place] = []
    for block, binding in module.bindings.get(name, ()):
        if binding.node is value.node:
            return tuple(found)
        if not isinstance(binding.node, ast.FunctionDef | ast.AsyncFunctionDef) or binding.guards:
            return ()
        if not binding.node.decorator_list and not _read_between(name, block, value.scope.block, module):
            found.append(name_place(binding.node, Scope(module, block)))
    return ()


def _read_between(name: str, first: Block, last: Block | None, module: Module) -> bool:
    if last is None:
        return True
    start, end = module.blocks.index(first), module.blocks.index(last)
    return any(name in names_read(block) for block in module.blocks[start + 1 : end])


@per_block
def names_read(block: Block) -> frozenset[str]:
    """All names that a block reads, nested ones included."""
    nodes = () if block.tree is None else ast.walk(block.tree)
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name))
