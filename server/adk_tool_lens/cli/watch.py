"""`check --watch`: checks again whenever a Python file or the settings change."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from adk_tool_lens.cli.problem import UsageError, warn
from adk_tool_lens.cli.run import STDIN, index_around, project_of, targets
from adk_tool_lens.ide.session import Project
from adk_tool_lens.project.ignore import WANTED

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
SETTINGS = {"pyproject.toml", ".gitignore"}


def watch(arguments: argparse.Namespace) -> int:
    """Runs until it is interrupted; the worker stays, so that a round takes as long as its analysis.

    Raises:
        UsageError: standard input cannot be watched.
    """
    if STDIN in arguments.paths:
        raise UsageError("--watch: standard input cannot be watched. Name files or folders.")
    from watchfiles import Change
    from watchfiles import watch as changes

    def counts(_change: Change, path: str) -> bool:
        return path.endswith(WANTED) or Path(path).name in SETTINGS

    project = project_of(arguments, targets(arguments.paths))
    try:
        _round(arguments, project)
        for _ in changes(*_folders(arguments.paths), watch_filter=counts, raise_interrupt=False):
            _round(arguments, project)
    finally:
        project.close()
    return 0


def _folders(paths: list[str]) -> list[Path]:
    found = [Path(text.partition("::")[0]) for text in paths]
    return [path if path.is_dir() else path.parent for path in found]


def _round(arguments: argparse.Namespace, project: Project) -> None:
    from adk_tool_lens.cli.check import check

    if sys.stdout.isatty():
        sys.stdout.write(CLEAR)
    try:
        found = targets(arguments.paths)
        index_around(project, found)
        check(arguments, project, found)
    except UsageError as error:  # a file that is being replaced at this moment
        warn(str(error))
    warn(f"checked at {time.strftime('%H:%M:%S')}, waiting for changes (Ctrl+C ends)")
