"""What commands share: the files they are given, the analyses of them, and where output goes."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from adk_tool_lens.cli.problem import UsageError, warn
from adk_tool_lens.declaration.client import default_cache_dir
from adk_tool_lens.declaration.model import Backend
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.configuration import Configuration, Configured
from adk_tool_lens.ide.session import Project, analyse_now, index_of, open_project
from adk_tool_lens.project.files import UnreadableError, decode, read
from adk_tool_lens.project.scan import project_root, scan
from adk_tool_lens.project.settings import Loaded, Settings

STDIN = "-"
T = TypeVar("T")


@dataclass(frozen=True)
class Target:
    """A file to look at, and the tools or agents in it that were asked for."""

    path: Path
    qualnames: tuple[str, ...] = ()
    """Empty for all of them."""
    text: str | None = None
    """Given instead of the file's: an unsaved version from standard input."""
    named: bool = True
    """Whether the file itself was named, not a folder that has it."""

    def wants(self, *names: str | None) -> bool:
        """Whether something with one of these names was asked for."""
        return not self.qualnames or any(name in self.qualnames for name in names)


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What came of one file: a result, or the reason why it could not be read."""

    target: Target
    result: T | None
    problem: str | None = None


Work = Callable[[Project, Target, Analysis], T]
"""What a command does with an analysis; a function of a module (or a `partial` of one) that gives plain
data, so that it can be done in another process."""


def targets(paths: list[str], stdin_name: str | None = None) -> list[Target]:
    """The Python files and notebooks that the arguments name, each once and sorted.

    Raises:
        UsageError: an argument names nothing that is there.
    """
    found: dict[Path, Target] = {}
    for text in sorted(set(paths)):
        for target in _targets_of(text, stdin_name):
            key = target.path.resolve()
            found[key] = _joined(found[key], target) if key in found else target
    return sorted(found.values(), key=lambda target: target.path.parts)


def _targets_of(text: str, stdin_name: str | None) -> Iterator[Target]:
    if text == STDIN:
        yield Target(Path(stdin_name or "stdin.py"), text=_stdin())
        return
    name, _, qualname = text.partition("::")
    path = Path(name)
    if not path.exists():
        raise UsageError(
            f"{name or repr(name)}: no such file or folder. Check the path, or run from the project's folder."
        )
    if path.is_dir():
        yield from (Target(file, named=False) for file in python_files(path))
    else:
        yield Target(path, (qualname,) if qualname else ())


def _joined(first: Target, second: Target) -> Target:
    everything = not (first.qualnames and second.qualnames)
    names = () if everything else (*first.qualnames, *second.qualnames)
    return Target(first.path, names, first.text or second.text, first.named or second.named)


def _stdin() -> str:
    try:
        return decode(sys.stdin.buffer.read(), "standard input").text
    except UnreadableError as error:
        raise UsageError(str(error)) from error


def python_files(folder: Path) -> Iterator[Path]:
    """The Python files and notebooks below a folder; ignored ones, environments and caches left out."""
    found = scan(folder)
    for problem in found.problems:
        warn(problem)
    configuration = Configuration(folder.resolve())
    paths = map(Path, found.files)
    yield from sorted(path for path in paths if not configuration.excludes(path.resolve()))


def folder_of(found: list[Target]) -> Path:
    """The folder that all files lie in: the same whatever the order of arguments."""
    folders = [str(target.path.resolve().parent) for target in found]
    try:
        return Path(os.path.commonpath(folders)) if folders else Path.cwd()
    except ValueError:  # files on several drives
        return Path(min(folders))


def project_of(arguments: argparse.Namespace, found: list[Target], *, quiet: bool = False) -> Project:
    """The project that the arguments name.

    Raises:
        UsageError: the interpreter cannot be used at all.
    """
    folder = folder_of(found)
    project = open_project(
        folder,
        explicit=_interpreter(arguments.python),
        backend=Backend(arguments.backend) if arguments.backend else None,
        cache_dir=None if arguments.no_cache else default_cache_dir(),
        settings=configuration_of(arguments, found),
    )
    environment = project.environment = project.client.environment()
    if environment.problem and arguments.python:
        project.close()
        raise UsageError(environment.problem)
    if environment.problem and not quiet:
        warn(environment.problem)
    index_around(project, found)
    return project


def configuration_of(arguments: argparse.Namespace, found: list[Target]) -> Configuration:
    """The settings that the arguments and, for each file, the nearest pyproject.toml give.

    Raises:
        UsageError: something in them does not count.
    """
    folder = folder_of(found)
    named = getattr(arguments, "config", None)
    over = Settings(
        select=_names(arguments, "select") or None,
        extend_select=_names(arguments, "extend_select"),
        ignore=_names(arguments, "ignore"),
    )
    done = Configuration(folder, Path(named) if named else None, Loaded(over))
    for target in found:
        done.of(target.path.resolve())
    problems = dict.fromkeys(str(problem) for each in done.all() for problem in each.problems)
    if problems:
        raise UsageError("\n".join(problems))
    return done


def settings_of(arguments: argparse.Namespace, found: list[Target]) -> Configured:
    """The settings that count for some files: for a single one its own, else those of the folder around all.

    Raises:
        UsageError: something in them does not count.
    """
    configuration = configuration_of(arguments, found)
    return configuration.of(found[0].path.resolve()) if len(found) == 1 else configuration.base


def _names(arguments: argparse.Namespace, option: str) -> tuple[str, ...]:
    given = getattr(arguments, option, None) or ()
    return tuple(name.strip() for text in given for name in text.split(",") if name.strip())


def index_around(project: Project, found: list[Target]) -> None:
    """Effect: finds out what the projects around some files register of them, as these files are now."""
    paths = [target.path.resolve() for target in found]
    roots = {project_root(folder) for folder in {path.parent for path in paths}}
    outermost = tuple(sorted(r for r in roots if not any(s in r.parents for s in roots)))
    workspace = project.workspace
    workspace.roots = tuple(dict.fromkeys([*workspace.roots, *outermost]))
    workspace.memo = workspace.memo or Memo()
    for target, path in zip(found, paths, strict=True):
        if target.text is not None:
            workspace.overlays[path] = workspace.module_of(target.text, path)
    settings = project.configured.settings
    top = settings.folder.resolve() if settings.folder is not None else None
    exclude = settings.exclude if outermost == (top,) else ()  # patterns count from their own folder
    index = index_of(workspace, outermost, exclude, project.cache_dir)
    index.build(workspace, workspace.world(project.python), wanted=paths)
    project.index = index


def _interpreter(text: str | None) -> str | None:
    """`--python`: a path counts from the working directory, a bare name is looked up on PATH."""
    if text is None:
        return None
    path = Path(text).expanduser()
    if path.is_dir():
        raise UsageError(
            f"--python {text}: is a folder. Name the interpreter itself, such as {path / 'bin/python'}."
        )
    return str(path.absolute()) if len(path.parts) > 1 or path.exists() else text


def each(project: Project, found: list[Target], work: Work[T]) -> Iterator[Outcome[T]]:
    """Does the work for each file, in order, in this process."""
    for target in found:
        path = target.path.resolve()
        module = project.workspace.module_at(path)
        if module is None:
            try:
                module = project.workspace.module_of(read(target.path).text, path)
            except UnreadableError as error:
                yield Outcome(target, None, str(error))
                continue
        yield Outcome(target, work(project, target, analyse_now(project, module)))


def results(outcomes: list[Outcome[T]]) -> list[T]:
    """The results of the files that could be read; the others are named on standard error."""
    for outcome in outcomes:
        if outcome.problem is not None:
            warn(outcome.problem)
    return [outcome.result for outcome in outcomes if outcome.result is not None]


def all_read(outcomes: list[Outcome[T]]) -> bool:
    """Whether every file that was named itself could be read."""
    return not any(o.problem is not None and o.target.named for o in outcomes)


def emit(text: str, output_file: str | None = None) -> None:
    """Writes data to standard output or to a file.

    Raises:
        UsageError: the file cannot be written.
    """
    if output_file is None:
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        Path(output_file).write_bytes(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(
            f"--output-file {output_file}: cannot be written: {error.strerror or error}"
        ) from error
