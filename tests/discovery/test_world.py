"""How far reading goes."""

from __future__ import annotations

import pytest

from adk_tool_lens.discovery import world
from adk_tool_lens.discovery.find import discover
from adk_tool_lens.discovery.module import Module


def test_names_that_hang_on_many_conditions_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "MAX_STEPS", 5_000)
    lines = ["from google.adk.agents import Agent", "def f(a):", "    x0 = a"]
    for number in range(1, 40):
        lines += [f"    if x{number - 1}:", f"        x{number} = x{number - 1}", "    else:"]
        lines += [f"        x{number} = [x{number - 1}]"]
    lines += ["    return x39", "root = Agent(name='a', model=f(1), tools=f(2))", ""]
    module = Module.of("\n".join(lines))
    own = world.World(find=lambda _name, _importer: None)
    found = discover(module, own)
    assert len(found.agents) == 1
    # Each expression beyond the limit is counted and left alone: without the limit there are 2 ** 39.
    assert own.steps < 100_000
