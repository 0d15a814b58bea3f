"""What commands share: the files they are given and the analyses of them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adk_tool_lens.cli.problem import UsageError
from adk_tool_lens.declaration.client import default_cache_dir
from adk_tool_lens.declaration.model import Backend
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.session import Project, analyse_now, open_project
from adk_tool_lens.project.files import UnreadableError, read

SKIPPED = {".git", ".hg", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox", "site-packages"}


@dataclass(frozen=True)
class Target:
    """A file to look at, and the tool in it that was asked for."""

    path: Path
    qualname: str | None = None


def targets(paths: list[str]) -> Iterator[Target]:
    """The Python files that the arguments name, each once, in order.

    Raises:
        UsageError: an argument names nothing that is there.
    """
    seen: set[Path] = set()
    for text in paths:
        name, _, qualname = text.partition("::")
        path = Path(name)
        if not path.exists():
            raise UsageError(
                f"{name}: no such file or folder. Check the path, or run from the project's folder."
            )
        for file in [path] if path.is_file() else python_files(path):
            if file not in seen:
                seen.add(file)
                yield Target(file, qualname or None)


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files below a folder, sorted; virtual environments and caches left out."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if name not in SKIPPED and not (Path(root) / name / "pyvenv.cfg").exists()
        )
        yield from (Path(root) / name for name in sorted(files) if name.endswith(".py"))


def project_of(arguments: argparse.Namespace, first: Path | None) -> Project:
    """The project that the arguments name.

    Raises:
        UsageError: the interpreter cannot be used at all.
    """
    folder = first if first is None or first.is_dir() else first.parent
    project = open_project(
        (folder or Path()).resolve(),
        explicit=arguments.python,
        backend=Backend(arguments.backend),
        cache_dir=None if arguments.no_cache else default_cache_dir(),
    )
    environment = project.environment = project.client.environment()
    if environment.problem and arguments.python:
        project.close()
        raise UsageError(environment.problem)
    if environment.problem:
        print(f"adk-tool-lens: {environment.problem}", file=sys.stderr)  # noqa: T201
    return project


def analyses(project: Project, found: list[Target]) -> Iterator[tuple[Target, Analysis]]:
    """The analysis of each file; one that cannot be read is named on standard error and left out."""
    for target in found:
        try:
            text = read(target.path).text
        except UnreadableError as error:
            print(f"adk-tool-lens: {error}", file=sys.stderr)  # noqa: T201
            continue
        module = project.workspace.module_of(text, target.path.resolve())
        yield target, analyse_now(project, module)
