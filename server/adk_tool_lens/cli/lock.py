"""`adk-tool-lens lock`: writes down the declarations that were agreed on; `check --locked` compares."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from adk_tool_lens.cli.problem import UsageError, warn
from adk_tool_lens.cli.rows import Point, Row
from adk_tool_lens.cli.run import Target, project_of, targets
from adk_tool_lens.cli.toolrows import Rows, tool_rows
from adk_tool_lens.ide.contract import Change, Kind
from adk_tool_lens.ide.lockfile import (
    NAME,
    Lock,
    LockedTool,
    LockfileError,
    ToolChange,
    compare,
    from_text,
    to_text,
)
from adk_tool_lens.ide.session import Project
from adk_tool_lens.project.files import UnreadableError, read
from adk_tool_lens.project.writing import replace
from adk_tool_lens.rules.model import Severity

_RULES = {
    Kind.BREAKING: ("locked-declaration-broken", Severity.ERROR),
    Kind.COMPATIBLE: ("locked-declaration-changed", Severity.WARNING),
    Kind.WORDING: ("locked-wording-changed", Severity.INFO),
}


def run(arguments: argparse.Namespace) -> int:
    """Writes the lock; exit status 0, or 2 when it cannot be written."""
    path = Path(arguments.lock_file)
    if path.is_symlink():
        raise UsageError(f"{path}: is a link, which is not followed. Name the file itself, or remove it.")
    found = targets(arguments.paths)
    project = project_of(arguments, found)
    try:
        tools = locked(tool_rows(project, found), path)
        lock = Lock(tools, project.facts.adk, project.facts.backend.value)
    finally:
        project.close()
    try:
        replace(path, to_text(lock).encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    warn(f"{path}: locked {len(tools)} {'tool' if len(tools) == 1 else 'tools'}.")
    return 0


def locked(rows: Rows, path: Path) -> tuple[LockedTool, ...]:
    """The tools in the form of a lock at a path; a tool that several agents wrap counts once."""
    found: dict[tuple[str, str], LockedTool] = {}
    for row in rows:
        tool = LockedTool(
            _relative(row["path"], path),
            row["qualname"],
            tuple(row["agents"]),
            row["declaration"],
            row["error"],
            tuple(row["approximate"]),
        )
        found.setdefault(tool.key, tool)
    return tuple(found.values())


def _relative(path: str, lock: Path) -> str:
    """The path from the lock's folder, so that the lock is the same on every machine."""
    return Path(os.path.relpath(Path(path).resolve(), lock.resolve().parent)).as_posix()


def differences(
    project: Project, found: list[Target], path: Path, adk: str | None, backend: str
) -> list[Row]:
    """What has changed since the lock, as findings at the tools.

    Args:
        project: Where declarations come from.
        found: The files that are looked at; locked tools of others are left out.
        path: The lock.
        adk: The google-adk version that judges now.
        backend: The back end that is judged for.

    Raises:
        UsageError: there is no lock, or it cannot be read.
    """
    lock = _read(path)
    if (lock.adk, lock.backend) != (adk, backend):
        warn(
            f"{path} was made with google-adk {lock.adk} for {lock.backend}, now it is google-adk {adk} for "
            f"{backend}: some changes may come from that, not from the tools."
        )
    rows = tool_rows(project, found)
    new = locked(rows, path)
    looked_at = {_relative(str(target.path), path) for target in found} | {tool.path for tool in new}
    folder = path.resolve().parent
    old = [tool for tool in lock.tools if tool.path in looked_at or not (folder / tool.path).exists()]
    lines = {(_relative(row["path"], path), row["qualname"]): (row["path"], row["line"] - 1) for row in rows}
    return [each for change in compare(old, new) for each in _rows(change, lines, path)]


def _read(path: Path) -> Lock:
    try:
        return from_text(read(path).text)
    except UnreadableError as error:
        raise UsageError(f"{error}. Make it with `adk-tool-lens lock` and commit it.") from error
    except LockfileError as error:
        raise UsageError(f"{path}: {error}. Make it anew with `adk-tool-lens lock`.") from error


def _rows(change: ToolChange, lines: dict[tuple[str, str], tuple[str, int]], lock: Path) -> Iterator[Row]:
    tool = change.new or change.old
    if tool is None:
        return
    path, line = lines.get(tool.key, (str(lock), 0))
    for each in change.changes:
        rule, severity = _RULES[each.kind]
        yield Row(rule, severity, _message(tool, each), path, Point(line, 0, 0), Point(line, 0, 0), tool.name)


def _message(tool: LockedTool, change: Change) -> str:
    what = {Kind.BREAKING: "breaking", Kind.COMPATIBLE: "compatible", Kind.WORDING: "wording only"}
    where = "" if change.where in {"name", "description", "declaration", "tool"} else f" at `{change.where}`"
    return (
        f"`{tool.name}` differs from {NAME} ({what[change.kind]}): {change.message}{where}. "
        "Run `adk-tool-lens lock` if it is meant."
    )
