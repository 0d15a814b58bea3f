"""`adk-tool-lens verify`: proof that previews are right, by running the person's code with their consent."""

from __future__ import annotations

import argparse
import contextlib
import json
import queue
import subprocess
import threading
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from adk_tool_lens.cli.paint import Paint, wants_colour
from adk_tool_lens.cli.problem import UsageError
from adk_tool_lens.cli.run import emit, project_of, targets
from adk_tool_lens.cli.toolrows import Rows, tool_rows, where
from adk_tool_lens.declaration import live
from adk_tool_lens.project.modules import module_name

STYLES = {"equal": "green", "different": "bold red", "not importable": "yellow", "not reachable": "yellow"}


@dataclass(frozen=True)
class Verdict:
    """What came of one tool."""

    row: dict[str, Any]
    status: str
    """`equal`, `different`, `not importable` or `not reachable`."""
    detail: str = ""
    live: Any = None

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        keys = ("path", "name", "qualname", "cell", "line", "approximate")
        kept: dict[str, Any] = {key: self.row[key] for key in keys if key in self.row}
        preview = self.row["error"] or self.row["declaration"]
        return {**kept, "status": self.status, "detail": self.detail, "preview": preview, "live": self.live}


def run(arguments: argparse.Namespace) -> int:
    """Prints what came of each tool; exit status 1 when a preview differs.

    Raises:
        UsageError: the person has not agreed to run their code.
    """
    found = targets(arguments.paths)
    if not arguments.run_my_code:
        raise UsageError(
            "verify imports your modules, so their code runs, with all that it does on import. "
            "Give --run-my-code if you agree; every other command only reads."
        )
    project = project_of(arguments, found)
    try:
        rows = tool_rows(project, found)
        folder = Path(project.folder or Path.cwd())
        process = Live(project.interpreter.path, folder, arguments.timeout)
        try:
            verdicts = list(verify(rows, process, project.backend.value))
        finally:
            process.close()
    finally:
        project.close()
    if arguments.output_format == "json":
        emit(json.dumps([v.to_json() for v in verdicts], ensure_ascii=False, indent=2) + "\n")
    else:
        emit(_text(verdicts, Paint(wants_colour(arguments.color))))
    return 1 if any(verdict.status == "different" for verdict in verdicts) else 0


class Live:
    """A process of the project's interpreter that imports what it is asked to; replaced when it ends.

    Args:
        interpreter: The project's Python.
        folder: Its working directory.
        timeout: Seconds for one module.
    """

    def __init__(self, interpreter: str, folder: Path, timeout: float) -> None:
        self._command = [interpreter, "-X", "utf8", live.__file__]
        self._folder = folder
        self._timeout = timeout
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer; a `problem` when there is none."""
        try:
            process = self._started()
            if process.stdin is None:
                return {"problem": "the interpreter takes no input"}
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = self._lines.get(timeout=self._timeout)
            if line:
                answer: dict[str, Any] = json.loads(line)
                return answer
            status = process.wait()
            self.close()
        except queue.Empty:
            self.close()
            return {"problem": f"the import took longer than {self._timeout:g} s"}
        except (OSError, ValueError) as error:
            self.close()
            return {"problem": f"{type(error).__name__}: {error}"}
        else:
            return {"problem": f"the import ended the process with status {status}"}

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                self._command,
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
                cwd=self._folder,
                text=True,
                encoding="utf-8",
            )
            self._lines = queue.SimpleQueue()
            reader = threading.Thread(target=_read, args=(self._process.stdout, self._lines), daemon=True)
            reader.start()
        return self._process

    def close(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _read(stream: IO[str] | None, lines: queue.SimpleQueue[str]) -> None:
    """Effect: passes lines on, and an empty one at the end."""
    with contextlib.suppress(OSError, ValueError):
        for line in stream or ():
            lines.put(line)
    lines.put("")


def verify(rows: Rows, process: Live, backend: str) -> Iterator[Verdict]:
    """What came of each tool, file by file."""
    by_path: defaultdict[str, Rows] = defaultdict(list)
    for row in rows:
        by_path[row["path"]].append(row)
    for path, tools in by_path.items():
        name, root = module_name(Path(path).resolve())
        wanted = [{"qualname": row["qualname"], "name": row["name"]} for row in tools]
        request = {"root": str(root), "module": name, "backend": backend, "tools": wanted}
        answer = process.ask(request)
        if "problem" in answer:
            yield from (Verdict(row, "not importable", answer["problem"]) for row in tools)
        else:
            yield from map(_verdict, tools, answer["tools"])


def _verdict(row: dict[str, Any], told: dict[str, Any]) -> Verdict:
    if "missing" in told:
        return Verdict(row, "not reachable", "no name of the module and no agent in it leads to it")
    if "error" in told:
        raised = f"google-adk raises {told['error']}: {told['message']}"
        equal = row["error"] is not None and row["error"]["type"] == told["error"]
        return Verdict(row, "equal" if equal else "different", raised, told)
    declaration = told["declaration"]
    equal = row["error"] is None and row["declaration"] == declaration
    return Verdict(row, "equal" if equal else "different", "", declaration)


def _text(verdicts: list[Verdict], paint: Paint) -> str:
    lines = []
    for each in verdicts:
        lines.append(f"{paint(each.status, STYLES[each.status])}: {each.row['name']}  {_where(each)}")
        if each.detail:
            lines.append(f"  {each.detail}")
        if each.status == "different":
            lines += [f"  approximate because {reason}" for reason in each.row["approximate"]]
            lines += [f"  preview: {_short(each.row['error'] or each.row['declaration'])}"]
            lines += [f"  live:    {_short(each.live)}"]
    counts = Counter(each.status for each in verdicts)
    total = ", ".join(f"{counts[status]} {status}" for status in STYLES if counts[status]) or "no tools found"
    return "\n".join([*lines, f"{total}."]) + "\n"


def _where(each: Verdict) -> str:
    return where(each.row)


def _short(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
