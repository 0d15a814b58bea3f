"""The text of a stub while it grows: frames that hold statements in the order of the source."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.discovery.values import Scope, Value
from adk_tool_lens.source.blocks import Block

Order = tuple[int, int, int]
FUTURE: Order = (-2, 0, 0)
IMPORTS: Order = (-1, 0, 0)
"""Where imports go in a frame: before everything else."""
LAST: Order = (1 << 30, 0, 0)


@dataclass(frozen=True)
class Approximation:
    """Why a declaration may differ from the live one, and which expression is the cause."""

    reason: str
    place: Place | None = None


class OpaqueError(Exception):
    """Something that cannot be part of a stub; `reason` completes "approximate because ..."."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(eq=False)
class Frame:
    """One body of the stub: of a module, or of a function or class within it."""

    scope: Scope
    parent: Frame | None = None
    shell: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None = None
    """The definition whose body the frame is."""
    statements: list[tuple[Order, int, ast.stmt]] = field(default_factory=list)
    needed: dict[str, str | None] = field(default_factory=dict)
    """Names already asked for; the text says why a name cannot be had."""
    children: dict[tuple[int, int], Frame] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    uses: list[Frame] = field(default_factory=list)
    """For a module: the other stub modules it imports from."""
    parameters: dict[str, Value] = field(default_factory=dict)
    """For a function: the parameters that its body needs, and what they stand for."""
    result: str | None = None
    """For a function: the name it returns."""
    typed: bool = False
    """For a class: whether it is there as a type, with bases and fields."""

    @property
    def module(self) -> Frame:
        """The frame of the module this one is in."""
        frame = self
        while frame.parent is not None:
            frame = frame.parent
        return frame

    def add(self, order: Order, statement: ast.stmt) -> None:
        """Puts a statement where its source stands among the others."""
        self.statements.append((order, len(self.statements), statement))

    def body(self) -> list[ast.stmt]:
        """The statements in order."""
        ordered = [statement for _, _, statement in sorted(self.statements, key=lambda s: s[:2])]
        if self.result is not None:
            ordered.append(ast.Return(ast.Name(id=self.result, ctx=ast.Load())))
        return ordered or [ast.Pass()]

    def fresh(self, hint: str) -> str:
        """A name that nothing in the module has."""
        taken = self.module.names
        number = 0
        while f"lens_{hint}_{number}" in taken:
            number += 1
        name = f"lens_{hint}_{number}"
        taken.add(name)
        return name


def order_of(module: Module, block: Block | None, node: ast.AST) -> Order:
    """Where a node stands in its module."""
    start = module.starts.get(block, 0) if block is not None else 0
    return start, getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
