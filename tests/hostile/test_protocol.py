"""Odd requests, edits at every boundary, workers that die under the server: everything else goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .wire import Wire

TEXT = '''from google.adk.agents import Agent

NAME = "😀 ż"


def f(x: str) -> dict:
    """Do."""
    return {}


root_agent = Agent(name="a", model="gemini-2.5-flash", instruction="x", tools=[f])
'''
METHOD_NOT_FOUND = -32601
INVALID_REQUEST = -32600
NOT_INITIALIZED = -32002
ODD: list[tuple[str, Any]] = [
    ("no/such/method", {}),
    ("textDocument/hover", None),
    ("textDocument/hover", []),
    ("textDocument/hover", {"textDocument": 1, "position": "x"}),
    ("textDocument/hover", {"textDocument": {"uri": "file:///a.py"}}),
    ("textDocument/codeAction", {"textDocument": {"uri": "x"}}),
    ("codeAction/resolve", {"title": 1, "data": {"no": "such"}}),
    ("codeAction/resolve", {"title": "x", "data": "x"}),
    ("adkToolLens/preview", None),
    ("adkToolLens/preview", {"uri": 1}),
    ("adkToolLens/preview", {"textDocument": {"uri": "file:///nowhere.py"}, "position": -1}),
    ("adkToolLens/agentTools", []),
]


def test_odd_requests_are_answered_and_the_server_lives_on(server: Wire, tmp_path: Path) -> None:
    for method, params in ODD:
        answer = server.ask(method, params)
        assert "error" in answer or "result" in answer, (method, params)
    assert server.ask("no/such/method", {})["error"]["code"] == METHOD_NOT_FOUND
    server.notify("no/such/notification", {})
    server.notify("textDocument/didOpen", {"textDocument": {"uri": 1}})
    server.notify("textDocument/didChange", {"textDocument": {"uri": "file:///x.py"}, "contentChanges": [1]})
    server.notify("workspace/didChangeConfiguration", {"settings": [1, {"a": None}]})
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": "nothing", "type": 2}]})
    uri = server.open(tmp_path / "a.py", TEXT)
    assert server.hover_until(uri, 5, 4, "f")
    assert server.end() == 0


def test_requests_before_initialize_and_after_shutdown(
    wire: Callable[..., Wire], tmp_path: Path, python: Path
) -> None:
    server = wire()
    where = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
    assert server.ask("textDocument/hover", where)["error"]["code"] == NOT_INITIALIZED
    server.start(tmp_path, settings={"interpreter": str(python)})
    assert server.ask("shutdown")["result"] is None
    assert server.ask("textDocument/hover", where)["error"]["code"] == INVALID_REQUEST
    server.notify("exit")
    assert server.process.wait(60) == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_edits_at_every_boundary(
    wire: Callable[..., Wire], tmp_path: Path, python: Path, encoding: str
) -> None:
    server = wire()
    general = {"positionEncodings": [encoding]}
    answer = server.start(tmp_path, general=general, settings={"interpreter": str(python)})
    assert answer["result"]["capabilities"]["positionEncoding"] == encoding
    text = "a = '😀'\r\nb = 1\r\n" + TEXT
    uri = server.open(tmp_path / "a.py", text)
    numbers = [0, 1, 4, 5, 6, 7, 8, 9, 10, 99, 2**31 - 1]
    version = 1
    for line in (0, 1, 2, 20, 2**31 - 1):
        for number in numbers:
            version += 1
            start = {"line": line, "character": number}
            end = {"line": line, "character": min(number + 1, 2**31 - 1)}
            changes = [{"range": {"start": start, "end": end}, "text": "x😀\r"}]
            identifier = {"uri": uri, "version": version}
            server.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": changes})
    whole = [{"text": text}]
    identifier = {"uri": uri, "version": version + 1}
    server.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": whole})
    assert server.hover_until(uri, 7, 4, "f")
    assert "Traceback" not in server.log


@pytest.mark.parametrize("how", [signal.SIGKILL])
def test_a_worker_that_is_killed_is_replaced(server: Wire, tmp_path: Path, how: signal.Signals) -> None:
    uri = server.open(tmp_path / "a.py", TEXT)
    server.hover_until(uri, 5, 4, "```json")
    (worker,) = server.workers()
    os.kill(worker, how)
    other = server.open(tmp_path / "b.py", TEXT.replace("Do.", f"Do it {os.getpid()} {how}."))
    assert "```json" in server.hover(uri, 5, 4)
    server.hover_until(other, 5, 4, f"Do it {os.getpid()} {how}.")
    assert server.end() == 0
