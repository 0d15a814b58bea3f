"""Whatever happens to a worker or an interpreter under a server: told once, tried again, the rest goes on."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from declaration.fakes import OBEDIENT, fake, starts_of

from .wire import Wire
from .workspace import AGENT

IMPATIENT = [sys.executable, str(Path(__file__).with_name("impatient.py"))]
SIGNALS = [signal.SIGSTOP]
"""What is done to a worker; all that ends it is alike for who reads its output."""
if os.environ.get("ADK_TOOL_LENS_TESTS") == "long":
    SIGNALS += [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM, signal.SIGINT, signal.SIGXCPU]
Start = Callable[[Path], Wire]


@pytest.fixture
def start(wire: Callable[..., Wire], tmp_path: Path) -> Start:
    """Starts a server with short waits, for an interpreter."""

    def server(interpreter: Path) -> Wire:
        made = wire(program=IMPATIENT, environment={"XDG_CACHE_HOME": str(tmp_path / "cache")})
        made.start(tmp_path, settings={"interpreter": str(interpreter)})
        return made

    return server


def opened(server: Wire, folder: Path, name: str, description: str = "Do.") -> str:
    """Opens a file with a tool of that description."""
    return server.open(folder / name, AGENT.replace("Do.", description))


def states(server: Wire) -> list[tuple[str, str | None]]:
    """The states that the client was told of, with the version."""
    told = [m["params"] for m in server.said if m.get("method") == "adkToolLens/status"]
    return [(params["state"], params["adkVersion"]) for params in told]


def wait_for_state(server: Wire, state: str, version: str | None) -> dict[str, Any]:
    """The parameters of the status with that state."""

    def is_it(message: dict[str, Any]) -> bool:
        params = message.get("params") or {}
        return params.get("state") == state and params.get("adkVersion") == version

    return server.until(f"{state} {version}", is_it)["params"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("how", SIGNALS)
def test_a_worker_is_replaced_and_its_question_is_answered(
    start: Start, tmp_path: Path, python: Path, how: signal.Signals
) -> None:
    server = start(python)
    uri = opened(server, tmp_path, "a.py", f"Do {how.name}.")
    server.hover_until(uri, 4, 4, f"Do {how.name}.")
    (before,) = server.workers()
    os.kill(before, how)
    other = opened(server, tmp_path, "b.py", f"Do it {how.name}.")
    asked = time.monotonic()
    assert "```json" in server.hover(uri, 4, 4)
    assert time.monotonic() - asked < 3
    server.hover_until(other, 4, 4, f'"Do it {how.name}."')
    assert before not in server.workers()
    assert states(server) == [("starting", None), ("ready", "2.9.0")]
    assert server.end() == 0


def test_an_interpreter_that_comes_later(start: Start, tmp_path: Path) -> None:
    server = start(tmp_path / "python")
    uri = opened(server, tmp_path, "a.py")
    assert "there is no Python interpreter" in wait_for_state(server, "no-adk", None)["message"]
    assert "there is no Python interpreter" in server.hover_until(uri, 4, 4, "there is no")
    fake(tmp_path, OBEDIENT, "python")
    wait_for_state(server, "ready", "2.9.0")
    server.hover_until(uri, 4, 4, "```json")
    assert states(server) == [("starting", None), ("no-adk", None), ("ready", "2.9.0")]
    assert server.end() == 0


def test_google_adk_is_upgraded_while_the_server_runs(start: Start, tmp_path: Path) -> None:
    (tmp_path / "v" / "bin").mkdir(parents=True)
    knows_itself = """
    found = next(Path(__file__).parents[1].rglob("google_adk-*.dist-info"))
    HELLO["hello"]["adk"] = found.name.removesuffix(".dist-info").partition("-")[2]
    """
    executable = fake(tmp_path / "v" / "bin", knows_itself + OBEDIENT.replace("\n", "\n    "), "python")
    (tmp_path / "v" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12.1\n")
    site = tmp_path / "v" / "lib" / "python3.12" / "site-packages"
    for package in ("google_adk-2.9.0", "google_genai-1", "pydantic-2"):
        (site / f"{package}.dist-info").mkdir(parents=True)
    server = start(executable)
    uri = opened(server, tmp_path, "a.py")
    assert "google-adk 2.9.0" in server.hover_until(uri, 4, 4, "```json")
    (site / "google_adk-2.9.0.dist-info").rename(site / "google_adk-2.13.0.dist-info")
    wait_for_state(server, "ready", "2.13.0")
    assert "google-adk 2.13.0" in server.hover_until(uri, 4, 4, "```json")
    assert states(server) == [("starting", None), ("ready", "2.9.0"), ("ready", "2.13.0")]
    assert server.end() == 0


def test_a_worker_that_always_dies_is_started_less_and_less(start: Start, tmp_path: Path) -> None:
    deadly = """
    starts()
    say(HELLO)
    for request in questions():
        sys.exit("the last words")
    """
    executable = fake(tmp_path, deadly)
    server = start(executable)
    uri = opened(server, tmp_path, "a.py")
    assert "the last words" in server.hover_until(uri, 4, 4, "the last words")
    began, before = time.monotonic(), starts_of(executable)
    while time.monotonic() - began < 3:
        assert "f" in server.hover(uri, 4, 4)
        time.sleep(0.1)
    assert starts_of(executable) - before <= 6
    assert states(server) == [("starting", None), ("ready", "2.9.0")]
    assert server.log.count("the last words") <= 8, server.log
    assert server.end() == 0


def test_an_interpreter_that_says_nothing_useful(start: Start, tmp_path: Path) -> None:
    executable = fake(tmp_path, "starts(); print('usage: fake FILE'); sys.exit(2)")
    server = start(executable)
    uri = opened(server, tmp_path, "a.py")
    assert "did not start as a Python interpreter" in wait_for_state(server, "no-adk", None)["message"]
    began = time.monotonic()
    while time.monotonic() - began < 3:
        assert "did not start as a Python" in server.hover_until(uri, 4, 4, "did not start")
        time.sleep(0.1)
    assert 2 <= starts_of(executable) <= 4
    assert states(server) == [("starting", None), ("no-adk", None)]
    assert server.end() == 0
