"""`show`: tables and declarations for people, the contract for programs."""

from __future__ import annotations

import re
from pathlib import Path

from .conftest import Lens

AGENT = """\
from google.adk.agents import Agent
from google.adk.tools import google_search
from helpers import find
from missing import elsewhere


def add(a: int, b: int = 1) -> dict:
    \"\"\"Add two numbers.\"\"\"
    return {"status": "success", "sum": a + b}


root_agent = Agent(
    name="sums",
    model="gemini-2.5-flash",
    instruction="Add what you are given.",
    tools=[add, find, google_search, elsewhere, *elsewhere.more()],
)
"""
HELPERS = '''\
def find(name: str) -> dict:
    """Find a number by its name."""
    return {"status": "success"}


def unused(name: str) -> dict:
    """Not a tool."""
    return {}
'''


def write(project: Path) -> None:
    (project / "agent.py").write_text(AGENT, "utf-8")
    (project / "helpers.py").write_text(HELPERS, "utf-8")


def test_json_follows_the_contract(lens: Lens, project: Path) -> None:
    ran = lens("show", "shop/agent.py", "--output-format", "json")
    first = ran.json[0]
    keys = (
        "path name qualname line agents adk_version backend declaration error approximate tokens".split()  # noqa: SIM905
    )
    assert ran.status == 0
    assert list(first) == keys
    assert (first["name"], first["line"], first["agents"]) == ("find_order", 9, ["shop"])
    assert first["adk_version"] == "2.9.0"
    assert first["approximate"] == []


def test_one_tool_or_all_of_an_agent(lens: Lens, project: Path) -> None:
    write(project)

    def names(where: str) -> list[str]:
        return [row["name"] for row in lens("show", where, "--output-format", "json").json]

    assert names("agent.py::add") == ["add"]
    assert names("agent.py::root_agent") == ["add", "find"]
    assert names("agent.py::sums") == ["add", "find"]


def test_the_page_of_an_agent_tells_all_that_it_tells_the_model(lens: Lens, project: Path) -> None:
    write(project)
    page = lens("show", "agent.py::root_agent").out
    assert "Add what you are given." in page
    rows = re.findall(r"^(\d)  (\S+)", page, re.MULTILINE)
    assert rows[:4] == [("1", "add"), ("2", "find"), ("3", "google_search"), ("4", "elsewhere")]
    assert "a, b?" in page
    assert "not known:" in page
    assert '"description": "Find a number by its name."' in page
    assert "unused" not in page


def test_text_is_the_same_on_every_terminal_without_colour(lens: Lens, project: Path) -> None:
    plain = lens("show", "shop").out
    coloured = lens("show", "shop", "--color", "always").out
    assert "\x1b[" not in plain
    assert "\x1b[" in coloured
    assert plain == lens("show", "shop").out
    assert "find_order" in plain
    assert all(line == line.rstrip() for line in plain.splitlines())


def test_what_is_not_there_is_said(lens: Lens, project: Path) -> None:
    ran = lens("show", "shop/agent.py::nothing")
    assert ran.status == 2
    assert "has no tool or agent `nothing`. It has cancel, find_order, root_agent, shop." in ran.err
    assert lens("show", "shop/__init__.py").out.endswith("No tools or agents found.\n")


def test_forms_of_other_providers(lens: Lens, project: Path) -> None:
    ran = lens("show", "shop", "--provider", "openai", "--output-format", "json")
    assert ran.status == 0
    first = ran.json[0]
    assert first["declaration"] is not None or first["error"] or first["approximate"]
