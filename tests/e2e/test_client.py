"""What the extension does by itself, seen with a stand-in for the server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from e2e.provision import ROOT, Tools
from e2e.workbench import Workbench, colours, copy_workspace, until, workbench

pytestmark = pytest.mark.xdist_group("e2e")

STAND_IN = Path(__file__).parent / "stand_in.py"
READY = "ADK 0.0.0 · Vertex AI"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("client")
    (place / "mode").write_text("crash", "utf-8")
    program = place / "adk-tool-lens"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{STAND_IN}" "{place}/mode" "$@"\n', "utf-8")
    program.chmod(0o755)
    settings = {"adkToolLens.path": [str(program)]}
    copy_workspace(ROOT / "fixtures" / "workspace", place / "workspace", settings)
    return place


@pytest.fixture(scope="module")
def bench(tools: Tools, place: Path) -> Iterator[Workbench]:
    with workbench(tools, place / "profile") as bench:
        bench.open(place / "workspace", place / "workspace" / "warehouse" / "agent.py")
        yield bench


def test_server_that_keeps_ending_is_given_up_with_a_message(bench: Workbench, place: Path) -> None:
    notice = bench.notification("stopped 5 times within three minutes")
    notice.wait_for()
    bench.shot("14-given-up")
    assert "Debug Information" in notice.inner_text()
    bench.status("not running").wait_for()
    assert bench.page.locator(".notification-toast:visible").count() == 1

    (place / "mode").write_text("run", "utf-8")
    notice.get_by_role("button", name="Restart Server").click()
    bench.status(READY).wait_for()


def test_preview_follows_the_cursor_and_the_text(bench: Workbench) -> None:
    bench.press("Control+1")
    bench.go_to(12, 7)
    bench.command("ADK Tool Lens: Show What the Model Sees")
    until("the tool at the cursor", lambda: '"check_stock"' in bench.text(group=2))
    preview = bench.page.locator(".editor-instance").last
    until("in colour", lambda: len(colours(preview)) > 1)
    bench.press("Control+1")
    bench.go_to(34, 7)
    until("the tool at the new place", lambda: '"move_stock"' in bench.text(group=2))
    bench.shot("15-preview")

    before = bench.text(group=2)
    bench.press("Home", "Enter")
    until("the new text", lambda: bench.text(group=2) not in (before, ""))
    bench.command("View: Close Editors in Other Groups")


def _shows_log(bench: Workbench, command: str, channel: str) -> bool:
    """Runs the command, again where the editor was still busy with the one before."""
    bench.command(f"ADK Tool Lens: Show {command} Log")
    bench.page.wait_for_timeout(1500)
    chosen = bench.page.locator(".part.panel select.monaco-select-box option:checked").first
    return chosen.inner_text().strip() == channel


def test_logs_can_be_shown(bench: Workbench) -> None:
    # What they say is not seen here: code-server writes no log files without a module that needs a compiler.
    for command, channel in (("Client", "ADK Tool Lens"), ("Server", "ADK Tool Lens Language Server")):
        until(f"the {command.lower()}'s log", partial(_shows_log, bench, command, channel))
    bench.status(READY).wait_for()
    assert set() == bench.outside
