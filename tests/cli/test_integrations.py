"""The pre-commit hooks and the GitHub Action call the command line as it is."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from adk_tool_lens.cli.options import parser

TOP = Path(__file__).parents[2]
HOOKS: list[dict[str, Any]] = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text("utf-8"))
ACTION: dict[str, Any] = yaml.safe_load(
    (TOP / ".github" / "actions" / "adk-tool-lens" / "action.yml").read_text("utf-8")
)


@pytest.mark.parametrize("hook", HOOKS, ids=[hook["id"] for hook in HOOKS])
def test_hooks_have_what_pre_commit_needs(hook: dict[str, Any]) -> None:
    assert {"id", "name", "entry", "language", "types"} <= set(hook)
    name, *arguments = shlex.split(hook["entry"])
    assert name == "adk-tool-lens"
    parsed = parser().parse_args([*arguments, "agent.py"])
    assert parsed.paths == ["agent.py"]


def test_the_action_reads_every_input_and_no_other() -> None:
    text = (TOP / ".github" / "actions" / "adk-tool-lens" / "action.yml").read_text("utf-8")
    for name in ACTION["inputs"]:
        assert f"${{{{ inputs.{name} }}}}" in text
    assert text.count("inputs.") == len(ACTION["inputs"])
    assert all(step["shell"] == "bash" for step in ACTION["runs"]["steps"])
    assert not any("${{" in step["run"] for step in ACTION["runs"]["steps"])


def test_the_action_runs(project: Path, cache: Path, tmp_path: Path, adk_python: Any) -> None:
    """The step of the action that checks, with its inputs as GitHub passes them on."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    command = bin_folder / "adk-tool-lens"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m adk_tool_lens "$@"\n', "utf-8")
    command.chmod(0o755)
    values = {name: spec["default"] for name, spec in ACTION["inputs"].items()}
    values |= {"paths": "shop", "python": str(adk_python("2.9.0")), "arguments": "--statistics --exit-zero"}
    step = ACTION["runs"]["steps"][1]
    given = {
        name: values[expression.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, expression in step["env"].items()
    }
    path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | given | {"PATH": path, "XDG_CACHE_HOME": str(cache)}
    ran = subprocess.run(
        ["bash", "-c", step["run"]], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "field-description-lost" in ran.stdout
