"""The house rules: types, style and the direction of imports hold for all of the code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COMMANDS = {
    "ruff check": ["ruff", "check", "server", "tests"],
    "ruff format": ["ruff", "format", "--check", "server", "tests"],
    "mypy": ["mypy"],
    "import contracts": ["importlinter.cli"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_code_keeps(name: str) -> None:
    module, *arguments = COMMANDS[name]
    command = [sys.executable, "-m", module, *arguments]
    if module == "importlinter.cli":
        command = [str(Path(sys.executable).parent / "lint-imports")]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "server")}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr


def test_rules_stay_small() -> None:
    rules = (ROOT / "server" / "adk_tool_lens" / "rules").glob("*.py")
    long = {path.name: len(path.read_text("utf-8").splitlines()) for path in rules}
    assert {name: lines for name, lines in long.items() if lines > 400} == {}
