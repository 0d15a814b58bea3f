"""What a person feels of the server, over real pipes, side by side with `ruff server`.

    .venv/bin/python tests/bench/bench_server.py [--lines 100 1000 10000] [--edits 60] [--python P]

One client drives one server after the other on the same generated file of tools, so the figures of one
run can be compared with each other; compare ratios, never milliseconds of different machines. Printed
in milliseconds:

    start      process start to the answer of `initialize`
    open       `didOpen` to the first diagnostics
    edit       one character into or out of a docstring in the middle, to that version's diagnostics
    hover      on the names of tools (p95)
    actions    code actions at the places of diagnostics (p95)
    burst      200 edits without waiting, from the first edit to the diagnostics of the last one
    last       the same, from the last edit
    versions   how many of these versions were published
    finding    an edit that makes a finding or mends it, to the diagnostics that say so
    in burst   the same, from the last edit of a burst that ends with such an edit
    MiB        resident memory of the server and its worker

and, as yardsticks, `ast.parse` of the same text and the import of pygls.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Message = dict[str, Any]
REGISTERED = 45
"""Tools of the one agent, however many the file has."""
TOOL = '''
def tool_{n}(sku: str, count: int = {n}, kind: Literal["a", "b"] = "a", ctx: ToolContext = None) -> dict:
    """Does thing number {n} for an article.

    Args:
        sku: The article number.
        count: How many.
    """
    if count > 3:
        return {{"status": "error", "sku": sku}}
    return {{"status": "ok", "sku": sku}}

'''
HEAD = """from typing import Literal

from google.adk.agents import Agent
from google.adk.tools import ToolContext

"""


def generated(lines: int) -> str:
    """A file of about so many lines of tools, of which at most `REGISTERED` are an agent's."""
    count = max(1, lines // 13)
    names = [f"tool_{n}" for n in range(count)]
    used = ", ".join(names[:REGISTERED])
    agent = f'\nroot_agent = Agent(name="a", model="gemini-2.5-flash", instruction="x", tools=[{used}])\n'
    return HEAD + "".join(TOOL.format(n=n) for n in range(count)) + agent


class Client:
    """A minimal language client."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder
        )
        self.inbox: queue.Queue[tuple[float, Message] | None] = queue.Queue()
        self.number = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        stream = self.process.stdout
        while header := stream.readline():
            if header.lower().startswith(b"content-length"):
                length = int(header.split(b":")[1])
                while stream.readline().strip():
                    pass
                self.inbox.put((time.perf_counter(), json.loads(stream.read(length))))
        self.inbox.put(None)

    def send(self, message: Message) -> None:
        """Writes one message."""
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def until(self, wanted: Callable[[Message], bool], seconds: float = 120) -> tuple[float, Message]:
        """Waits for a message; answers what the server asks meanwhile."""
        end = time.perf_counter() + seconds
        while True:
            item = self.inbox.get(timeout=max(0.01, end - time.perf_counter()))
            if item is None:
                raise EOFError("the server ended")
            at, message = item
            if "id" in message and "method" in message:
                items = (message.get("params") or {}).get("items")
                self.send({"id": message["id"], "result": None if items is None else [{} for _ in items]})
            elif wanted(message):
                return at, message

    def request(self, method: str, params: Any) -> tuple[float, Message]:
        """Milliseconds until the answer, and the answer."""
        self.number += 1
        number, start = self.number, time.perf_counter()
        self.send({"id": number, "method": method, "params": params})
        at, message = self.until(lambda m: m.get("id") == number and "method" not in m)
        return (at - start) * 1e3, message

    def memory(self) -> float:
        """MiB of the process and its children; not a number where the system does not tell."""
        try:
            return sum(_resident(pid) for pid in _family(self.process.pid)) / 1024
        except OSError:
            return float("nan")

    def close(self) -> None:
        """Ends the server as the protocol asks for."""
        self.request("shutdown", None)
        self.send({"method": "exit"})
        self.process.wait(10)


def _family(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from _family(int(child))


def _resident(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def percentile(values: list[float], part: float) -> float:
    """The value below which a part of the values lies."""
    ordered = sorted(values)
    return ordered[round(part * (len(ordered) - 1))] if ordered else float("nan")


def measured(command: list[str], text: str, edits: int, options: Message, settle: float) -> dict[str, float]:
    """The figures of one server on one text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tools.py").write_text(text, "utf-8")
        start = time.perf_counter()
        client = Client(command, folder)
        _, _ = client.request("initialize", initialize(folder, options))
        row = {"start": (time.perf_counter() - start) * 1e3}
        client.send({"method": "initialized", "params": {}})
        row |= _driven(client, (folder / "tools.py").as_uri(), text, edits, settle)
        row["MiB"] = client.memory()
        client.close()
        return row


def initialize(folder: Path, options: Message) -> Message:
    """The parameters of `initialize`."""
    return {
        "processId": os.getpid(),
        "rootUri": folder.as_uri(),
        "workspaceFolders": [{"uri": folder.as_uri(), "name": "w"}],
        "initializationOptions": options,
        "capabilities": {
            "textDocument": {
                "publishDiagnostics": {"versionSupport": True},
                "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}},
            }
        },
    }


def _driven(client: Client, uri: str, text: str, edits: int, settle: float) -> dict[str, float]:
    published: list[Message] = []

    def of(version: int | None) -> Callable[[Message], bool]:
        def check(message: Message) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            params = message["params"]
            published.append(params)
            return params["uri"] == uri and (version is None or params.get("version") in (None, version))

        return check

    start = time.perf_counter()
    item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    row = {"open": (client.until(of(None))[0] - start) * 1e3}
    time.sleep(settle)
    at = _edit_point(text)
    waits: list[float] = []
    for number in range(edits):
        start = time.perf_counter()
        _edit(client, uri, number + 2, at, number % 2)
        waits.append((client.until(of(number + 2))[0] - start) * 1e3)
    row |= {"edit p50": percentile(waits, 0.5), "edit p95": percentile(waits, 0.95)}
    time.sleep(settle)
    row["hover p95"] = percentile([_hover(client, uri, name) for name in _names(text)[:60]], 0.95)
    row["actions p95"] = percentile(
        [_actions(client, uri, d) for d in published[-1]["diagnostics"][:40]], 0.95
    )
    published.clear()
    row |= _burst(client, uri, at, of(1199))
    row["versions"] = float(len(published))
    return row | _findings(client, uri, text)


def _burst(
    client: Client, uri: str, at: tuple[int, int], done: Callable[[Message], bool]
) -> dict[str, float]:
    start = last = time.perf_counter()
    for number in range(200):
        last = time.perf_counter()
        _edit(client, uri, 1000 + number, at, number % 2)
    told = client.until(done)[0]
    return {"burst": (told - start) * 1e3, "last": (told - last) * 1e3}


def _findings(client: Client, uri: str, text: str) -> dict[str, float]:
    """Until an annotation is said to be wrong, or no longer said to be: both servers know no `intx`."""
    alone: list[float] = []
    in_burst: list[float] = []
    tools = _names(text)[:REGISTERED]
    line = tools[len(tools) // 2][0]
    spot = (line, text.splitlines()[line].index("int") + len("int"))
    for number in range(20):
        time.sleep(0.3)
        burst = number % 4 > 1
        for more in range(200 * burst):
            _edit(client, uri, 2000 + 300 * number + more, (line + 1, 7), more % 2)
        version = 2299 + 300 * number
        start = time.perf_counter()
        _edit(client, uri, version, spot, number % 2)
        at = client.until(_says("intx", version, present=not number % 2))[0]
        (in_burst if burst else alone).append((at - start) * 1e3)
    return {"finding": percentile(alone, 0.5), "in burst": percentile(in_burst, 0.5)}


def _says(part: str, version: int, *, present: bool) -> Callable[[Message], bool]:
    def check(message: Message) -> bool:
        if message.get("method") != "textDocument/publishDiagnostics":
            return False
        params = message["params"]
        said = any(part in diagnostic["message"] for diagnostic in params["diagnostics"])
        return params.get("version") == version and said == present

    return check


def _edit(client: Client, uri: str, version: int, at: tuple[int, int], removed: int) -> None:
    line, column = at
    where = {
        "start": {"line": line, "character": column},
        "end": {"line": line, "character": column + removed},
    }
    change = {"range": where, "text": "" if removed else "x"}
    document = {"uri": uri, "version": version}
    params = {"textDocument": document, "contentChanges": [change]}
    client.send({"method": "textDocument/didChange", "params": params})


def _hover(client: Client, uri: str, at: tuple[int, int]) -> float:
    position = {"line": at[0], "character": at[1]}
    return client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})[0]


def _actions(client: Client, uri: str, diagnostic: Message) -> float:
    context = {"diagnostics": [diagnostic]}
    params = {"textDocument": {"uri": uri}, "range": diagnostic["range"], "context": context}
    return client.request("textDocument/codeAction", params)[0]


def _names(text: str) -> list[tuple[int, int]]:
    return [(n, 6) for n, line in enumerate(text.splitlines()) if line.startswith("def ")]


def _edit_point(text: str) -> tuple[int, int]:
    spots = [n for n, line in enumerate(text.splitlines()) if line.startswith('    """Does')]
    return spots[len(spots) // 2], 7


def yardsticks(text: str) -> dict[str, float]:
    """What cannot be undercut by a server that reads the whole file, or starts pygls."""
    times = []
    for _ in range(7):
        start = time.perf_counter()
        ast.parse(text)
        times.append((time.perf_counter() - start) * 1e3)
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import pygls.lsp.server"], check=True)
    return {"ast.parse": statistics.median(times), "import pygls": (time.perf_counter() - start) * 1e3}


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, nargs="+", default=[100, 1000, 10_000])
    parser.add_argument("--edits", type=int, default=60)
    parser.add_argument("--settle", type=float, default=6.0, help="seconds for background work, before edits")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has google-adk")
    given = parser.parse_args()
    servers = {
        "adk-tool-lens": [sys.executable, "-m", "adk_tool_lens", "server", "--stdio"],
        "ruff": [sys.executable, "-m", "ruff", "server"],
    }
    for lines in given.lines:
        text = generated(lines)
        sticks = ", ".join(f"{name} {value:.1f}" for name, value in yardsticks(text).items())
        print(f"\n{text.count(chr(10))} lines ({sticks} ms)")
        for name, command in servers.items():
            options = {"settings": {"interpreter": given.python}} if name == "adk-tool-lens" else {}
            row = measured(command, text, given.edits, options, given.settle)
            print(f"{name:14}" + "  ".join(f"{key} {value:.1f}" for key, value in row.items()))


if __name__ == "__main__":
    main()
