"""What reading needs beside the text, and the way into reading an expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.discovery.module import FileKey, Module
from adk_tool_lens.discovery.reads import Reads
from adk_tool_lens.discovery.values import Const, Either, Scope, Sequence, Unknown, Value

T = TypeVar("T")
FindModule = Callable[[str, Module], "Module | None"]
MAX_DEPTH = 60
MAX_STEPS = 100_000
"""Expressions that are read for one module at most: no text may stop the server."""
MAX_STEPS_FOR_ONE = 8_000
"""Expressions that are read for one question at most, so that one that leads deep into a library leaves
enough for the others; a list of 200 tools takes about 2,000."""
MAX_TEXT = 2_000_000
MAX_ITEMS = 20_000
MAX_OPTIONS = 1_000
"""The longest text, the longest list and the most alternatives that a value may have."""


@dataclass
class World:
    """What reading needs beside the text: other modules, and the Python that will run the code."""

    find: FindModule
    """Gives a project or installed module by absolute name, None when there is none to read."""
    importable: Callable[[str], bool] = lambda _name: True
    """Whether an import of an absolute name would succeed in the project's environment."""
    exports: Callable[[str, str], bool] = lambda _module, _name: False
    """Whether `from module import *` of a library that is not read binds a name."""
    python: tuple[int, int] = (3, 12)
    speaks: Callable[[str, Module], bool] = lambda _name, _importer: True
    """Whether a module of the project, by absolute name, speaks of agents; told without parsing it."""
    memo: Memo | None = None
    """Results kept from earlier versions of the files, for a server."""
    look: Callable[[Hashable], Module | None] = lambda _key: None
    """Gives the newest version of a module by its key."""
    depth: int = 0
    steps: int = 0
    """Expressions read since a caller set it to 0."""
    started: int = 0
    """What `steps` was when the question began that is being answered."""
    busy: set[tuple[object, ...]] = field(default_factory=set)
    circles: int = 0
    """How often reading came back to where it was, or was given up: what depends on that is not kept."""
    locals: dict[tuple[Scope, str], tuple[Reads, Value]] = field(default_factory=dict)
    """What names of function bodies stand for, until the next module is read."""
    members: dict[tuple[Module | None, ...], dict[str, tuple[Reads, Value | None]]] = field(
        default_factory=dict
    )
    """What module-level names stand for, and what was read for it: by module and, for what depends on it,
    by the module in question."""
    root: Module | None = None
    """The module in question: what is imported from it has run."""
    filled: int = 0
    """How often it was read what functions add to a list: that depends on the module in question."""

    def module_at(self, path: Path) -> Module | None:
        """The newest version of a file."""
        return self.look(FileKey(path))


def begin(world: World, module: Module | None = None) -> None:
    """Effect: starts on another module: what is read for it counts from now on."""
    world.steps = 0
    world.root = module or world.root
    world.locals.clear()


def kept(world: World, key: Hashable, compute: Callable[[], T]) -> T:
    """A result that is kept until something it read changes, where the world keeps results at all."""
    return compute() if world.memo is None else world.memo.get(key, world.look, compute)


def evaluate(node: ast.expr, scope: Scope, world: World) -> Value:
    """What an expression stands for. Never raises; what cannot be told is `Unknown`."""
    key = (id(node), id(scope.arguments))
    if world.depth == 0:
        world.started = world.steps
    world.steps += 1
    if world.steps > MAX_STEPS or world.steps - world.started > MAX_STEPS_FOR_ONE:
        world.circles += 1
        return Unknown("there is too much to read until it is known", node, scope)
    if world.depth > MAX_DEPTH or key in world.busy:
        world.circles += 1
        return Unknown("it refers to itself or is nested too deeply", node, scope)
    world.depth += 1
    world.busy.add(key)
    try:
        from adk_tool_lens.discovery.evaluate import read  # the parts of the table come back here

        value = read(node, scope, world)
        return Unknown("it is too large to be read", node, scope) if _is_huge(value) else value
    finally:
        world.depth -= 1
        world.busy.discard(key)


def _is_huge(value: Value) -> bool:
    """`b = a + a; c = b + b; ...` doubles with each line, so values have a largest size."""
    match value:
        case Const(value=str() | bytes() as text):
            return len(text) > MAX_TEXT
        case Sequence(items=items, gaps=gaps):
            return len(items) + len(gaps) > MAX_ITEMS
    return False


def either(options: Iterable[Value]) -> Value:
    """One of several values; a single one is itself."""
    flat: list[Value] = []
    for option in options:
        flat.extend(option.options if isinstance(option, Either) else (option,))
    if len(flat) > MAX_OPTIONS:
        return Unknown("it may be too many things")
    return flat[0] if len(flat) == 1 else Either(tuple(flat))
