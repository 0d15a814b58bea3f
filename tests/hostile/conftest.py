"""Commands and servers as processes of their own, with a variable that names where a trace would be left."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import AdkPython

from .wire import Wire

HOSTILE = Path(__file__).parents[2] / "fixtures" / "hostile"
NEEDS_312 = frozenset({"aliases.py"})
"""Files in syntax that Python reads from 3.12 on; on an older one they are as good as broken."""
FILES = sorted(
    path.name for path in HOSTILE.glob("*.py") if sys.version_info >= (3, 12) or path.name not in NEEDS_312
)


@pytest.fixture(scope="session")
def hostile_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests: google-adk's bytecode is compiled into it once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hostile_cache: Path) -> Path:
    """The file that hostile code writes when it runs."""
    path = tmp_path / "trace-of-running"
    monkeypatch.setenv("ADK_TOOL_LENS_TRACE", str(path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(hostile_cache))
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    return path


Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def command(trace: Path, tmp_path: Path) -> Command:
    """Runs the command line in a process of its own; `prefix` is put before it."""

    def run(
        *arguments: object, cwd: Path = tmp_path, prefix: tuple[str, ...] = ()
    ) -> subprocess.CompletedProcess[str]:
        line = [*prefix, sys.executable, "-P", "-m", "adk_tool_lens", *map(str, arguments)]
        if sys.version_info < (3, 11):
            line.remove("-P")
        return subprocess.run(
            line, cwd=cwd, capture_output=True, text=True, check=False, env=dict(os.environ), timeout=300
        )

    return run


@pytest.fixture
def wire(trace: Path) -> Iterator[Callable[..., Wire]]:
    """Starts servers, and ends them with the test."""
    made: list[Wire] = []

    def start(**arguments: Any) -> Wire:
        made.append(Wire(**arguments))
        return made[-1]

    yield start
    for one in made:
        one.close()


@pytest.fixture
def python(adk_python: AdkPython) -> Path:
    """An interpreter with google-adk 2.9.0."""
    return adk_python("2.9.0")


@pytest.fixture
def server(wire: Callable[..., Wire], tmp_path: Path, python: Path) -> Wire:
    """A server that knows its folder."""
    made = wire()
    made.start(tmp_path, settings={"interpreter": str(python)})
    return made
