"""Work on many files in several processes.

Each process opens the project for itself, with a declaration worker of its own, and does runs of
neighbouring files; results come back in the order of the files, so the output does not depend on the
number of processes.
"""

from __future__ import annotations

import argparse
import atexit
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol, TypeVar

from adk_tool_lens.cli.problem import UsageError
from adk_tool_lens.cli.run import Outcome, Target, Work, each, project_of
from adk_tool_lens.ide.session import Project

FILES_FOR_A_PROCESS = 300
"""Fewer files are done sooner than another process with another google-adk is started."""
CHUNK = 25
LONG_RUN = 40
"""A progress bar is shown for more files than this."""
T = TypeVar("T")


def outcomes(
    arguments: argparse.Namespace, project: Project, found: list[Target], work: Work[T]
) -> list[Outcome[T]]:
    """Does the work for all files with as many processes as `--jobs` says, and shows how far it is."""
    jobs = number_of_jobs(getattr(arguments, "jobs", 1), len(found))
    with _progress(len(found)) as step:
        steps = each(project, found, work) if jobs == 1 else _spread(arguments, found, work, jobs)
        done = []
        for outcome in steps:
            done.append(outcome)
            step()
        return done


def number_of_jobs(wanted: int | None, files: int) -> int:
    """How many processes work; None lets the number of files and processors decide.

    Raises:
        UsageError: the number is negative.
    """
    if wanted is not None and wanted < 0:
        raise UsageError(f"--jobs {wanted}: cannot be negative. Leave it out to let the machine decide.")
    if not wanted:
        wanted = min(os.cpu_count() or 1, files // FILES_FOR_A_PROCESS)
    return max(1, min(wanted, files))


def _spread(
    arguments: argparse.Namespace, found: list[Target], work: Work[T], jobs: int
) -> Iterator[Outcome[T]]:
    size = max(1, min(CHUNK, -(-len(found) // jobs)))
    chunks = [found[i : i + size] for i in range(0, len(found), size)]
    context = multiprocessing.get_context("spawn")
    with _away() as here:
        pool = ProcessPoolExecutor(jobs, context, initializer=_open, initargs=(arguments, found, here))
        parts = pool.map(partial(_chunk, work), chunks)
    with pool:
        for part in parts:
            yield from part


@contextmanager
def _away() -> Iterator[str]:
    """Effect: makes the standard library's folder the working directory for a while; gives the one of before.

    `multiprocessing` starts `python -c ...`, which looks for modules in the working directory before all
    others: a `pickle.py` of the project that is checked would run.
    """
    here = os.getcwd()  # noqa: PTH109 - text, for another process
    os.chdir(os.path.dirname(os.__file__))  # noqa: PTH120
    try:
        yield here
    finally:
        os.chdir(here)


_project: list[Project] = []
"""The project of a process that works for another one."""


def _open(arguments: argparse.Namespace, found: list[Target], folder: str) -> None:
    os.chdir(folder)
    _project[:] = [project_of(arguments, found, quiet=True)]
    atexit.register(_project[0].close)


def _chunk(work: Work[Any], chunk: list[Target]) -> list[Outcome[Any]]:
    return list(each(_project[0], chunk, work))


class _Step(Protocol):
    def __call__(self) -> object: ...


@contextmanager
def _progress(total: int) -> Iterator[_Step]:
    """A bar on standard error when that is a terminal and the run is long; rich is imported only then."""
    if total <= LONG_RUN or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("checking"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("checking", total=total)
        yield lambda: progress.advance(task)
