"""`check --fix` and `check --diff`: repairs the files, or shows how it would."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from adk_tool_lens.cli.problem import warn
from adk_tool_lens.cli.rows import shown_path
from adk_tool_lens.cli.run import Target, emit, folder_of
from adk_tool_lens.ide.fixing import Fixed, Fixing
from adk_tool_lens.ide.session import Project
from adk_tool_lens.project.writing import UnwritableError, write


def fix(arguments: argparse.Namespace, project: Project, found: list[Target]) -> int | None:
    """Effect: repairs the files, or prints the difference.

    Returns:
        The exit status when that was all or a file could not be changed; None to report what is left.
    """
    root = root_of(found)
    fixing = Fixing(project, unsafe=arguments.unsafe_fixes, root=root)
    on_disk = [target for target in found if target.text is None]
    fixed = [each for each in fixing.run(target.path for target in on_disk) if each.changed]
    fixing.forget()
    for problem in fixing.problems:
        warn(problem)
    if arguments.diff:
        emit("".join(each.diff(shown_path(each.original.path)) for each in fixed), arguments.output_file)
        if fixing.problems:
            return 2
        return 1 if fixed and not arguments.exit_zero else 0
    done = [_written(each, root) for each in fixed]
    count = sum(each.count for each, written in zip(fixed, done, strict=True) if written)
    if any(done):
        warn(f"repaired {count} {'thing' if count == 1 else 'things'} in {sum(done)} files.")
    return None if all(done) else 2


def root_of(found: list[Target]) -> Path:
    """The folder that all files were named in; a link in it may lead out of it."""
    folders = [os.path.normpath(target.path.absolute().parent) for target in found]
    try:
        return Path(os.path.commonpath(folders)) if folders else Path.cwd()
    except ValueError:  # files on several drives
        return folder_of(found)


def _written(fixed: Fixed, root: Path) -> bool:
    try:
        write(fixed.original, fixed.text, root)
    except UnwritableError as error:
        warn(str(error))
        return False
    return True
