"""Every way to register a tool: fixtures/discovery/<pattern>/expected.txt says what must be found.

A line is `agent: module.function`, `agent [kind] text` for what is no function, `agent ? reason` for what
cannot be told, and `-: module.function` for a function that is only wrapped. What a class or factory hands
to google-adk by itself stands without the names of the agents that its callers make.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.find import Discovery, completed
from adk_tool_lens.discovery.model import Agent, EntryKind, Tool
from adk_tool_lens.ide.index import Index
from adk_tool_lens.ide.links import registered
from adk_tool_lens.ide.workspace import Workspace

FOLDER = Path(__file__).parents[2] / "fixtures" / "discovery"


def reading(folder: Path) -> tuple[Workspace, World, Index]:
    workspace = Workspace((folder,))
    world = workspace.world()
    index = Index((folder,))
    index.build(workspace, world)
    return workspace, world, index


def lines(folder: Path) -> Iterator[str]:
    workspace, world, index = reading(folder)
    held: dict[str, None] = {}
    loose: dict[str, None] = {}
    modules = [workspace.module_at(Path(path)) for path in sorted(index.links)]
    discoveries = [registered(module, world) for module in modules if module is not None]
    added = [addition for found in discoveries for addition in found.additions]
    for found in discoveries:
        for agent in completed(found.agents, added):
            held.update(dict.fromkeys(agent_lines(agent, folder)))
        loose.update(dict.fromkeys(wrapped_lines(found, folder)))
    yield from held
    yield from (line for line in loose if not any(each.endswith(line[1:]) for each in held))


def agent_lines(agent: Agent, folder: Path) -> Iterator[str]:
    for entry in agent.entries:
        maybe = " (maybe)" if entry.conditional else ""
        if entry.tool is not None:
            yield f"{agent.name}: {full_name(entry.tool, folder)}{maybe}"
        else:
            reason = f": {entry.reason}" if entry.kind is EntryKind.UNKNOWN else ""
            yield f"{agent.name} [{entry.kind.value}] {entry.name}{reason}"
    yield from (f"{agent.name} ? {reason}" for _, reason in agent.gaps)


def wrapped_lines(found: Discovery, folder: Path) -> Iterator[str]:
    for each in found.found:
        if any(registration.agent_place is None for registration in each.tool.registrations):
            yield f"-: {full_name(each.tool, folder)}"


def full_name(tool: Tool, folder: Path) -> str:
    assert tool.path is not None
    return ".".join([*tool.path.relative_to(folder).with_suffix("").parts, tool.qualname])


@pytest.mark.parametrize("pattern", sorted(path.name for path in FOLDER.iterdir()))
def test_what_is_registered_is_found(pattern: str) -> None:
    folder = FOLDER / pattern
    assert "\n".join(lines(folder)) == (folder / "expected.txt").read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("pattern", sorted(path.name for path in FOLDER.iterdir()))
def test_the_index_knows_the_files_that_define_what_is_found(pattern: str) -> None:
    workspace, world, index = reading(FOLDER / pattern)
    for path, links in index.links.items():
        module = workspace.module_at(Path(path))
        assert module is not None
        assert {str(each.tool.path) for each in registered(module, world).found} <= links.concerns
