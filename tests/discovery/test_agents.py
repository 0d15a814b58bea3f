"""What is read of an agent beside its tools."""

from __future__ import annotations

from textwrap import dedent

import pytest

from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.find import discover
from adk_tool_lens.discovery.model import Agent
from adk_tool_lens.discovery.module import Module

IMPORTS = """
import textwrap
from google.adk.agents import Agent, LlmAgent, SequentialAgent
from google.adk.models.anthropic_llm import Claude
from google.adk.models.google_llm import Gemini
from google.adk.models.lite_llm import LiteLlm
"""


def agents(text: str) -> tuple[Agent, ...]:
    module = Module.of(IMPORTS + dedent(text))
    return discover(module, World(find=lambda _name, _importer: None)).agents


def agent(text: str) -> Agent:
    return agents(text)[0]


@pytest.mark.parametrize(
    ("written", "name", "provider"),
    [
        ('"gemini-2.5-flash"', "gemini-2.5-flash", "gemini"),
        ('"claude-sonnet-4"', "claude-sonnet-4", "anthropic"),
        ('"openai/gpt-4o"', "openai/gpt-4o", "openai"),
        ('LiteLlm(model="openai/gpt-4o")', "openai/gpt-4o", "openai"),
        ('LiteLlm("gpt-4o-mini")', "gpt-4o-mini", "openai"),
        ('LiteLlm(model="anthropic/claude-3-haiku")', "anthropic/claude-3-haiku", "anthropic"),
        ('LiteLlm(model="ollama_chat/qwen3")', "ollama_chat/qwen3", "ollama"),
        ('LiteLlm(model="vertex_ai/gemini-2.5-pro")', "vertex_ai/gemini-2.5-pro", "vertex_ai"),
        ('Claude(model="claude-sonnet-4")', "claude-sonnet-4", "anthropic"),
        ('Gemini(model="gemini-2.5-pro")', "gemini-2.5-pro", "gemini"),
        ("Gemini(model=pick())", None, "gemini"),
        ("pick()", None, None),
        ('"a-model-of-tomorrow"', "a-model-of-tomorrow", None),
    ],
)
def test_model_and_provider(written: str, name: str | None, provider: str | None) -> None:
    found = agent(f'a = Agent(name="a", model={written})')
    assert (found.model_name, found.provider) == (name, provider)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"Say hello."', "Say hello."),
        ('"Say " + "hello."', "Say hello."),
        ('("Say "\n "hello.")', "Say hello."),
        ("PROMPT", "Answer {question}"),
        ('textwrap.dedent("""\n    One\n    Two\n""").strip()', "One\nTwo"),
        ('f"Say {greeting()}"', None),
        ("provider", None),
    ],
)
def test_instruction(written: str, text: str | None) -> None:
    found = agent(
        'PROMPT = "Answer {question}"\ndef provider(context): return "x"\n'
        + f"a = Agent(instruction={written})"
    )
    assert found.instruction == text


def test_the_literal_of_an_instruction_is_found_behind_a_constant() -> None:
    text = 'PROMPT = """Answer."""\na = Agent(name="a", instruction=PROMPT)'
    place = agent(text).instruction_place
    assert place is not None
    assert place.block.text[place.span.start : place.span.end] == '"""Answer."""'


def test_keywords_come_from_the_call_from_dicts_and_from_later_statements() -> None:
    found = agent(
        """
        COMMON = {"model": "gemini-2.5-flash"}
        a = Agent(name="a", tools=(), **COMMON)
        a.description = "Does things."
        """
    )
    assert [(k.name, k.literal, k.shape) for k in found.keywords] == [
        ("name", "a", "str"),
        ("tools", None, "tuple"),
        ("model", "gemini-2.5-flash", "str"),
        ("description", "Does things.", "str"),
    ]
    assert found.is_complete


def test_a_spread_that_is_not_known_makes_an_agent_incomplete() -> None:
    found = agent("def make(**more): return Agent(name='a', **more)")
    assert not found.is_complete


def test_callbacks_single_in_a_list_and_as_a_lambda() -> None:
    found = agent(
        """
        def first(callback_context): ...
        def second(tool, args, tool_context, tool_response): ...
        a = Agent(
            before_agent_callback=first,
            after_tool_callback=[second, missing],
            before_tool_callback=lambda tool, args, tool_context: None,
        )
        """
    )
    told = [(c.kind, c.function.name if c.function else None) for c in found.callbacks]
    assert told == [
        ("before_agent_callback", "first"),
        ("after_tool_callback", "second"),
        ("before_tool_callback", "<lambda>"),
    ]


def test_sub_agents_with_those_added_later() -> None:
    found = agents(
        """
        billing = Agent(name="billing", instruction="Bill.")
        support = Agent(name="support", description="Bugs.")
        root = SequentialAgent(name="root", sub_agents=[billing])
        root.sub_agents.append(support)
        """
    )[2]
    assert [a.name for a in found.sub_agents] == ["billing", "support"]
    assert [a.instruction for a in found.sub_agents] == ["Bill.", None]
    assert len(found.sub_agent_places) == 2


def test_an_agent_of_a_class_of_the_project_is_marked() -> None:
    found = agents(
        """
        class MyAgent(Agent):
            def __init__(self):
                super().__init__(name="mine")

        a = MyAgent()
        b = Agent(name="b")
        """
    )
    assert [a.own_class for a in found] == [True, True, False]
