"""What an expression stands for, as far as it can be told without running it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from adk_tool_lens.discovery.module import (
    FunctionNode,
    Module,
    Mutation,
    Namespace,
    Place,
    body_namespace,
    place,
)
from adk_tool_lens.source.blocks import Block


@dataclass(frozen=True, eq=False)
class Scope:
    """Where a name is looked up: a module, or a function or class body within it."""

    module: Module
    block: Block | None = None
    node: FunctionNode | ast.ClassDef | ast.Lambda | None = None
    parent: Scope | None = None
    arguments: Mapping[str, Value] = field(default_factory=dict)
    """What a called function's parameters stand for."""

    @property
    def names(self) -> Namespace | None:
        """The bindings of a function or class body; a module has its own per block."""
        match self.node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return body_namespace(self.node)
        return None

    def at(self, block: Block) -> Scope:
        """The same scope, reading a given block of the module."""
        if self.node is not None or self.block is block:
            return self
        return Scope(self.module, block)

    def changes(self, name: str) -> list[tuple[Scope, Mutation]]:
        """What the body, or the module, does to what a name or `name.attribute` holds, in order."""
        if self.names is not None:
            return [(self, change) for change in self.names.mutations.get(name, ())]
        return [(self.at(block), change) for block, change in self.module.mutations.get(name)]

    def place(self, node: ast.AST) -> Place:
        """Where a node read in this scope stands.

        Raises:
            ValueError: the scope is a module as a whole.
        """
        if self.block is None:
            raise ValueError("a module scope without a block has no places")
        return place(self.module, self.block, node)


@dataclass(frozen=True, eq=False)
class Function:
    """A `def`, seen in the scope that contains it."""

    node: FunctionNode
    scope: Scope
    owner: Class | None = None
    """The class whose attribute it is."""
    given_to: tuple[tuple[ast.Call, Scope], ...] = ()
    """Calls that gave it back with changed attributes: `renamed(f, "x")`, each with where it is written."""


@dataclass(frozen=True, eq=False)
class Lambda:
    """A `lambda` expression."""

    node: ast.Lambda
    scope: Scope


@dataclass(frozen=True, eq=False)
class Class:
    """A `class` statement."""

    node: ast.ClassDef
    scope: Scope
    owner: Class | None = None


@dataclass(frozen=True, eq=False)
class Instance:
    """What calling a class of the project gives."""

    cls: Class
    call: ast.Call | None
    scope: Scope
    """Where the call is written."""


@dataclass(frozen=True, eq=False)
class Bound:
    """A method taken from an instance (or, for a class method, from the class)."""

    receiver: Instance | Class
    function: Function


@dataclass(frozen=True, eq=False)
class External:
    """Something of an installed or standard library, by its full name; not looked into."""

    name: str


@dataclass(frozen=True, eq=False)
class Called:
    """The result of calling something external: `FunctionTool(f)`, `partial(f, x=1)`, `Agent(...)`."""

    callee: External
    call: ast.Call
    scope: Scope


@dataclass(frozen=True, eq=False)
class Const:
    """A value known from the text: a literal, or what folding literals gives."""

    value: object


@dataclass(frozen=True, eq=False)
class Item:
    """One element of a list, and where it is written."""

    value: Value
    node: ast.expr
    scope: Scope
    conditional: bool = False


@dataclass(frozen=True, eq=False)
class Sequence:
    """A list, tuple or set. `gaps` are the parts of which the elements cannot be told, with reasons."""

    items: tuple[Item, ...]
    gaps: tuple[Unknown, ...] = ()
    kind: str = "list"


@dataclass(frozen=True, eq=False)
class Dictionary:
    """A dict with the keys that are known."""

    items: tuple[tuple[object, Item], ...]
    gaps: tuple[Unknown, ...] = ()


@dataclass(frozen=True, eq=False)
class ModuleRef:
    """A module of the project."""

    module: Module


@dataclass(frozen=True, eq=False)
class Either:
    """One of several values; which one is decided at run time."""

    options: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Unknown:
    """What cannot be told, and why, in words for a person."""

    reason: str
    node: ast.AST | None = None
    scope: Scope | None = None


Value: TypeAlias = (
    Function
    | Lambda
    | Class
    | Instance
    | Bound
    | External
    | Called
    | Const
    | Sequence
    | Dictionary
    | ModuleRef
    | Either
    | Unknown
)
