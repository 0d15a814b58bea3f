"""Neovim as a client: its own LSP client talks to the real server, without a screen."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .editors import environment, program, shop

SCRIPT = Path(__file__).with_name("nvim.lua")


def test_diagnostics_hover_and_code_action(tmp_path: Path, adk_python: Callable[[str], Path]) -> None:
    nvim = program("nvim", "neovim")
    file = shop(tmp_path)
    answer = tmp_path / "answer.json"
    given = {
        "file": str(file),
        "root": str(tmp_path),
        "answer": str(answer),
        "interpreter": str(adk_python("2.9.0")),
        "command": [sys.executable, "-m", "adk_tool_lens", "server", "--stdio"],
    }
    ran = subprocess.run(
        [nvim, "--headless", "--clean", "-n", "-c", f"luafile {SCRIPT}"],
        env=environment(tmp_path) | {"LENS_TEST": json.dumps(given)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert answer.exists(), ran.stderr
    told = json.loads(answer.read_text("utf-8"))
    assert told["errors"] == [], told
    assert [each["code"] for each in told["diagnostics"]] == ["field-description-lost"]
    assert told["diagnostics"][0]["source"] == "adk-tool-lens"
    assert "find_order" in told["hover"]["contents"]["value"]
    assert "parameters_json_schema" in told["hover"]["contents"]["value"]
    assert told["actions"][0].startswith("Move description of 'order_id'")
    assert "order_id: Six digits." in told["text"]
    assert told["left"] == []
