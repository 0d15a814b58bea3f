"""The tree of a workspace with more agents than are drawn open: each click on a row goes to its code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from e2e.provision import Tools
from e2e.workbench import workbench, write_settings

pytestmark = pytest.mark.xdist_group("e2e")
AGENT = '''from google.adk.agents import Agent

def look_{n}(name: str) -> dict:
    """Looks.

    Args:
        name: What.
    """
    return {{}}

agent_{n} = Agent(name="agent_{n}", model="gemini-2.5-flash", tools=[look_{n}])
'''
OPENED = (12, 15, 13)


def test_each_click_on_a_row_goes_to_its_code(
    tools: Tools, adk_python: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("many") / "shop"
    folder.mkdir()
    for number in range(10, 24):
        (folder / f"agent_{number}.py").write_text(AGENT.format(n=number), "utf-8")
    write_settings(folder, {"adkToolLens.interpreter": str(adk_python("2.9.0"))})
    with workbench(tools, tmp_path_factory.mktemp("profile")) as bench:
        bench.page.set_viewport_size({"width": 1280, "height": 1400})
        bench.open(folder, Path(folder / "agent_10.py"))
        bench.status("ADK 2.9.0").wait_for()
        bench.press("Control+Shift+E")
        pane = bench.page.locator(".pane").filter(has_text="ADK Agents")
        pane.locator(".pane-header").wait_for()
        if pane.locator(".pane-header").get_attribute("aria-expanded") != "true":
            pane.locator(".pane-header").click()
        bench.page.locator(".pane-header").filter(has_text="shop").first.click()
        rows = pane.locator(".monaco-list-row")
        rows.filter(has_text="agent_23").wait_for()
        for number in OPENED:
            rows.filter(has_text=f"agent_{number}").locator(".monaco-tl-twistie").click()
            rows.filter(has_text=f"look_{number}").wait_for()
        for number in OPENED:
            rows.filter(has_text=f"agent_{number}").filter(has_text="tokens").wait_for()
        for number in OPENED:
            rows.filter(has_text=f"look_{number}").click()
            bench.page.locator(".tab.active").filter(has_text=f"agent_{number}.py").wait_for()
            bench.status("Ln 3, Col 5").wait_for()
        bench.shot("many-agents")
