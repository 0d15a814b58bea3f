"""How long the index of a large workspace takes, against reading its files.

    PYTHONPATH=tests .venv/bin/python -m bench.bench_index [--files 10 1000 10000] [--python P]

Prints the time of reading all files and parsing those that name google.adk, that of a first index, of a
restart with a warm cache and of taking over a change, and the memory of a server in that workspace. Not run
by the tests, as times depend on the machine.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.ide.index import Index
from adk_tool_lens.ide.index_cache import IndexCache
from adk_tool_lens.ide.workspace import Workspace
from bench.bench_server import Client, initialize

FILES, AGENTS = 10_000, 200
SETTLED = 30
"""Seconds for which memory is watched at least; it is taken when it no longer changes."""

TOOLS = '''"""Tools of service {n}."""

from __future__ import annotations


def find_{n}(order: str, limit: int = 10) -> dict:
    """Finds an order.

    Args:
        order: The number of the order.
        limit: How many rows at most.
    """
    return {{"status": "success", "rows": []}}


def send_{n}(to: str, text: str) -> dict:
    """Sends a message.

    Args:
        to: Whom to send it to.
        text: What to send.
    """
    return {{"status": "success"}}
'''
AGENT = '''"""Agent of service {n}."""

from google.adk.agents import Agent

from .tools import find_{n}, send_{n}

INSTRUCTION = """You help with orders of service {n}. Ask for the number first."""


def helper(value: int) -> int:
    return value + {n}


TOOLS = [find_{n}, send_{n}]
root_agent = Agent(name="service_{n}", model="gemini-2.5-flash", instruction=INSTRUCTION, tools=TOOLS)
'''
OTHER = '''"""Module {n} of package {package}."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass

from .m{before} import Row{before}, load_{before}

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Row{n}:
    """One row of table {n}."""

    key: str
    amount: float = 0.0
    {word}: str = ""


def load_{n}(text: str) -> list[Row{n}]:
    """Reads rows from JSON."""
    rows = [Row{n}(**row) for row in json.loads(text)]
    log.debug("read %s rows", len(rows))
    others = [Row{n}(each.key) for each in load_{before}(text)]
    return [row for row in rows if row.amount >= {n} % 7] or others


def total_{n}(rows: list[Row{n} | Row{before}]) -> float:
    """Adds amounts up."""
    return sum(row.amount for row in rows) * {n}
'''


def generate(root: Path, files: int = FILES, agents: int = AGENTS) -> None:
    """Effect: writes a workspace; one file in ten speaks of tools or agents without having to do with ADK."""
    chance = random.Random(1)
    for n in range(agents):
        folder = root / f"services/s{n}"
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text("", encoding="utf-8")
        (folder / "tools.py").write_text(TOOLS.format(n=n), encoding="utf-8")
        (folder / "agent.py").write_text(AGENT.format(n=n), encoding="utf-8")
    for n in range(files - 3 * agents):
        folder = root / f"lib/p{n // 100}"
        folder.mkdir(parents=True, exist_ok=True)
        word = chance.choice(["agent", *["note"] * 9])
        before = n - 1 if n % 100 else n + 1
        text = OTHER.format(n=n, package=n // 100, word=word, before=before)
        (folder / f"m{n}.py").write_text(text, encoding="utf-8")
    (root / ".gitignore").write_text("*.log\nbuild/\n.venv/\n*.py[cod]\n__pycache__/\n", encoding="utf-8")


def reading(root: Path) -> None:
    """What the index is measured against."""
    for folder, _, names in os.walk(root):
        for name in names:
            if name.endswith(".py"):
                text = Path(folder, name).read_text(encoding="utf-8")
                if "google.adk" in text:
                    ast.parse(text)


def timed(what: str, work: Callable[[], object], repeats: int = 1) -> float:
    """The shortest time of some runs, in seconds of this process's processor."""
    best = min(_run(work) for _ in range(repeats))
    sys.stdout.write(f"{what:42} {best * 1000:8.0f} ms\n")
    return best


def _run(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def memory(root: Path, python: str) -> float:
    """MiB of a server and its worker that have one file of a workspace open, and its index."""
    client = Client([sys.executable, "-m", "adk_tool_lens", "server", "--stdio"], root)
    client.request("initialize", initialize(root, {"settings": {"interpreter": python}}))
    client.send({"method": "initialized", "params": {}})
    path = root / "services/s0/tools.py"
    item = {"uri": path.as_uri(), "languageId": "python", "version": 1, "text": path.read_text("utf-8")}
    client.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
    used = [0.0]
    while used[-1] != used[len(used) // 2] or len(used) < SETTLED:
        time.sleep(1)
        used.append(client.memory())
    client.close()
    return used[-1]


def measure(files: int, python: str) -> None:
    """Prints the figures of a workspace of so many files."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "workspace"
        generate(root, files, max(1, files // 50))
        cache = IndexCache(Path(name) / "cache", (root,), "")
        os.environ["XDG_CACHE_HOME"] = str(Path(name) / "server")

        def index(*, cold: bool) -> Index:
            if cold:
                cache.path.unlink(missing_ok=True)
            workspace = Workspace((root,))
            made = Index((root,), cache=cache)
            made.build(workspace, workspace.world())
            return made

        sys.stdout.write(f"\n{files} files\n")
        plain = timed("reading, and parsing what names google.adk", lambda: reading(root), 3)
        first = timed("first index", lambda: index(cold=True), 3)
        warm = timed("index with a warm cache", lambda: index(cold=False), 3)
        sys.stdout.write(f"first/reading {first / plain:.2f}, warm/first {warm / first:.3f}\n")
        workspace = Workspace((root,), memo=Memo())
        live = index(cold=False)
        agent, tools = root / "services/s0/agent.py", root / "services/s0/tools.py"
        text = agent.read_text(encoding="utf-8").replace("[find_0, send_0]", "[find_0]")

        def change() -> None:
            module = workspace.module_of(text, agent)
            workspace.overlays[agent] = module
            live.opened(module, workspace.world())
            live.settle(workspace, workspace.world())
            if live.registering(tools) != (agent,):
                raise RuntimeError("the change was not taken over")

        timed("a change of one agent", change)
        sys.stdout.write(f"{'memory of server and worker':42} {memory(root, python):8.0f} MiB\n")


def main() -> None:
    """Runs the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, nargs="+", default=[10, 1000, FILES])
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has google-adk")
    given = parser.parse_args()
    for files in given.files:
        measure(files, given.python)


if __name__ == "__main__":
    main()
