"""What a module registers, and which files that depends on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adk_tool_lens.discovery.evaluate import World, kept
from adk_tool_lens.discovery.find import Discovery, discover
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.discovery.reads import noting


@dataclass(frozen=True)
class Links:
    """What one module that may register tools has to do with other files."""

    reads: frozenset[Path]
    """The files that decide what it registers, itself included."""
    concerns: frozenset[Path]
    """The files that define its tools, and those in which the lists of them are written."""


def registered(module: Module, world: World) -> Discovery:
    """What a module registers, kept while nothing it was read from changes."""
    world.steps = 0
    return kept(world, ("discovery", module), lambda: discover(module, world))


def linked(module: Module, world: World) -> tuple[Discovery, Links]:
    """What a module registers, and its links."""
    with noting() as reads:
        found = registered(module, world)
    paths = {key for key, _, _ in reads if isinstance(key, Path)}
    if module.path is not None:
        paths.add(module.path)
    defined = {each.tool.path for each in found.found}
    written = {entry.place.path for agent in found.agents for entry in agent.entries}
    return found, Links(frozenset(paths), frozenset(path for path in defined | written if path is not None))
