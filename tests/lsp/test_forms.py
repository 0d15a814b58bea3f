"""The form of an agent's model is shown first, and why not where it cannot be made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adk_tool_lens.declaration.model import Answer, Declared, Provider, Request
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.discovery.world import World
from adk_tool_lens.ide.analysis import analyse
from adk_tool_lens.ide.forms import own_provider
from adk_tool_lens.ide.hover import card
from adk_tool_lens.rules.model import Facts

CODE = """\
from google.adk.agents import Agent
from google.adk.models.lite_llm import LiteLlm

def weather(city: str) -> dict:
    '''Tells the weather.'''
    return {}

def other(city: str) -> dict:
    '''Tells more.'''
    return {}

one = Agent(name="one", model=LiteLlm(model="openai/gpt-4o"), tools=[weather])
two = Agent(name="two", model="MODEL", tools=[weather, other])
"""


def declared(request: Request) -> Answer:
    form = {"type": "function", "function": {"name": "weather", "description": "x" * 500}}
    plain = {"name": "weather", "description": "x" * 500}
    return Declared("FunctionTool", "weather", plain, form if request.provider is Provider.OPENAI else None)


@pytest.mark.parametrize(
    ("model", "shown", "other"),
    [
        ("gpt-4o", Provider.OPENAI, Provider.OPENAI),
        ("claude-sonnet-4", Provider.ADK, Provider.ANTHROPIC),
        ("gemini-2.5-flash", Provider.ADK, Provider.ADK),
        ("no-name", Provider.ADK, Provider.ADK),
    ],
)
def test_the_models_of_all_agents_decide(model: str, shown: Provider, other: Provider) -> None:
    module = Module.of(CODE.replace("MODEL", model), path=Path("agent.py"))
    analysis = analyse(module, World(lambda _name, _importer: None), declared, Facts())
    assert [shown, other] == [own_provider(analysis, report) for report in analysis.reports]
    text = card(analysis.reports[0], analysis, declared)
    assert ("as OpenAI receives it" in text) is (shown is Provider.OPENAI)
    assert ('"function": {' in text) is (shown is Provider.OPENAI)
    assert text.count("x" * 500) == 1, "a long description is shown as text only"


async def test_a_form_that_cannot_be_made_says_why(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.9.0")
    uri = (tmp_path / "agent.py").as_uri()
    editor.open(uri, CODE.replace("MODEL", "gpt-4o"))
    text = await editor.hover_until(uri, 3, 6, "google-adk's own form")
    assert "pip install litellm" in text
    assert '"name": "weather"' in text
