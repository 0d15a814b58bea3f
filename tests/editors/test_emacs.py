"""Emacs as a client: eglot talks to the real server, without a screen."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .editors import environment, program, shop

SCRIPT = Path(__file__).with_name("eglot.el")


def test_diagnostics_hover_and_code_action(tmp_path: Path, adk_python: Callable[[str], Path]) -> None:
    emacs = program("emacs", "emacs-nox", "elpa-eglot")
    file = shop(tmp_path)
    (tmp_path / ".venv").symlink_to(adk_python("2.9.0").parent.parent)
    answer = tmp_path / "answer.json"
    given = {
        "file": str(file),
        "answer": str(answer),
        "command": [sys.executable, "-m", "adk_tool_lens", "server", "--stdio"],
    }
    ran = subprocess.run(
        [emacs, "--batch", "-l", str(SCRIPT)],
        env=environment(tmp_path) | {"LENS_TEST": json.dumps(given)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert answer.exists(), ran.stderr
    told = json.loads(answer.read_text("utf-8"))
    assert "errors" not in told, (told, ran.stderr)
    assert len(told["diagnostics"]) == 1
    assert "order_id" in told["diagnostics"][0]
    assert "parameters_json_schema" in told["hover"]
    assert told["actions"][0].startswith("Move description of 'order_id'")
    assert "order_id: Six digits." in told["text"]
