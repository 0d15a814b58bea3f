"""One version of one Python file, as names and what binds them. Nothing is executed.

A `Module` is a row of blocks. What a block binds depends on the block's text alone and is kept with
it, so after an edit only the touched block is looked at again.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from adk_tool_lens.discovery.inner import InnerChange, inner_changes
from adk_tool_lens.discovery.namespace import (
    Binding,
    DefNode,
    FunctionNode,
    Guard,
    Mutation,
    Namespace,
    TypeAlias,
    block_namespace,
    body_namespace,
    dotted,
    is_dunder,
    namespace,
)
from adk_tool_lens.discovery.reads import note
from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.rowtext import RowText
from adk_tool_lens.source.text import Span

__all__ = [
    "Binding",
    "DefNode",
    "FileKey",
    "FunctionNode",
    "Guard",
    "Module",
    "Mutation",
    "Names",
    "Namespace",
    "Pairs",
    "Place",
    "TypeAlias",
    "absolute",
    "block_namespace",
    "body_namespace",
    "dotted",
    "is_dunder",
    "namespace",
    "place",
]

T = TypeVar("T")
Pairs = tuple[tuple[Block, T], ...]
_PACKAGES = frozenset({"site-packages", "dist-packages"})


class FileKey(str):
    """The path of a file, for what is hashed and compared all the time: a `Path` is slow at both."""

    __slots__ = ()


class Names(dict[str, Pairs[T]]):
    """Module-level names and what stands for them, in order; `get` notes the look."""

    def __init__(self, module: Hashable, kind: str, pairs: Mapping[str, Pairs[T]]) -> None:
        super().__init__(pairs)
        self._module = module
        self._kind = kind

    def get(self, name: str, default: Pairs[T] = ()) -> Pairs[T]:  # type: ignore[override]
        """What a name has; an empty tuple when it has nothing."""
        return note(self._module, self._kind, name, super().get(name, default))

    def look(self, name: str) -> Pairs[T]:
        """The same without noting the look."""
        return super().get(name, ())


class Module:
    """One version of one file. Compared by identity."""

    def __init__(
        self,
        source: RowText,
        *,
        name: str = "__main__",
        path: Path | None = None,
        package: bool = False,
        before: Module | None = None,
    ) -> None:
        self.source = source
        self.blocks = source.row.blocks
        self.name = name
        self.path = path
        self.package = package
        self.key: Hashable = FileKey(path) if path is not None else name
        """What stands for the file through its versions."""
        self.bindings: Names[Binding] = Names(self.key, "bindings", _merged(self, before, "bindings"))
        """What each module-level name is bound by, in order."""
        self.mutations: Names[Mutation] = Names(self.key, "mutations", _merged(self, before, "mutations"))
        """What changes each module-level name after it was bound, in order."""

    def __repr__(self) -> str:
        return f"Module({self.name!r})"

    @classmethod
    def of(cls, text: str, *, name: str = "__main__", path: Path | None = None) -> Module:
        """The module that a text is."""
        package = path is not None and path.stem == "__init__"
        return cls(RowText.of(text), name=name, path=path, package=package)

    @property
    def text(self) -> str:
        """The whole text."""
        return self.source.text

    @cached_property
    def installed(self) -> bool:
        """Whether it lies among installed packages (Debian calls their folder `dist-packages`)."""
        return self.path is not None and not _PACKAGES.isdisjoint(self.path.parts)

    @cached_property
    def starts(self) -> dict[Block, int]:
        """Where each block begins, in code points from the start of the file."""
        return dict(zip(self.blocks, self.source.row.starts, strict=True))

    def absolute(self, where: Place) -> Span:
        """A place in one of this version's blocks, as offsets into the file.

        Raises:
            KeyError: the place's block is not part of this version.
        """
        return where.span.moved(self.starts[where.block])

    def in_order(self, *blocks: Block) -> tuple[Block, ...]:
        """Blocks of the module in the order in which they stand; notes the look."""
        ordered = self._in_order(blocks)
        if len(ordered) > 1:
            note(self.key, "order", " ".join(str(id(block)) for block in ordered), ordered)
        return ordered

    def _in_order(self, blocks: Iterable[Block]) -> tuple[Block, ...]:
        known = [block for block in dict.fromkeys(blocks) if block in self.starts]
        return tuple(sorted(known, key=self.starts.__getitem__))

    def look(self, kind: str, name: str) -> object:
        """What a noted look finds in this version."""
        match kind:
            case "bindings":
                return self.bindings.look(name)
            case "mutations":
                return self.mutations.look(name)
            case "order":
                wanted = set(name.split())
                return self._in_order(block for block in self.blocks if str(id(block)) in wanted)
            case "stars":
                return self._stars
            case "dressing":
                return self._dressing
            case "version":
                return self
            case "inner changes":
                return self._changed_inside.get(name, ())
        return self._postponed

    def changed_inside(self, name: str) -> tuple[InnerChange, ...]:
        """What functions of the module add to something that goes by a name in them."""
        return note(self.key, "inner changes", name, self._changed_inside.get(name, ()))

    @cached_property
    def _changed_inside(self) -> dict[str, tuple[InnerChange, ...]]:
        found: dict[str, tuple[InnerChange, ...]] = {}
        for block in self.blocks:
            for each in inner_changes(block):
                found[each.change.name] = (*found.get(each.change.name, ()), each)
        return found

    @property
    def stars(self) -> tuple[str, ...]:
        """Modules of `from m import *`, in order."""
        return note(self.key, "stars", "", self._stars)

    @cached_property
    def _stars(self) -> tuple[str, ...]:
        return tuple(star for block in self.blocks for star in block_namespace(block).stars)

    @property
    def dressing(self) -> tuple[tuple[Block, Mutation], ...]:
        """What module-level statements do to attributes that functions have from Python, in order."""
        return note(self.key, "dressing", "", self._dressing)

    @cached_property
    def _dressing(self) -> tuple[tuple[Block, Mutation], ...]:
        return tuple((block, change) for block in self.blocks for change in block_namespace(block).dressing)

    @property
    def postponed(self) -> bool:
        """Whether `from __future__ import annotations` makes every annotation a string."""
        return note(self.key, "postponed", "", self._postponed)

    @cached_property
    def _postponed(self) -> bool:
        return any(block_namespace(block).postponed for block in self.blocks)


def _merged(module: Module, before: Module | None, kind: str) -> dict[str, Pairs[Any]]:
    """The names of all blocks; those of blocks that an earlier version has are taken over from it."""
    if before is None or before.key != module.key:
        found: dict[str, Pairs[Any]] = {}
        _add(found, module.blocks, kind)
        return found
    first, last = _changed(before.blocks, module.blocks)
    gone = before.blocks[first : len(before.blocks) - last]
    new = module.blocks[first : len(module.blocks) - last]
    merged: dict[str, Pairs[Any]] = dict(getattr(before, kind))
    touched: dict[str, None] = {}
    for block in (*gone, *new):
        touched.update(dict.fromkeys(getattr(block_namespace(block), kind)))
    left = set(gone)
    for name in touched:
        merged[name] = tuple(pair for pair in merged.get(name, ()) if pair[0] not in left)
    _add(merged, new, kind)
    for name in touched:
        pairs = merged[name]
        if not pairs:
            del merged[name]
        elif len(pairs) > 1:
            merged[name] = tuple(sorted(pairs, key=lambda pair: module.starts[pair[0]]))
    return merged


def _add(found: dict[str, Pairs[Any]], blocks: Iterable[Block], kind: str) -> None:
    for block in blocks:
        names: dict[str, list[Any]] = getattr(block_namespace(block), kind)
        for name, items in names.items():
            found[name] = (*found.get(name, ()), *((block, item) for item in items))


def _changed(old: Sequence[Block], new: Sequence[Block]) -> tuple[int, int]:
    """How many blocks at the start and at the end are the same in both."""
    shorter = min(len(old), len(new))
    first = 0
    while first < shorter and old[first] is new[first]:
        first += 1
    last = 0
    while last < shorter - first and old[-1 - last] is new[-1 - last]:
        last += 1
    return first, last


def absolute(written: str, module: Module) -> str:
    """The absolute name of a module written relative to another (`..pkg.mod`)."""
    stripped = written.lstrip(".")
    level = len(written) - len(stripped)
    if not level:
        return stripped
    parts = module.name.split(".")
    kept = parts[: len(parts) - level + (1 if module.package else 0)]
    return ".".join([*kept, stripped] if stripped else kept)


@dataclass(frozen=True)
class Place:
    """A range in a block of a file: it stays true while the block is only moved."""

    path: Path | None
    block: Block
    span: Span

    def within(self, outer: Place) -> bool:
        """Whether it lies in another place."""
        return self.block is outer.block and outer.span.covers(self.span)


def place(module: Module, block: Block, node: ast.AST) -> Place:
    """Where a node stands."""
    return Place(module.path, block, block.span(node))
