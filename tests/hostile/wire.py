"""A client that speaks bytes: it sends what no library would, and sees every byte of the output."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

PATIENCE = 60.0


class Wire:
    """A server process on a folder. Whatever is no message on its output fails the test."""

    def __init__(
        self,
        environment: dict[str, str] | None = None,
        prefix: tuple[str, ...] = (),
        *,
        program: Sequence[str] = (sys.executable, "-m", "adk_tool_lens"),
        cwd: Path | None = None,
    ) -> None:
        self.said: list[dict[str, Any]] = []
        self.garbage: list[bytes] = []
        self._numbers = itertools.count(1)
        self._inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._log: list[bytes] = []
        self.process = subprocess.Popen(
            [*prefix, *program, "server", "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | (environment or {}),
            cwd=cwd,
        )
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._read, self._drain)]
        for thread in self._threads:
            thread.start()

    def _drain(self) -> None:
        assert self.process.stderr is not None
        self._log.extend(self.process.stderr)

    @property
    def log(self) -> str:
        """The standard error so far."""
        return b"".join(self._log).decode("utf-8", "replace")

    def _read(self) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        while line := stdout.readline():
            if not line.lower().startswith(b"content-length:"):
                self.garbage.append(line)
                continue
            while stdout.readline() not in (b"\r\n", b""):
                pass
            self._inbox.put(json.loads(stdout.read(int(line.split(b":")[1]))))
        self._inbox.put(None)

    def raw(self, data: bytes) -> None:
        """Sends bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        """Sends a value as one message."""
        body = json.dumps(message).encode("utf-8", "surrogatepass")
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """Sends a request and waits for its answer, the whole message."""
        number = next(self._numbers)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        return self.until(f"an answer to {method}", lambda m: m.get("id") == number and "method" not in m)

    def messages(self, seconds: float) -> Iterator[dict[str, Any]]:
        """What the server says next, answering what it asks; ends with the time or the server."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                message = self._inbox.get(timeout=left)
            except queue.Empty:
                return
            if message is None:
                return
            self.said.append(message)
            if "method" in message and "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
            yield message

    def until(self, what: str, check: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The next message that is as wanted."""
        for message in self.messages(PATIENCE):
            if check(message):
                return message
        raise AssertionError(f"waited {PATIENCE:.0f} s in vain for {what}; the log:\n{self.log[-3000:]}")

    def start(self, folder: Path, **options: Any) -> dict[str, Any]:
        """Initializes for a folder."""
        general = options.pop("general", {})
        params = {
            "processId": None,
            "rootUri": folder.as_uri(),
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
            "capabilities": {"general": general},
            "initializationOptions": options,
        }
        answer = self.ask("initialize", params)
        self.notify("initialized", {})
        return answer

    def open(self, path: Path, text: str, version: int = 1) -> str:
        """Opens a document and gives its URI."""
        uri = path.as_uri()
        item = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def published(self, uri: str) -> dict[str, Any]:
        """The next diagnostics of a document."""
        return self.until(f"diagnostics of {uri}", lambda m: _is_about(m, uri))["params"]  # type: ignore[no-any-return]

    def hover(self, uri: str, line: int, character: int) -> str:
        """The Markdown of a hover; an error of the server fails the test."""
        position = {"line": line, "character": character}
        answer = self.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})
        assert "error" not in answer, answer
        return answer["result"]["contents"]["value"] if answer["result"] else ""

    def hover_until(self, uri: str, line: int, character: int, part: str) -> str:
        """A hover that has a text in it."""
        end = time.monotonic() + PATIENCE
        card = ""
        while time.monotonic() < end:
            card = self.hover(uri, line, character)
            if part in card:
                return card
            time.sleep(0.1)
        raise AssertionError(f"no {part!r} in {card!r}; the log:\n{self.log[-3000:]}")

    def workers(self) -> list[int]:
        """The processes of the declaration workers that the server has started."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                except OSError:
                    continue
                if parent == self.process.pid and any(word.endswith(b"worker.py") for word in words):
                    found.append(int(entry.name))
        return found

    def end(self) -> int:
        """Ends the session as the protocol asks for; the exit status."""
        if self.process.poll() is None:
            self.ask("shutdown")
            self.notify("exit")
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        """Ends the process, however it is, and looks at what it wrote."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        assert self.garbage == [], "something else than the protocol on standard output"


def _is_about(message: dict[str, Any], uri: str) -> bool:
    return message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri
