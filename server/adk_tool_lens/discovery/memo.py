"""Keeps results about values from one version of the files to the next."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from adk_tool_lens.discovery.module import Module
from adk_tool_lens.discovery.reads import Reads, noting, repeat, still_true
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
    External,
    Function,
    Instance,
    Lambda,
    Scope,
    Value,
)

T = TypeVar("T")
SIZE = 4096


def identity(value: Value) -> Hashable:
    """What makes two values, read from different versions of the files, the same.

    Syntax nodes are compared by identity; a block whose text did not change keeps its nodes.
    """
    match value:
        case Function(node=node, scope=scope, given_to=calls):
            return node, _scope_identity(scope), tuple(call for call, _ in calls)
        case Lambda(node=node, scope=scope) | Class(node=node, scope=scope):
            return node, _scope_identity(scope)
        case Instance(cls=cls, call=call, scope=scope):
            return "instance", identity(cls), call, _scope_identity(scope)
        case Bound(receiver=receiver, function=function):
            return "bound", identity(receiver), identity(function)
        case Called(callee=External(name=name), call=call, scope=scope):
            return name, call, _scope_identity(scope)
        case External(name=name):
            return name
        case Const(value=constant):
            return "const", repr(constant)
    return id(value)


def _scope_identity(scope: Scope) -> Hashable:
    outer = _scope_identity(scope.parent) if scope.parent is not None else scope.module.key
    if not scope.arguments:
        return scope.node, outer
    arguments = tuple((name, _shallow(value)) for name, value in scope.arguments.items())
    return scope.node, outer, arguments


def _shallow(value: Value) -> Hashable:
    """An argument of a scope; a receiver refers back to its own scope, so only its class counts."""
    match value:
        case Instance(cls=cls, call=call):
            return "instance", cls.node, call
        case Class(node=node):
            return "class", node
    return identity(value)


class Bounded(OrderedDict[Hashable, Any]):
    """A dict that forgets what was set longest ago."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size

    def __setitem__(self, key: Hashable, value: Any) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        if len(self) > self._size:
            self.popitem(last=False)


@dataclass
class Memo:
    """Results with what they read; the least used ones are dropped."""

    entries: OrderedDict[Hashable, tuple[Reads, Any]] = field(default_factory=OrderedDict)
    latest: Bounded = field(default_factory=lambda: Bounded(SIZE))
    """What was made last about something; the user compares whether it still fits."""
    computed: int = 0
    """How many results had to be computed; tests count the work of an edit by it."""

    def get(self, key: Hashable, look: Callable[[Hashable], Module | None], compute: Callable[[], T]) -> T:
        """A result: the kept one while all that it read is unchanged, else computed anew.

        Args:
            key: What the result is about.
            look: Gives the newest version of a module by its key.
            compute: Makes the result.
        """
        looked: tuple[Hashable, Module | None] = (object(), None)

        def find(module: Hashable, kind: str, name: str) -> object:
            nonlocal looked
            if looked[0] is not module:  # most reads are of one module, one after the other
                looked = (module, look(module))
            return None if looked[1] is None else looked[1].look(kind, name)

        known = self.entries.get(key)
        if known is not None and still_true(known[0], find):
            self.entries.move_to_end(key)
            repeat(known[0])
            result: T = known[1]
            return result
        self.computed += 1
        with noting() as reads:
            made = compute()
        self.entries[key] = (reads, made)
        if len(self.entries) > SIZE:
            self.entries.popitem(last=False)
        return made
