"""The oldest VS Code that the extension says it runs in: what it is for works there, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.provision import EXTENSION, OLDEST, provision
from e2e.test_editor import EXPECTED, FIX, LOST, SOURCE, agent, line_of
from e2e.workbench import colours, copy_workspace, until, workbench

pytestmark = pytest.mark.xdist_group("e2e")


def test_oldest_editor_is_the_one_that_the_package_names() -> None:
    named = json.loads((EXTENSION / "package.json").read_text("utf-8"))["engines"]["vscode"]
    editor = provision(OLDEST).code_server.parents[2] / "lib" / "vscode" / "package.json"
    assert named == "^" + json.loads(editor.read_text("utf-8"))["version"]


def test_squiggle_hover_and_fix(tmp_path: Path, adk_python: Callable[[str], Path]) -> None:
    settings = {"adkToolLens.interpreter": str(adk_python("2.9.0"))}
    folder = copy_workspace(SOURCE, tmp_path / "workspace", settings)
    file = agent(folder)
    with workbench(provision(OLDEST), tmp_path / "profile") as bench:
        bench.open(folder, file)
        bench.status("ADK 2.9.0 · Gemini API").wait_for()
        bench.squiggles().first.wait_for()
        card = bench.hover(line_of(file, "def check_stock"), 7)
        block = card.locator(".monaco-tokenized-source").first
        until("JSON in colour", lambda: len(colours(block)) > 1)
        bench.shot("50-oldest-hover")
        assert '"check_stock"' in card.first.inner_text()
        bench.press("Escape")
        card.first.wait_for(state="hidden")

        bench.go_to(line_of(file, LOST), 12)
        bench.quick_fix(FIX)
        bench.page.locator(".tab.active.dirty").wait_for()
        bench.save()
        until("saved", lambda: file.read_text("utf-8") == (EXPECTED / "agent.py.txt").read_text("utf-8"))

        bench.go_to(line_of(file, "def check_stock"), 7)
        bench.command("ADK Tool Lens: Show What the Model Sees")
        until("the preview", lambda: '"name": "check_stock"' in bench.text(group=2))
        bench.shot("51-oldest-preview")
        assert set() == bench.outside
