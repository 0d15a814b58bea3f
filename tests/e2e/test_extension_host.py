"""The extension seen from inside the editor: the checks themselves are in exthost/."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e.provision import EXTENSION, ROOT, Tools
from e2e.workbench import copy_workspace, workbench, write_settings

pytestmark = pytest.mark.xdist_group("e2e")

SUITES = Path(__file__).parent / "exthost"
FIXES = ROOT / "fixtures" / "fixes"
KINDS = Path(__file__).parent / "expected" / "kinds.json"
SECONDS = 400


def passes(tools: Tools, profile: Path, workspace: Path, suite: str) -> None:
    """Runs a suite in the extension host of a window with that workspace."""
    said: list[str] = []
    codes: list[int] = []
    with workbench(tools, profile, install=False) as bench:

        def note(kind: str, arguments: list[Any]) -> None:
            said.append(" ".join(map(str, [f"[{kind}]", *arguments])))

        bench.page.expose_function("codeAutomationLog", note)
        bench.page.expose_function("codeAutomationExit", lambda code, *_: codes.append(code))
        bench.open(
            workspace,
            extensionDevelopmentPath=bench.remote(EXTENSION),
            extensionTestsPath=bench.remote(SUITES / suite),
            skipWelcome="true",
        )
        for _ in range(SECONDS * 10):
            if codes:
                break
            bench.page.wait_for_timeout(100)
        bench.shot(f"extension-host-{suite}")
    report = "\n".join(said)
    print(report)
    assert codes == [0], report


def test_extension_host_suite(tools: Tools, tmp_path: Path, adk_python: Callable[[str], Path]) -> None:
    settings = {"adkToolLens.interpreter": str(adk_python("2.9.0"))}
    folder = copy_workspace(ROOT / "fixtures" / "workspace", tmp_path / "workspace", settings)
    passes(tools, tmp_path / "profile", folder, "suite.js")


def test_every_kind_of_repair_is_pressed() -> None:
    pressed = {case["fixture"].partition("/")[0] for case in json.loads(KINDS.read_text("utf-8"))}
    assert pressed | {"suppress-with-comment"} == {folder.name for folder in FIXES.iterdir()}


def test_code_actions_change_the_file_on_disk(
    tools: Tools, tmp_path: Path, adk_python: Callable[[str], Path]
) -> None:
    presses = []
    versions = set()
    for number, case in enumerate(json.loads(KINDS.read_text("utf-8"))):
        before, after = (changed(case, part) for part in ("before", "after"))
        file = f"case_{number}.py"
        folder = tmp_path / case["adk"]
        folder.mkdir(exist_ok=True)
        (folder / file).write_text(before, "utf-8")
        presses.append({**case, "file": file, "after": after})
        versions.add(case["adk"])
    for version in versions:
        write_settings(tmp_path / version, {"adkToolLens.interpreter": str(adk_python(version))})
    cases = {"presses": presses, "suppressions": suppressions(tmp_path / "2.9.0")}
    (tmp_path / "cases.json").write_text(json.dumps(cases), "utf-8")
    workspace = tmp_path / "kinds.code-workspace"
    workspace.write_text(json.dumps({"folders": [{"path": name} for name in sorted(versions)]}), "utf-8")
    passes(tools, tmp_path / "profile", workspace, "kinds.js")


def changed(case: dict[str, Any], part: str) -> str:
    """One of the two texts of a fixture, with what makes a rule report it, in the style most used here."""
    text = (FIXES / f"{case['fixture']}.{part}.py").read_text("utf-8")
    for old, new in case.get("change", ()):
        text = text.replace(old, new)
    return text


def suppressions(folder: Path) -> dict[str, Any]:
    """A finding to switch off, on its line and for the project."""
    rule = "raises-for-expected-case"
    text = (FIXES / "return-error" / "message.before.py").read_text("utf-8")
    (folder / "suppressed.py").write_text(text, "utf-8")
    project = '[project]\nname = "a"\n'
    (folder / "pyproject.toml").write_text(project, "utf-8")
    line = next(
        number for number, line in enumerate(text.splitlines(), 1) if line.startswith("        raise ")
    )
    expected = f'{project}\n[tool.adk-tool-lens]\nignore = ["{rule}"]\n'
    return {"adk": folder.name, "file": "suppressed.py", "rule": rule, "line": line, "pyproject": expected}
