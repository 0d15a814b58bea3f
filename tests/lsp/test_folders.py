"""Several folders in one workspace, each with its own google-adk and its own index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conftest import AdkPython

TOOLS = '''from typing import Annotated

from pydantic import Field


def find(order: Annotated[str, Field(description="The number of the order.")]) -> dict:
    """Find an order."""
    return {"status": "success"}
'''
AGENT = """from google.adk.agents import Agent

from tools import find

root_agent = Agent(name="root", model="gemini-2.5-flash", description="x", instruction="x", tools=[find])
"""


async def test_each_folder_is_judged_by_its_own_google_adk(
    connect: Any, tmp_path: Path, adk_python: AdkPython
) -> None:
    versions = {"old": "2.9.0", "new": "2.13.0"}
    folders = []
    for name, version in versions.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "tools.py").write_text(TOOLS, "utf-8")
        (folder / "agent.py").write_text(AGENT, "utf-8")
        interpreter = str(adk_python(version))
        folders.append({"uri": folder.as_uri(), "interpreter": interpreter, "source": "setting"})
    editor = await connect(folders=folders)
    old, new = ((tmp_path / name / "tools.py").as_uri() for name in versions)
    for uri in (old, new):
        editor.open(uri, TOOLS)
    await editor.until("what 2.9.0 loses", lambda: "field-description-lost" in editor.rules(old))
    hover = await editor.hover_until(new, 5, 5, "The number of the order.")
    assert "2.13.0" in hover
    assert "field-description-lost" not in editor.rules(new)
    assert {status.adkVersion for status in editor.statuses if status.state == "ready"} == {"2.9.0", "2.13.0"}
