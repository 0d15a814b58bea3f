"""Where nothing uses google-adk, there is no server; as soon as something does, there is one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from e2e.provision import ROOT, Tools
from e2e.workbench import Workbench, activation_ms, until, workbench

pytestmark = pytest.mark.xdist_group("e2e")

PLAIN = "def add(first: int, second: int) -> int:\n    return first + second\n"
QUIET_SECONDS = 3
AGENT = ROOT / "fixtures" / "workspace" / "warehouse" / "agent.py"


@pytest.fixture(scope="module")
def bench(tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(tools, tmp_path_factory.mktemp("profile")) as bench:
        yield bench


def opened(bench: Workbench, folder: Path, name: str, **files: str) -> Path:
    """A folder with these files, one of them open, and the extension activated by it."""
    folder.mkdir()
    for other, text in files.items():
        (folder / other.replace("_py", ".py").replace("_toml", ".toml")).write_text(text, "utf-8")
    until("the window before has no server any more", lambda: not bench.servers())
    bench.open(folder, folder / name)
    activation_ms(bench)
    bench.press("Control+1")
    return folder / name


def test_workspace_without_google_adk_has_no_server(
    bench: Workbench, tmp_path: Path, adk_python: Callable[[str], Path]
) -> None:
    project = '[project]\nname = "sums"\nversion = "1"\ndependencies = ["requests"]\n'
    file = opened(bench, tmp_path / "plain", "sums.py", sums_py=PLAIN, pyproject_toml=project)
    with pytest.raises(AssertionError):
        until("a server", bench.servers, QUIET_SECONDS)
    assert bench.page.locator(".statusbar-item").filter(has_text="ADK").count() == 0
    assert bench.page.locator(".pane-header").filter(has_text="ADK Agents").count() == 0
    bench.shot("40-nothing-of-adk")

    # An edit, not saved yet, is reason enough.
    bench.go_to(1, 1)
    bench.page.keyboard.type("from google.adk import Agent")
    bench.server_pid()
    bench.page.locator(".pane-header").filter(has_text="ADK Agents").wait_for()
    assert file.read_text("utf-8") == PLAIN
    bench.press("Control+Z")
    until("back to what is on disk", lambda: bench.page.locator(".tab.active.dirty").count() == 0)


def test_requirement_of_the_project_starts_it(bench: Workbench, tmp_path: Path) -> None:
    project = '[project]\nname = "sums"\nversion = "1"\ndependencies = ["google-adk>=2"]\n'
    opened(bench, tmp_path / "needs", "sums.py", sums_py=PLAIN, pyproject_toml=project)
    bench.server_pid()


def test_new_file_starts_it(bench: Workbench, tmp_path: Path) -> None:
    file = opened(bench, tmp_path / "later", "sums.py", sums_py=PLAIN)
    with pytest.raises(AssertionError):
        until("a server", bench.servers, QUIET_SECONDS)
    shutil.copy(AGENT, file.parent / "stock.py")
    bench.server_pid()


def test_command_starts_it(bench: Workbench, tmp_path: Path) -> None:
    opened(bench, tmp_path / "asked", "sums.py", sums_py=PLAIN)
    with pytest.raises(AssertionError):
        until("a server", bench.servers, QUIET_SECONDS)
    bench.command("ADK Tool Lens: Restart Server")
    bench.server_pid()
    assert set() == bench.outside
