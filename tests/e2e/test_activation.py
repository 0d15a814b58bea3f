"""Where nothing uses google-adk, there is no server; as soon as something does, there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from e2e.provision import ROOT, Tools
from e2e.workbench import Workbench, activation_ms, until, workbench

pytestmark = pytest.mark.xdist_group("e2e")

PLAIN = "def add(first: int, second: int) -> int:\n    return first + second\n"
QUIET_SECONDS = 3
AGENT = ROOT / "fixtures" / "workspace" / "warehouse" / "agent.py"


@dataclass(frozen=True)
class Window:
    """A window in which the extension is active."""

    bench: Workbench
    file: Path
    others: frozenset[int]
    """Servers of windows that were open before; they go when their extension host does."""

    def has_server(self) -> bool:
        """Whether this window has started a server."""
        return not self.others.issuperset(self.bench.servers())

    def has_none(self) -> None:
        """Looks for a while, and finds no server."""
        with pytest.raises(AssertionError, match="a server"):
            until("a server", self.has_server, QUIET_SECONDS)

    def gets_one(self) -> None:
        """Waits for a server."""
        until("a server of this window", self.has_server)


@pytest.fixture(scope="module")
def bench(tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(tools, tmp_path_factory.mktemp("profile")) as bench:
        yield bench


def opened(bench: Workbench, folder: Path, dependency: str = "requests") -> Window:
    """A folder with a plain Python file, which activates the extension."""
    folder.mkdir()
    file = folder / "sums.py"
    file.write_text(PLAIN, "utf-8")
    project = f'[project]\nname = "sums"\nversion = "1"\ndependencies = ["{dependency}"]\n'
    (folder / "pyproject.toml").write_text(project, "utf-8")
    others = frozenset(bench.servers())
    bench.open(folder, file)
    activation_ms(bench)
    bench.press("Control+1")
    return Window(bench, file, others)


def test_workspace_without_google_adk_has_no_server(bench: Workbench, tmp_path: Path) -> None:
    window = opened(bench, tmp_path / "plain")
    window.has_none()
    assert bench.page.locator(".statusbar-item").filter(has_text="ADK").count() == 0
    assert bench.page.locator(".pane-header").filter(has_text="ADK Agents").count() == 0
    bench.shot("40-nothing-of-adk")

    # An edit is reason enough, before it is saved.
    bench.go_to(1, 1)
    bench.page.keyboard.type("from google.adk import Agent")
    window.gets_one()
    assert window.file.read_text("utf-8") == PLAIN
    bench.page.locator(".pane-header").filter(has_text="ADK Agents").wait_for()
    bench.save()


def test_requirement_of_the_project_starts_it(bench: Workbench, tmp_path: Path) -> None:
    opened(bench, tmp_path / "needs", dependency="google-adk>=2").gets_one()


def test_new_file_starts_it(bench: Workbench, tmp_path: Path) -> None:
    window = opened(bench, tmp_path / "later")
    window.has_none()
    shutil.copy(AGENT, window.file.parent / "stock.py")
    window.gets_one()


def test_command_starts_it(bench: Workbench, tmp_path: Path) -> None:
    window = opened(bench, tmp_path / "asked")
    window.has_none()
    bench.command("ADK Tool Lens: Restart Server")
    window.gets_one()
    assert set() == bench.outside
