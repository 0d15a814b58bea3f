"""What a module registers, and which files that depends on."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from adk_tool_lens.discovery.evaluate import World, kept
from adk_tool_lens.discovery.find import Discovery, discover
from adk_tool_lens.discovery.module import FileKey, Module
from adk_tool_lens.discovery.reach import reached
from adk_tool_lens.discovery.reads import noting, repeat
from adk_tool_lens.discovery.world import begin


@dataclass(frozen=True)
class Links:
    """What one module that may register tools has to do with other files."""

    reads: frozenset[str]
    """The files that decide what it registers, itself included."""
    concerns: frozenset[str]
    """The files that define its tools, and those in which the lists of them are written."""


def registered(module: Module, world: World) -> Discovery:
    """What a module registers, kept while every module it was read from is the same version.

    What is found says in which scopes to read on, so it is not enough that each look would find the same.
    """
    begin(world, module)
    memo = world.memo
    if memo is None:
        return discover(module, world)
    key = ("discovery", module.key)
    reads, known = memo.entries.get(key, ({}, None))
    if isinstance(known, _Kept) and all(world.look(name) is seen for name, seen in known.versions.items()):
        repeat(reads)
        return known.discovery
    with noting() as reads:
        found = discover(module, world)
    versions = {name: world.look(name) for name, _, _ in reads} | {module.key: module}
    memo.entries[key] = (reads, _Kept(found, versions))
    memo.computed += 1
    return found


@dataclass(frozen=True)
class _Kept:
    discovery: Discovery
    versions: dict[Hashable, Module | None]


def linked(module: Module, world: World) -> Links:
    """The links of a module, found without reading the tools themselves."""
    begin(world, module)
    with noting() as reads:
        concerns = kept(world, ("reach", module), lambda: reached(module, world))
    paths = {str(key) for key, _, _ in reads if isinstance(key, FileKey)}
    if module.path is not None:
        paths.add(str(module.path))
    return Links(frozenset(paths), frozenset(map(str, concerns)))
