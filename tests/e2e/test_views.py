"""What stands beside the code: lenses, the preview, comparisons, the tree of agents, notebooks."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator

from e2e.provision import ROOT, Tools
from e2e.workbench import NO_BREAK_SPACE, Workbench, colours, copy_workspace, until, workbench

pytestmark = pytest.mark.xdist_group("e2e")

SOURCE = ROOT / "fixtures" / "workspace"
SEES = "what the model sees"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, adk_python: Callable[[str], Path]) -> Path:
    target = tmp_path_factory.mktemp("views") / "workspace"
    copy_workspace(SOURCE, target, {"adkToolLens.interpreter": str(adk_python("2.9.0"))})
    (target / ".venv").symlink_to(adk_python("1.39.1").parents[1])  # another google-adk, to compare with
    code = (target / "warehouse" / "orders.py").read_text("utf-8").replace("place_order", "plan_order")
    cell: dict[str, object] = {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": code,
    }
    metadata = {"language_info": {"name": "python"}}
    notebook = {"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    (target / "warehouse" / "plans.ipynb").write_text(json.dumps(notebook), "utf-8")
    return target


@pytest.fixture(scope="module")
def bench(tools: Tools, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(tools, tmp_path_factory.mktemp("profile")) as bench:
        bench.open(folder, agent(folder))
        bench.status("ADK 2.9.0 · Gemini API").wait_for()
        yield bench


def agent(folder: Path) -> Path:
    return folder / "warehouse" / "agent.py"


def line_of(file: Path, text: str) -> int:
    return next(number for number, line in enumerate(file.read_text("utf-8").splitlines(), 1) if text in line)


def lens(bench: Workbench, text: str) -> Locator:
    return bench.page.locator(".codelens-decoration a").filter(has_text=text)


def preview(bench: Workbench) -> str:
    return bench.text(group=2)


def test_lens_above_a_tool_opens_the_preview(bench: Workbench) -> None:
    lens(bench, "tokens").first.wait_for()
    bench.shot("20-lens")
    said = lens(bench, SEES).first.inner_text().replace(NO_BREAK_SPACE, " ")
    assert re.fullmatch(r"about \d+ tokens · \d+ problems? · what the model sees", said), said
    lens(bench, SEES).first.click()
    until("the tool of the lens", lambda: '"name": "check_stock"' in preview(bench))
    until("in colour", lambda: len(colours(bench.page.locator(".editor-instance").last)) > 1)
    bench.shot("21-preview")


def test_preview_follows_edits_and_marks_what_is_not_saved(bench: Workbench, folder: Path) -> None:
    bench.press("Control+1")
    line = line_of(agent(folder), '"""Tells how many pieces')
    bench.go_to(line, 1)
    bench.press("End")
    bench.page.keyboard.type(" Ask for one article at a time.")
    until("what was typed", lambda: "one article at a time" in preview(bench))
    lens(bench, "1 not saved").wait_for()
    bench.shot("22-live-preview")
    bench.save()
    lens(bench, "not saved").wait_for(state="hidden")
    assert "one article at a time" in preview(bench)


def test_agent_shows_all_that_it_sends(bench: Workbench, folder: Path) -> None:
    bench.go_to(line_of(agent(folder), "instruction="), 6)
    until("the agent", lambda: "# warehouse_agent" in preview(bench))
    bench.shot("23-agent")
    text = preview(bench)  # a long line is wrapped
    parts = [
        "when it is missing.",
        "about 19 tokens",
        "1. `check_stock`",
        "2. `list_articles`",
        "3. `move_stock`",
    ]
    assert [part for part in parts if part not in text] == []


def test_preview_looks_through_another_back_end(bench: Workbench, folder: Path) -> None:
    bench.go_to(line_of(agent(folder), "def check_stock"), 7)
    until("the tool", lambda: preview(bench).lstrip().startswith("{"))
    lens(bench, "Change…").click()
    bench.quick_input("Vertex AI")
    bench.page.locator(".codelens-decoration").filter(has_text="Vertex AI").first.wait_for()
    until("a response schema", lambda: "response_json_schema" in preview(bench))
    bench.status("ADK 2.9.0 · Gemini API").wait_for()
    bench.command("ADK Tool Lens: Change Back End, Form or google-adk of the Preview")
    bench.quick_input("Gemini API")
    until("no response schema", lambda: "response_json_schema" not in preview(bench))


def test_two_previews_are_compared_in_a_diff(bench: Workbench) -> None:
    bench.command("ADK Tool Lens: Compare What the Model Sees with…")
    bench.page.locator(".quick-input-list .monaco-list-row").filter(has_text="google-adk 1.39.1").wait_for()
    bench.shot("24-compare-with")
    bench.quick_input("google-adk 1.39.1")
    diff = bench.page.locator(".monaco-diff-editor")
    diff.wait_for()
    until("both sides", lambda: diff.inner_text().count("check_stock") >= 2)
    bench.page.locator(".tab.active").filter(has_text="google-adk 1.39.1").wait_for()
    bench.shot("25-compare")
    bench.press("Control+1")
    bench.command("View: Close Editors in Other Groups")


def test_agents_of_the_workspace_are_a_tree(bench: Workbench, folder: Path) -> None:
    bench.press("Control+Shift+E")
    pane = bench.page.locator(".pane").filter(has_text="ADK Agents")
    header = pane.locator(".pane-header")
    header.wait_for()
    if header.get_attribute("aria-expanded") != "true":
        header.click()
    rows = pane.locator(".monaco-list-row")
    rows.filter(has_text="move_stock").filter(has_text="tokens").wait_for()
    rows.filter(has_text="place_order").filter(has_text="tokens").wait_for()
    bench.shot("26-agents")
    rows.filter(has_text="place_order").click()
    bench.page.locator(".tab.active").filter(has_text="orders.py").wait_for()
    line = line_of(folder / "warehouse" / "orders.py", "def place_order")
    bench.status(f"Ln {line}, Col 5").wait_for()
    row = rows.filter(has_text="warehouse_agent").first
    row.hover()
    row.locator(".action-label.codicon-eye").dispatch_event("click")
    until("the agent", lambda: "# warehouse_agent" in preview(bench))
    bench.page.mouse.move(640, 400)
    bench.shot("27-agent-of-the-tree")
    bench.press("Control+1")
    bench.command("View: Close Editors in Other Groups")


def test_killed_worker_is_replaced(bench: Workbench, folder: Path) -> None:
    bench.open_file("agent.py")
    bench.go_to(line_of(agent(folder), "def move_stock"), 7)
    bench.command("ADK Tool Lens: Show What the Model Sees")
    until("the tool", lambda: '"name": "move_stock"' in preview(bench))
    for worker in workers(bench.server_pid()):
        os.kill(worker, signal.SIGKILL)
    bench.press("Control+1")
    bench.go_to(line_of(agent(folder), '"""Plans the transport'), 1)
    bench.press("End")
    bench.page.keyboard.type(" It is slow.")
    until("the answer of another worker", lambda: "It is slow." in preview(bench))
    assert bench.notification("ADK Tool Lens").count() == 0
    bench.save()
    bench.command("View: Close Editors in Other Groups")


def workers(server: int) -> list[int]:
    """The declaration workers that a server has started."""
    children = Path(f"/proc/{server}/task").glob("*/children")
    started = [int(pid) for file in children for pid in file.read_text().split()]
    return [pid for pid in started if b"worker.py" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_cell_of_a_notebook_is_checked(bench: Workbench) -> None:
    bench.pick_file("plans.ipynb")
    bench.page.locator(".squiggly-warning:visible").first.wait_for()
    bench.page.locator(".codelens-decoration:visible").filter(has_text=SEES).first.wait_for()
    bench.shot("28-notebook")
    assert set() == bench.outside
