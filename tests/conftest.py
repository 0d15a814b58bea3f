"""What every test may use: interpreters with a google-adk of a wanted version."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ENVS_VARIABLE = "ADK_TOOL_LENS_TEST_ENVS"
"""Names a folder with environments called `adk-<version>`; without it they are made in `.cache/envs`."""

AdkPython = Callable[[str], Path]


@pytest.fixture(scope="session")
def adk_python() -> AdkPython:
    """`adk_python("2.9.0")` is an interpreter that has this google-adk installed."""
    prepared = os.environ.get(ENVS_VARIABLE)
    own = Path(__file__).parent.parent / ".cache" / "envs"

    def interpreter(version: str) -> Path:
        for folder in [Path(prepared)] if prepared else []:
            found = _python_of(folder / f"adk-{version}")
            if found.exists():
                return found
        made = _python_of(own / f"adk-{version}")
        with _alone(own / f"adk-{version}.lock"):
            if not (own / f"adk-{version}" / "complete").exists():
                _create(own / f"adk-{version}", f"google-adk=={version}")
        return made

    return interpreter


def _python_of(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _create(environment: Path, requirement: str) -> None:
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "-q", "--clear", "-p", sys.executable, str(environment)], check=True)
    python = str(_python_of(environment))
    subprocess.run([*uv, "pip", "install", "-q", "-p", python, requirement], check=True)
    (environment / "complete").touch()


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Several test processes may want the same environment; one of them makes it."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
