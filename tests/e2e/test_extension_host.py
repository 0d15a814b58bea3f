"""The extension seen from inside the editor: the checks themselves are in exthost/suite.js."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e.provision import EXTENSION, ROOT, Tools
from e2e.workbench import copy_workspace, workbench

pytestmark = pytest.mark.xdist_group("e2e")

SUITE = Path(__file__).parent / "exthost" / "suite.js"
SECONDS = 150


def test_extension_host_suite(tools: Tools, tmp_path: Path, adk_python: Callable[[str], Path]) -> None:
    settings = {"adkToolLens.interpreter": str(adk_python("2.9.0"))}
    folder = copy_workspace(ROOT / "fixtures" / "workspace", tmp_path / "workspace", settings)
    said: list[str] = []
    codes: list[int] = []
    with workbench(tools, tmp_path / "profile", install=False) as bench:

        def note(kind: str, arguments: list[Any]) -> None:
            said.append(" ".join(map(str, [f"[{kind}]", *arguments])))

        bench.page.expose_function("codeAutomationLog", note)
        bench.page.expose_function("codeAutomationExit", lambda code, *_: codes.append(code))
        bench.open(
            folder,
            extensionDevelopmentPath=bench.remote(EXTENSION),
            extensionTestsPath=bench.remote(SUITE),
            skipWelcome="true",
        )
        for _ in range(SECONDS * 10):
            if codes:
                break
            bench.page.wait_for_timeout(100)
        bench.shot("extension-host")
    report = "\n".join(said)
    print(report)
    assert codes == [0], report
