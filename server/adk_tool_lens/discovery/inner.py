"""What functions change that is not theirs: `TOOLS.append(f)` in a function that does not bind `TOOLS`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from adk_tool_lens.discovery.namespace import DefNode, FunctionNode, Mutation, body_namespace
from adk_tool_lens.source.blocks import Block, per_block

CONTAINERS = frozenset({"append", "insert", "add", "extend", "update", "item"})
"""What a statement may do to a list, set or dict to add to it."""


@dataclass(frozen=True, eq=False)
class InnerChange:
    """A statement of a function that adds to something."""

    node: FunctionNode
    path: tuple[DefNode, ...]
    """The definitions around it, the function itself last."""
    change: Mutation


@per_block
def inner_changes(block: Block) -> tuple[InnerChange, ...]:
    """The changes that the functions of a block make."""
    tree = block.tree if "def " in block.text else None
    return () if tree is None else tuple(changes_in(tree))


def changes_in(
    node: ast.AST, path: tuple[DefNode, ...] = (), ways: frozenset[str] = CONTAINERS
) -> Iterator[InnerChange]:
    """The changes that the functions in a syntax tree make, of the `ways` that are asked for."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = (*path, child)
            if not isinstance(child, ast.ClassDef):
                for changes in body_namespace(child).mutations.values():
                    yield from (InnerChange(child, inside, c) for c in changes if c.how in ways)
            yield from changes_in(child, inside, ways)
        elif isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from changes_in(child, path, ways)
