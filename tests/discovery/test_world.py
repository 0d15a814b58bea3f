"""How far reading goes."""

from __future__ import annotations

import time

from adk_tool_lens.discovery.find import discover
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.discovery.world import World


def test_names_that_hang_on_many_conditions_are_given_up() -> None:
    lines = ["from google.adk.agents import Agent", "def f(a):", "    x0 = a"]
    for number in range(1, 40):
        lines += [f"    if x{number - 1}:", f"        x{number} = x{number - 1}", "    else:"]
        lines += [f"        x{number} = [x{number - 1}]"]
    lines += ["    return x39", "root = Agent(name='a', model=f(1), tools=f(2))", ""]
    module = Module.of("\n".join(lines))
    started = time.process_time()
    found = discover(module, World(find=lambda _name, _importer: None))
    assert [agent.name for agent in found.agents] == ["a"]
    assert time.process_time() - started < 20
