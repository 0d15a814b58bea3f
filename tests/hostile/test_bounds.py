"""Texts made to take forever: reading ends soon, and what is not known is said."""

from __future__ import annotations

import time

import pytest

from adk_tool_lens.declaration.model import Declared, Request
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.ide.analysis import analyse
from adk_tool_lens.rules.model import Facts

SECONDS = 10.0
TOOL = '''

def f(x: ANNOTATION = DEFAULT) -> dict:
    """Do."""
    return {}


root_agent = Agent(name="a", model="gemini-2.5-flash", instruction="x", tools=[f])
'''
START = "from google.adk.agents import Agent\nfrom typing import *\nfrom pydantic import BaseModel, Field\n"


def tool(default: str = '""', annotation: str = "str", before: str = "") -> str:
    """A file with one tool."""
    return START + before + TOOL.replace("ANNOTATION", annotation).replace("DEFAULT", default)


def doubling(line: str, first: str, times: int = 45) -> str:
    """`b = a + a`, again and again."""
    return first + "".join(line.format(new=f"v{n}", old=f"v{n - 1}") + "\n" for n in range(1, times))


RULES_OF_IFS = "".join(
    f"if v{n % 7}:\n    v{(n + 1) % 7} = v{(n + 2) % 7}\nelse:\n    v{(n + 3) % 7} = not v{n % 5}\n"
    for n in range(200)
)
MUTUAL = "".join(
    f"def {a}{n}(x):\n    if {b}{n}(x):\n        return {a}{(n + 1) % 9}({b}{(n + 2) % 9}(x))\n"
    f"    return {b}{(n + 3) % 9}(x)\n"
    for n in range(9)
    for a, b in ("gh", "hg")
)
CASES = {
    "nested brackets": tool(annotation="list[" * 10_000 + "str" + "]" * 10_000),
    "nested quotes": tool(annotation='"' + "list[" * 10_000 + "str" + "]" * 10_000 + '"'),
    "nested minus": tool("-" * 10_000 + "1"),
    "a long sum": tool("+".join(["1"] * 10_000)),
    "a long way": tool("x" + ".a" * 10_000),
    "a long text": tool('"a" * 10**10'),
    "a power": tool("10**10**10"),
    "a shift": tool("1 << 10**12"),
    "a format": tool('"%10000000000d" % 1'),
    "a width": tool('f"{1:10000000000}"'),
    "a join": tool('"".join(["x"] * 10**9)'),
    "a range": tool("[i for i in range(10**10)]"),
    "a pattern": tool('"' + "a" * 40 + '!"', 'Annotated[str, Field(pattern="(a+)+$")]'),
    "doubling texts": tool("v44", before=doubling("{new} = {old} + {old}", "v0 = 'lol'\n")),
    "doubling lists": tool("v44", before=doubling("{new} = [*{old}, *{old}]", "v0 = [1]\n")),
    "doubling sums": tool("v44", before=doubling("{new} = {old} + {old}", "v0 = [1]\n")),
    "ifs": tool("v1", before=RULES_OF_IFS),
    "functions of functions": tool("g1(3)", before=MUTUAL),
    "aliases of themselves": tool(annotation="J", before='J = Union[str, "list[J]"]\nK = K\n'),
    "classes of themselves": tool(annotation="J", before="class J(K): ...\nclass K(J): ...\n"),
    "a long docstring": tool().replace("Do.", "Args:\n        x: word\n    " * 20_000),
    "many parameters": tool().replace("x: str", ", ".join(f"p{n}: int" for n in range(1, 1000)) + ", x: str"),
    "open brackets": tool() + "(\n" * 20_000,
    "open quotes": tool() + "'''\nx = 1\n" * 5_001,
    "open decorators": tool() + "@\n" * 20_000,
}


@pytest.mark.parametrize("name", CASES)
def test_reading_ends(name: str) -> None:
    def ask(request: Request) -> Declared:
        return Declared("FunctionTool", "f", {"name": "f", "description": "Do."})

    began = time.process_time()
    analysis = analyse(
        Module.of(CASES[name], name="a"), World(lambda _name, _importer: None), ask, Facts("2.9.0")
    )
    assert analysis.agents or "nested" in name or "open" in name or "long" in name
    assert time.process_time() - began < SECONDS


UNREAD = {
    "parameters": tool().replace("x: str", ", ".join(f"parameter_{n}: int = {n}" for n in range(80_000))),
    "nesting": tool(annotation="list[" * 10_000 + "str" + "]" * 10_000),
    "minus": tool("-" * 100_000 + "1"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_read_is_told(name: str) -> None:
    began = time.process_time()
    world = World(lambda _name, _importer: None)
    analysis = analyse(Module.of(UNREAD[name], name="a"), world, lambda _request: None, Facts("2.9.0"))
    assert "unread-statement" in {finding.rule for finding in analysis.findings}
    assert analysis.agents
    assert time.process_time() - began < SECONDS
