"""The preview: exact JSON of a tool, all of an agent, under another choice, and what changed since saving."""

from __future__ import annotations

import json
from typing import Any

import pytest

from adk_tool_lens.ide.preview import Marks, marks
from conftest import AdkPython
from views.conftest import Connect, Editor

CODE = '''\
from typing import Annotated

from google.adk.agents import Agent
from pydantic import Field

from helpers import convert


def weather(city: Annotated[str, Field(description="A city")], days: int = 3) -> dict[str, str]:
    """Tells the weather.

    Args:
        days: How many days.
    """
    return {}


def refused(*, when: lambda: 0) -> str:
    """Refused."""
    return ""


inner = Agent(name="inner", description="Helps.")
agent = Agent(
    name="guide",
    model="gemini-2.5-flash",
    instruction="Be brief.",
    tools=[weather, convert, make_tool()],
    sub_agents=[inner],
)
'''
HELPERS = '''\
def convert(amount: float) -> float:
    """Converts an amount."""
    return amount
'''
FILES = {"agent.py": CODE, "helpers.py": HELPERS}


def at(text: str, within: str = CODE) -> dict[str, int]:
    before = within[: within.index(text)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n")}


async def preview(editor: Editor, uri: str, **params: Any) -> Any:
    return await editor.ask("adkToolLens/preview", textDocument={"uri": uri}, **params)


async def test_tool_under_the_cursor_is_its_exact_declaration(connect: Connect) -> None:
    editor = await connect(FILES)
    uri = editor.open("agent.py")
    for place in ("weather(city", "Tells the weather", "weather, convert"):
        found = await preview(editor, uri, position=at(place))
        assert found.languageId == "json"
        declared = json.loads(found.text)
        assert declared["name"] == "weather"
        assert set(declared["parameters_json_schema"]["properties"]) == {"city", "days"}
        assert "response_json_schema" not in declared
        assert found.title == "weather · google-adk 2.9.0 · Gemini API · google-adk's declaration"
        assert found.subject == "tool:weather"
    assert json.loads((await preview(editor, uri, position=at("convert, make"))).text)["name"] == "convert"
    assert await preview(editor, uri, position={"line": 0, "character": 0}) is None


async def test_agent_is_all_that_it_sends(connect: Connect) -> None:
    editor = await connect(FILES)
    uri = editor.open("agent.py")
    found = await preview(editor, uri, position=at("instruction="))
    assert found.languageId == "markdown"
    assert found.title.startswith("guide · google-adk 2.9.0")
    text = found.text
    assert "Be brief." in text
    order = [
        text.index(part) for part in ("1. `weather` · about", "2. `convert` · about", "3. `make_tool()`")
    ]
    assert order == sorted(order)
    assert "3. `make_tool()` · not known" in text
    assert "Sub-agents: `inner`" in text
    assert '"name": "convert"' in text
    tools = [await preview(editor, uri, subject=f"tool:{name}") for name in ("weather", "convert")]
    total = sum(tool.tokens for tool in tools)
    assert [each["name"] for each in json.loads(found.json)] == ["weather", "convert"]
    assert f"## Tools: about {total} tokens" in text


async def test_back_end_form_and_version_can_be_chosen(connect: Connect, adk_python: AdkPython) -> None:
    editor = await connect(FILES)
    uri = editor.open("agent.py")
    vertex = await preview(editor, uri, subject="tool:weather", backend="vertex")
    assert "response_json_schema" in json.loads(vertex.text)
    assert "Vertex AI" in vertex.title
    assert vertex.backend == "vertex"
    openai = await preview(editor, uri, subject="tool:weather", provider="openai")
    assert "as OpenAI receives it" in openai.title
    assert openai.text != vertex.text
    other = await preview(editor, uri, subject="tool:weather", interpreter=str(adk_python("1.39.1")))
    assert "google-adk 1.39.1" in other.title
    assert json.loads(other.text)["name"] == "weather"
    again = await preview(editor, uri, subject="tool:weather")
    assert "google-adk 2.9.0" in again.title


async def test_what_changed_since_the_last_save_is_told(connect: Connect) -> None:
    editor = await connect(FILES)
    uri = editor.open("agent.py")
    edited = CODE.replace("Tells the weather.", "Tells tomorrow's weather.")
    editor.change(uri, 2, edited)
    found = await preview(editor, uri, subject="tool:weather", saved=True)
    assert "tomorrow" in found.text
    assert "tomorrow" not in found.saved
    lines = found.text.splitlines()
    assert [("tomorrow" in lines[n]) for n in found.changedLines] == [True]
    editor.change(uri, 3, CODE)
    same = await preview(editor, uri, subject="tool:weather", saved=True)
    assert same.saved == same.text
    assert list(same.changedLines) == []


async def test_untrusted_workspace_starts_no_other_interpreter(
    connect: Connect, adk_python: AdkPython
) -> None:
    editor = await connect(FILES, trusted=False)
    uri = editor.open("agent.py")
    other = str(adk_python("1.39.1"))
    found = await preview(editor, uri, subject="tool:weather", interpreter=other)
    assert "1.39.1" not in found.title
    rows = await editor.ask("adkToolLens/environments", textDocument={"uri": uri}, candidates=[other])
    assert other not in [row["interpreter"] for row in rows]


async def test_environments_are_found_without_starting_them(connect: Connect, adk_python: AdkPython) -> None:
    editor = await connect(FILES)
    uri = editor.open("agent.py")
    candidates = [str(adk_python("1.39.1")), "/nowhere/python"]
    rows = await editor.ask("adkToolLens/environments", textDocument={"uri": uri}, candidates=candidates)
    assert [(row["adkVersion"], row["inUse"]) for row in rows] == [("2.9.0", True), ("1.39.1", False)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a\nb\nc", "a\nB\nc", Marks((1,))),
        ("a\nb\nc", "a\nc", Marks((), (1,))),
        ("a\nc", "a\nb\nc", Marks((1,))),
        ("a", "a", Marks()),
        ("a\nb", "a", Marks((), (1,))),
    ],
)
def test_marks(old: str, new: str, expected: Marks) -> None:
    assert marks(old, new) == expected
