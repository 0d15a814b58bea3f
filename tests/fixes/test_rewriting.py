"""All descriptions of a file moved between `Field` and docstring, and back."""

from __future__ import annotations

import ast
from pathlib import Path

from adk_tool_lens.declaration.model import Declared
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.rewriting import concerned, file_edits
from adk_tool_lens.source.edits import apply
from fixes.conftest import ClientFor
from fixes.pressing import analysed

FILE = Path("/nowhere/agent.py")
TEXT = '''from google.adk.agents import Agent


def find(city: str, limit: int = 3) -> dict:
    """Finds shops.

    Args:
        city: Name of it.
        limit: How many.
    """
    return {"status": "success"}


class Shop:
    async def open(self, number: "int") -> dict:
        """Opens a shop.

        :param number: Which one.
        """
        return {}

    def close(self, number: int) -> dict:
        """Closes a shop.

        :param number: Which one, in words:

            - one
            - two
        """
        return {}


shop = Shop()
root_agent = Agent(name="a", model="gemini-2.5-flash", tools=[find, shop.open, shop.close])
'''


def _said(analysis: Analysis) -> dict[str, dict[str, str]]:
    answers = {report.tool.name: report.answer for report in analysis.reports}
    assert all(isinstance(answer, Declared) for answer in answers.values()), answers
    views = [analysis.view(report) for report in analysis.reports]
    return {v.tool.name: {p.name: v.sent_description(p.name) for p in v.parameters} for v in views}


def test_there_and_back(client_for: ClientFor) -> None:
    client = client_for("2.13.0")
    before = analysed(TEXT, client, FILE)
    assert concerned(before, "describe-in-field") == 3
    assert concerned(before, "move-description") == 0
    there = apply(TEXT, file_edits(before, "describe-in-field"))
    ast.parse(there)
    after = analysed(there, client, FILE)
    assert _said(after) == {
        "find": {"city": "Name of it.", "limit": "How many."},
        "open": {"number": ""},
        "close": {"number": "Which one, in words:\n\n- one\n- two"},
    }
    assert file_edits(after, "describe-in-field") == ()
    assert concerned(after, "move-description") == 2
    back = apply(there, file_edits(after, "move-description"))
    google = "    Args:\n        city: Name of it.\n        limit: How many.\n"
    rest = "    :param city: Name of it.\n    :param limit: How many.\n"
    assert back == TEXT.replace(google, rest)  # as the docstring that kept its section is


def test_versions_that_lose_the_text_of_field_are_not_offered_it(client_for: ClientFor) -> None:
    before = analysed(TEXT, client_for("2.9.0"), FILE)
    assert concerned(before, "describe-in-field") == 0
    assert file_edits(before, "describe-in-field") == ()


def test_a_context_parameter_stays_as_it_is(client_for: ClientFor) -> None:
    text = '''from google.adk.agents import Agent
from google.adk.tools import ToolContext


def remember(tool_context: ToolContext) -> dict:
    """Remembers.

    Args:
        tool_context: Where.
    """
    return {}


root_agent = Agent(name="a", model="gemini-2.5-flash", tools=[remember])
'''
    assert file_edits(analysed(text, client_for("2.13.0"), FILE), "describe-in-field") == ()
