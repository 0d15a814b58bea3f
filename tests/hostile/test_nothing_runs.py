"""No line of the user's code runs, wherever it stands; what is shown is right or says that it may not be."""

from __future__ import annotations

import ast
import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from conftest import AdkPython

from .conftest import FILES, HOSTILE, Command
from .wire import Wire

RUNNER = Path(__file__).parent / "running.py"


@dataclass(frozen=True)
class Real:
    """What came of a hostile file that was run: what it left, and the declarations of its tools."""

    trace: str
    told: list[Any]


@pytest.fixture(scope="session")
def real(adk_python: AdkPython, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Real]:
    """Imports a hostile file with google-adk, once."""
    folder = tmp_path_factory.mktemp("real")

    @cache
    def run(name: str) -> Real:
        line = [str(adk_python("2.9.0")), "-B", str(RUNNER), str(HOSTILE), name.removesuffix(".py")]
        trace = folder / name
        trace.touch()
        environment = os.environ | {"ADK_TOOL_LENS_TRACE": str(trace)}
        done = subprocess.run(line, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        return Real(trace.read_text("utf-8"), json.loads(done.stdout))

    return run


def labels(text: str) -> set[str]:
    """What `trace("label")` of a hostile file would write, in code and in texts that are read as code."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Name(id="trace"), args=[ast.Constant(value=str(label)), *_]):
                found.add(label)
            case ast.Constant(value=str(inner)) if inner.startswith("trace("):
                found |= labels(inner)
    return found


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_hostile(name: str, real: Callable[[str], Real]) -> None:
    ran = real(name)
    escaping = {"built-in", "class", "function", "forward", "model"}
    wanted = escaping if name == "escapes.py" else labels((HOSTILE / name).read_text("utf-8"))
    assert {label for label in wanted if label not in ran.trace} == set()
    assert ran.told


def rows(command: Command, python: Path, *paths: object) -> list[dict[str, Any]]:
    """What `show` prints about files."""
    shown = command("show", *paths, "--python", python, "--output-format", "json")
    assert shown.returncode == 0, shown.stderr
    found: list[dict[str, Any]] = json.loads(shown.stdout)
    return found


def test_the_command_line_runs_nothing_and_is_right(
    command: Command, python: Path, trace: Path, real: Callable[[str], Real]
) -> None:
    paths = [HOSTILE / name for name in FILES]
    found = rows(command, python, *paths)
    checked = command("check", *paths, "--python", python, "--output-format", "json")
    assert checked.returncode == 1, checked.stderr
    assert {Path(row["path"]).name for row in found} == set(FILES)
    assert len(found) > 60
    assert not trace.exists(), trace.read_text("utf-8")
    assert not list(HOSTILE.rglob("TRACE"))

    assert [row for row in found if row["error"] and row["error"]["type"] == "StubRejectedError"] == []
    for row in found:
        if not row["approximate"]:
            told = {"error": row["error"]["type"]} if row["error"] else row["declaration"]
            assert told in real(Path(row["path"]).name).told, row


@pytest.mark.parametrize("trusted", [True, False])
def test_the_server_runs_nothing(
    wire: Callable[..., Wire], python: Path, trace: Path, tmp_path: Path, *, trusted: bool
) -> None:
    for name in FILES:
        (tmp_path / name).write_bytes((HOSTILE / name).read_bytes())
    server = wire()
    server.start(tmp_path, settings={"interpreter": str(python)}, trusted=trusted)
    for name in FILES:
        uri = server.open(tmp_path / name, (HOSTILE / name).read_text("utf-8"))
        server.published(uri)
        lines = (HOSTILE / name).read_text("utf-8").splitlines()
        for number, line in enumerate(lines):
            if line.startswith("def "):
                server.hover(uri, number, 6)
    text = (HOSTILE / "names.py").read_text("utf-8")
    number = next(number for number, line in enumerate(text.splitlines()) if "def lens_types" in line)
    server.hover_until((tmp_path / "names.py").as_uri(), number, 6, "lens_types")
    assert server.end() == 0
    assert not trace.exists(), trace.read_text("utf-8")
