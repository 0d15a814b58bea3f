"""The packed extension in a real VS Code: what a person sees, and what is on disk afterwards."""

from __future__ import annotations

import os
import signal
import venv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from e2e.provision import ROOT, Tools
from e2e.workbench import Workbench, activation_ms, colours, copy_workspace, until, workbench, write_settings

pytestmark = pytest.mark.xdist_group("e2e")

SOURCE = ROOT / "fixtures" / "workspace"
LOST = "Article number in capitals, for example BOLT-M8."
FIX = "Move description of 'sku' to docstring Args"
EXPECTED = Path(__file__).parent / "expected"
ACTIVATION_MS = 200


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, adk_python: Callable[[str], Path]) -> Path:
    target = tmp_path_factory.mktemp("editor") / "workspace"
    return copy_workspace(SOURCE, target, {"adkToolLens.interpreter": str(adk_python("2.9.0"))})


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


def test_lost_description_is_underlined_and_listed(bench: Workbench) -> None:
    bench.squiggles().first.wait_for()
    bench.shot("1-squiggle")
    row = bench.problems().filter(has_text="field-description-lost")
    row.first.wait_for()
    bench.shot("2-problems")
    assert "adk-tool-lens" in row.first.inner_text()
    bench.close_panel()


def test_hover_shows_the_declaration_in_colour(bench: Workbench, folder: Path) -> None:
    card = bench.hover(line_of(agent(folder), "def check_stock"), 7)
    block = card.locator(".monaco-tokenized-source").first
    until("JSON in colour", lambda: len(colours(block)) > 1)
    bench.shot("3-hover")
    text = card.first.inner_text()
    assert "2.9.0" in text
    assert '"check_stock"' in text
    assert "Gemini API" in text
    bench.press("Escape")
    card.first.wait_for(state="hidden")


def test_picture_for_the_readme(bench: Workbench, folder: Path) -> None:
    bench.page.set_viewport_size({"width": 1200, "height": 760})
    bench.command("View: Toggle Primary Side Bar Visibility")
    bench.squiggles().first.wait_for()
    bench.page.locator(".codelens-decoration").filter(has_text="tokens").first.wait_for()
    card = bench.hover(line_of(agent(folder), "def check_stock"), 7)
    block = card.locator(".monaco-tokenized-source").first
    until("JSON in colour", lambda: len(colours(block)) > 1)
    bench.shot("hover")  # goes to vscode-extension/images when the look has changed
    bench.press("Escape")
    card.first.wait_for(state="hidden")
    bench.command("View: Toggle Primary Side Bar Visibility")
    bench.page.set_viewport_size({"width": 1280, "height": 800})


def test_quick_fix_moves_the_description_into_the_docstring(bench: Workbench, folder: Path) -> None:
    file = agent(folder)
    before = file.read_text("utf-8")
    bench.go_to(line_of(file, LOST), 12)
    bench.quick_fix_menu(FIX)
    bench.shot("4-quick-fix-menu")
    bench.quick_fix(FIX)
    bench.page.locator(".tab.active.dirty").wait_for()
    assert file.read_text("utf-8") == before
    bench.save()
    until("saved", lambda: file.read_text("utf-8") != before)
    bench.shot("5-fixed")
    assert file.read_text("utf-8") == (EXPECTED / "agent.py.txt").read_text("utf-8")
    until(
        "nothing is lost any more",
        lambda: bench.problems().filter(has_text="field-description-lost").count() == 0,
    )
    bench.close_panel()


def test_fix_all_on_save(bench: Workbench, folder: Path, adk_python: Callable[[str], Path]) -> None:
    file = folder / "warehouse" / "orders.py"
    before = file.read_text("utf-8")
    write_settings(
        folder,
        {
            "adkToolLens.interpreter": str(adk_python("2.9.0")),
            "editor.codeActionsOnSave": {"source.fixAll.adk-tool-lens": "always"},
            "window.title": "fix on save",
        },
    )
    until("settings taken over", lambda: "fix on save" in bench.page.title())
    bench.open_file("orders.py")
    bench.squiggles().first.wait_for()
    bench.go_to(1, 1)
    bench.press("End", "Space", "Backspace")
    bench.save()
    until("fixed on disk", lambda: file.read_text("utf-8") != before)
    bench.shot("6-fixed-on-save")
    assert file.read_text("utf-8") == (EXPECTED / "orders.py.txt").read_text("utf-8")


def test_back_end_can_be_chosen(bench: Workbench, folder: Path) -> None:
    bench.status("ADK 2.9.0 · Gemini API").click()
    bench.quick_input("Vertex AI")
    bench.status("ADK 2.9.0 · Vertex AI").wait_for()
    bench.shot("8-vertex")
    assert '"adkToolLens.backend": "vertex"' in (folder / ".vscode" / "settings.json").read_text()


def test_killed_server_comes_back(bench: Workbench) -> None:
    killed = bench.server_pid()
    os.kill(killed, signal.SIGKILL)
    bench.server_pid(but_not=killed)
    bench.status("ADK 2.9.0 · Vertex AI").wait_for()
    assert bench.notification("ADK Tool Lens").count() == 0


def test_activation_takes_little_time(bench: Workbench, folder: Path) -> None:
    measured: list[int] = []
    while len(measured) < 4 and min(measured, default=ACTIVATION_MS) >= ACTIVATION_MS:
        if measured:  # the machine was busy: a fresh window activates once more
            bench.open(folder, agent(folder))
            bench.status("ADK 2.9.0").wait_for()
        measured.append(activation_ms(bench, "9-activation"))
    print("activation in ms:", measured)
    assert min(measured) < ACTIVATION_MS, measured


def test_environment_without_google_adk(bench: Workbench, tmp_path: Path) -> None:
    folder = copy_workspace(SOURCE, tmp_path / "bare", {})
    venv.create(folder / ".venv", symlinks=True)
    bench.open(folder, agent(folder))
    bench.status("no google-adk").wait_for()
    notice = bench.notification("google-adk")
    notice.wait_for()
    bench.shot("10-no-adk")
    text = notice.inner_text()
    assert str(folder / ".venv") in text
    assert "Choose Interpreter" in text
    assert bench.page.locator(".notification-toast:visible").count() == 1
    notice.get_by_role("button", name="Choose Interpreter").click()
    bench.page.locator(".quick-input-list .monaco-list-row").first.wait_for()
    bench.shot("11-choose-interpreter")
    bench.press("Escape")


def test_nothing_outside_this_machine_was_asked(bench: Workbench) -> None:
    assert set() == bench.outside
