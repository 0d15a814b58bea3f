"""Notes what a computation reads of modules, so that its result can be kept until that changes.

A result about a tool depends on few names: the tool's own, its types, its constants. While one is computed,
every look at a module's bindings is noted with what was found; later the result holds as long as each look
finds the same again (by identity of blocks and bindings).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")
Key = tuple[Hashable, str, str]
"""The module (its path, or its identity), the kind of the look and the name looked at."""
Reads = dict[Key, object]
_ACTIVE: ContextVar[Reads | None] = ContextVar("reads", default=None)


def note(module: Hashable, kind: str, name: str, found: T) -> T:
    """Notes a look at a module and gives what was found."""
    active = _ACTIVE.get()
    if active is not None:
        active[(module, kind, name)] = found
    return found


@contextmanager
def noting() -> Iterator[Reads]:
    """Notes all looks until it ends; they count for what is being noted around it, too."""
    reads: Reads = {}
    outer = _ACTIVE.get()
    token = _ACTIVE.set(reads)
    try:
        yield reads
    finally:
        _ACTIVE.reset(token)
        if outer is not None:
            outer.update(reads)


def repeat(reads: Reads) -> None:
    """Counts looks of a kept result for what is being noted around it."""
    active = _ACTIVE.get()
    if active is not None:
        active.update(reads)


def still_true(reads: Reads, look: Callable[[Hashable, str, str], object]) -> bool:
    """Whether every look finds what it found before."""
    for (module, kind, name), found in reads.items():
        now = look(module, kind, name)
        if now is not found and now != found:
            return False
    return True
