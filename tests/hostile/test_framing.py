"""Bytes that are no message, and requests that are taken back: the next message is answered all the same."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from adk_tool_lens.lsp.frames import Frames, parsed

from .wire import Wire

CANCELLED = -32800
QUESTION: dict[str, Any] = {
    "textDocument": {"uri": "file:///nowhere.py"},
    "position": {"line": 0, "character": 0},
}
BODIES = {
    "no JSON": b"hello",
    "half of a message": b'{"jsonrpc": "2.0", "method": "textDoc',
    "a number": b"12",
    "null": b"null",
    "an empty batch": b"[]",
    "a batch": b'[{"jsonrpc": "2.0", "method": "initialized", "params": {}}]',
    "no UTF-8": b'{"jsonrpc": "2.0", "method": "\xff\xfe"}',
    "another protocol": b'{"jsonrpc": "1.0", "id": 1, "method": "x"}',
    "no protocol": b'{"id": 1, "method": "textDocument/hover"}',
    "an answer to nothing": b'{"jsonrpc": "2.0", "id": "none", "result": {"a": 1}}',
    "an error to nothing": b'{"jsonrpc": "2.0", "id": 99, "error": {"code": 1, "message": "x"}}',
    "brackets 100,000 deep": b"[" * 100_000,
    "objects 50,000 deep": b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "a number of 5,000 digits": b'{"jsonrpc": "2.0", "id": ' + b"9" * 5000 + b', "method": "x"}',
    "nothing": b"",
}


def framed(body: bytes, header: bytes = b"Content-Length: %d\r\n\r\n") -> bytes:
    """A body with its header."""
    return header % len(body) + body


def test_what_is_no_message_costs_only_itself(server: Wire) -> None:
    for name, body in BODIES.items():
        server.raw(framed(body))
        assert "id" in server.ask("textDocument/hover", QUESTION), name
    assert server.end() == 0


def test_headers_may_have_more_fields_and_messages_come_in_pieces(server: Wire) -> None:
    question = {"jsonrpc": "2.0", "id": "mine", "method": "textDocument/hover", "params": QUESTION}
    body = json.dumps(question).encode()
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    for header in (kind + b"Content-Length: %d\r\n\r\n", b"Content-Length: %d\r\n" + kind + b"\r\n"):
        server.raw(framed(body, header))
        server.until("an answer", lambda m: m.get("id") == "mine")
    for byte in framed(body):
        server.raw(bytes([byte]))
    server.until("an answer to what came byte by byte", lambda m: m.get("id") == "mine")


def test_requests_can_be_taken_back_at_any_time(server: Wire, tmp_path: Path) -> None:
    for number in ("unknown", 10**6, None, {"a": 1}):
        server.notify("$/cancelRequest", {"id": number})
    server.notify("$/cancelRequest", None)
    uri = server.open(tmp_path / "a.py", "from google.adk.agents import Agent\n")
    preview = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    for number in range(500, 520):
        server.send({"jsonrpc": "2.0", "id": number, "method": "adkToolLens/preview", "params": preview})
        server.notify("$/cancelRequest", {"id": number})
    for number in range(500, 520):
        answer = server.until("an answer", partial(_answers, number))
        assert "result" in answer or answer["error"]["code"] == CANCELLED
    assert "id" in server.ask("textDocument/hover", QUESTION)


def _answers(number: int, message: dict[str, Any]) -> bool:
    return message.get("id") == number


def test_an_editor_that_goes_without_a_word_takes_the_server_along(server: Wire) -> None:
    assert server.process.stdin is not None
    server.process.stdin.close()
    assert server.process.wait(60) == 0


def test_a_file_can_be_the_standard_input(tmp_path: Path) -> None:
    capabilities: dict[str, Any] = {"capabilities": {}, "processId": None, "rootUri": None}
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": capabilities},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown", "params": None},
        {"method": "exit", "params": None},
    ]
    session = tmp_path / "session"
    session.write_bytes(b"".join(framed(json.dumps({"jsonrpc": "2.0", **m}).encode()) for m in messages))
    command = [sys.executable, "-m", "adk_tool_lens", "server", "--stdio"]
    with session.open("rb") as stdin:
        done = subprocess.run(command, stdin=stdin, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    answers = {message.get("id"): message for message in parsed(Frames().take(done.stdout))}
    assert answers[1]["result"]["serverInfo"]["name"] == "adk-tool-lens"
    assert "result" in answers[2]


def test_an_exit_without_a_shutdown_is_a_failure(server: Wire) -> None:
    server.notify("exit")
    assert server.process.wait(60) == 1
