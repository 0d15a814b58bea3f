"""A file with a description that is lost, and what is left when that is mended."""

from __future__ import annotations

LOST = '''from typing import Annotated

from google.adk.agents import Agent
from pydantic import Field


def find(city: Annotated[str, Field(description="Größe 🌍")]) -> dict:
    """Finds."""
    return {"status": "success", "tags": {"a"}}


root_agent = Agent(name="a", model="gemini-2.5-flash", tools=[find])
'''
MOVED = '''from google.adk.agents import Agent


def find(city: str) -> dict:
    """Finds.

    Args:
        city: Größe 🌍
    """
    return {"status": "success", "tags": {"a"}}


root_agent = Agent(name="a", model="gemini-2.5-flash", tools=[find])
'''
