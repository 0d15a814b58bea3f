"""What is said when the project's requirement allows versions that tell the model less."""

from __future__ import annotations

import pytest

from adk_tool_lens.declaration.model import Declared
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.ide.analysis import analyse
from adk_tool_lens.rules.model import Facts, Finding

TEXT = """
from typing import Annotated
from google.adk.agents import Agent
from pydantic import Field

def get(
    sku: Annotated[str, Field(description="Eight digits")],
    place: Annotated[str, Field(description="City")],
):
    \"\"\"Get the stock of an article.\"\"\"

a = Agent(name="a", tools=[get])
"""
SENT = {
    "name": "get",
    "description": "Get the stock of an article.",
    "parameters_json_schema": {
        "properties": {"sku": {"description": "Eight digits"}, "place": {"description": "City"}}
    },
}


def told(requirement: str | None) -> list[Finding]:
    facts = Facts("2.13.0", requirement=requirement)
    module = Module.of(TEXT)
    world = World(find=lambda _name, _importer: None)
    done = analyse(module, world, lambda _request: Declared("FunctionTool", "get", SENT), facts)
    return [finding for finding in done.findings if finding.rule == "field-description-lost"]


def test_once_a_tool_where_the_requirement_allows_them() -> None:
    [finding] = told(">=1.19")
    assert "`>=1.19` allows them" in finding.message
    assert finding.severity.value == "hint"


@pytest.mark.parametrize("requirement", [None, ">=2.10", ">=1.19,<2"])
def test_nothing_where_it_does_not(requirement: str | None) -> None:
    assert told(requirement) == []
