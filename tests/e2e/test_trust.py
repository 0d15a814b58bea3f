"""A workspace that nobody has vouched for: nothing of it is started until the person says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.provision import ROOT, Tools
from e2e.workbench import copy_workspace, until, workbench

pytestmark = pytest.mark.xdist_group("e2e")

TRUST = {
    "security.workspace.trust.startupPrompt": "never",
    "security.workspace.trust.banner": "never",
}
TRAP = """#!/bin/sh
echo started >> "{mark}"
exec "{python}" "$@"
"""


def test_interpreter_of_an_untrusted_workspace_is_not_started(
    tools: Tools, tmp_path: Path, adk_python: Callable[[str], Path]
) -> None:
    mark = tmp_path / "started"
    source = ROOT / "fixtures" / "workspace"
    folder = copy_workspace(source, tmp_path / "workspace", {"adkToolLens.interpreter": "./trap"})
    for trap in (folder / ".venv" / "bin" / "python", folder / "trap"):
        trap.parent.mkdir(parents=True, exist_ok=True)
        trap.write_text(TRAP.format(mark=mark, python=adk_python("2.9.0")), "utf-8")
        trap.chmod(0o755)
    with workbench(tools, tmp_path / "profile", settings=TRUST, trust=False) as bench:
        bench.open(folder, folder / "warehouse" / "agent.py")
        bench.page.locator(".statusbar-item").filter(has_text="Restricted Mode").wait_for()
        bench.server_pid()
        notice = bench.notification("not trusted")
        notice.wait_for()
        bench.shot("12-untrusted")
        assert "Manage Workspace Trust" in notice.inner_text()
        assert not mark.exists()

        notice.get_by_role("button", name="Manage Workspace Trust").click()
        button = bench.page.locator(".workspace-trust-editor .monaco-button")
        button.filter(has_text="Trust").first.click()
        bench.page.get_by_text("You trust this folder").click()
        bench.press("Escape")
        bench.status("ADK 2.9.0 · Gemini API").wait_for()
        until("the workspace's interpreter is used now", mark.exists)
        bench.shot("13-trusted")
        assert set() == bench.outside
