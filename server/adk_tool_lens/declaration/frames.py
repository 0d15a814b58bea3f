"""The text of a stub while it grows: frames that hold statements in the order of the source."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.discovery.values import Scope, Value
from adk_tool_lens.source.blocks import Block

Order = tuple[int, int, int]
IMPORTS: Order = (-1, 0, 0)
"""Where imports go in a frame: before everything else."""
HELPERS: Order = (-1, 1, 0)
"""Where definitions go that the source does not have."""
LAST: Order = (1 << 30, 0, 0)


@dataclass(frozen=True)
class Approximation:
    """Why a declaration may differ from the live one, and which expression is the cause."""

    reason: str
    place: Place | None = None


class OpaqueError(Exception):
    """Something that cannot be part of a stub; `reason` completes "approximate because ..."."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.final = final
        """Whether what the text alone says is known to be wrong."""


@dataclass(eq=False)
class Frame:
    """One body of the stub: of a module, or of a function or class within it."""

    scope: Scope
    parent: Frame | None = None
    shell: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None = None
    """The definition whose body the frame is."""
    statements: list[tuple[Order, int, ast.stmt]] = field(default_factory=list)
    needed: dict[str, str | None] = field(default_factory=dict)
    """Names already asked for (`key`); the text says why a name cannot be had."""
    children: dict[tuple[int, int], Frame] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    imports: dict[ast.stmt, tuple[Frame, str]] = field(default_factory=dict)
    """For a module: its imports of names from other modules of the stub."""
    members: dict[tuple[str, str], str] = field(default_factory=dict)
    """For a module: names of its own for what it reads as `module.name`."""
    aliases: dict[ast.AST, str] = field(default_factory=dict)
    """For a module: names of their own for definitions whose name is bound again."""
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

    @property
    def is_class(self) -> bool:
        """Whether it is the body of a class."""
        return isinstance(self.shell, ast.ClassDef)

    def key(self, name: str, node: ast.AST) -> str:
        """What tells a definition of a name from others of the same name in this frame."""
        return f"{name}@{id(node)}" if self.rebinds(name) else name

    def rebinds(self, name: str) -> bool:
        """Whether the source gives a name more than one meaning in this frame."""
        if self.parent is None:
            return len(self.scope.module.bindings.get(name)) > 1
        names = self.scope.names
        return names is not None and len(names.bindings.get(name, ())) > 1

    @property
    def blocks(self) -> list[Block]:
        """For a module: the blocks of the source that its statements were taken from."""
        starts = {order[0] for order, _, _ in self.statements}
        module = self.scope.module
        return [block for block, start in module.starts.items() if start in starts]

    def add(self, order: Order, statement: ast.stmt) -> None:
        """Puts a statement where its source stands among the others."""
        self.statements.append((order, len(self.statements), statement))

    def add_import(self, source: Frame, name: str, alias: str, order: Order = IMPORTS) -> None:
        """`from source import name as alias`, for another module of the stub."""
        if source is self:
            if name != alias:
                self.add(LAST, ast.Assign([ast.Name(alias, ast.Store())], ast.Name(name, ast.Load())))
            return
        names = [ast.alias(name, alias if alias != name else None)]
        statement = ast.ImportFrom(source.scope.module.name, names, 0)
        self.add(order, statement)
        self.imports[statement] = (source, name)

    def ordered(self) -> list[tuple[Order, ast.stmt]]:
        """The statements in order."""
        return [(order, statement) for order, _, statement in sorted(self.statements, key=lambda s: s[:2])]

    def body(self) -> list[ast.stmt]:
        """The statements in order, as the body of a definition."""
        ordered = [statement for _, statement in self.ordered()]
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
