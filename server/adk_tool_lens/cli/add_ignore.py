"""`check --add-ignore`: adopts the rules in a project that has findings, by a comment at each of them."""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from adk_tool_lens.cli.fix import root_of
from adk_tool_lens.cli.jobs import outcomes
from adk_tool_lens.cli.problem import UsageError, warn
from adk_tool_lens.cli.run import STDIN, Target, all_read, results
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.session import Project
from adk_tool_lens.project.files import UnreadableError
from adk_tool_lens.project.notebooks import SUFFIX, edited
from adk_tool_lens.project.writing import Original, UnwritableError, write
from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.cells import stored
from adk_tool_lens.source.comments import comments_of, ignoring_edit
from adk_tool_lens.source.edits import Edit, apply


def add_ignore(arguments: argparse.Namespace, project: Project, found: list[Target]) -> int:
    """Effect: writes comments into the files; exit status 0, or 2 when a file cannot be read or written.

    Raises:
        UsageError: standard input was named.
    """
    if STDIN in arguments.paths:
        raise UsageError("--add-ignore: standard input cannot be changed. Name files or folders.")
    done = outcomes(arguments, project, found, ignoring_edits)
    changed = [each for each in results(done) if each.edits]
    root = root_of(found)
    for each in changed:
        _write(each, root)
    comments = sum(len(each.edits) for each in changed)
    warn(f"added or extended {comments} comments in {len(changed)} files.")
    return 0 if all_read(done) else 2


@dataclass(frozen=True)
class Ignoring:
    """The comments that one file gets."""

    path: Path
    text: str
    """What was analysed; empty when there is nothing to add to it."""
    edits: tuple[Edit, ...]


def ignoring_edits(_project: Project, target: Target, analysis: Analysis) -> Ignoring:
    """The edits of one file that suppress all its findings."""
    wanted: defaultdict[tuple[Block, int], set[str]] = defaultdict(set)
    for finding in analysis.findings:
        block = finding.place.block
        if block in analysis.module.starts:
            line = block.source.line_column(finding.place.span.start)[0]
            wanted[block, line].add(finding.rule)
    edits = _joined(wanted, target)
    starts = analysis.module.starts
    moved = tuple(edit.moved(starts[block]) for block, edit in edits)
    return Ignoring(target.path, (stored(analysis.module.source) or "") if moved else "", moved)


def _joined(wanted: dict[tuple[Block, int], set[str]], target: Target) -> list[tuple[Block, Edit]]:
    """One edit for each comment, however many lines it speaks of."""
    by_comment: defaultdict[tuple[Block, int], set[str]] = defaultdict(set)
    known = {block: comments_of(block) for block, _ in wanted}
    for (block, line), rules in wanted.items():
        comments = known[block]
        if comments is None:
            warn(f"{target.path}: a finding stands in code that cannot be read; it is left as it is.")
        else:
            by_comment[block, comments.line_of_comment(line)] |= rules
    edits = []
    for (block, line), rules in by_comment.items():
        comments = known[block]
        edit = None if comments is None else ignoring_edit(block, comments, line, rules)
        if edit is not None:
            edits.append((block, edit))
    return edits


def _write(ignoring: Ignoring, root: Path) -> None:
    """Effect: writes a file anew, in its encoding and with its line ends.

    Raises:
        UsageError: it cannot be written.
    """
    path = ignoring.path
    try:
        original = Original.of(path)
        if original.text.text != ignoring.text:
            raise UsageError(f"{path}: was changed meanwhile, so it was left alone. Run again.")
        notebook = path.suffix == SUFFIX
        edits = ignoring.edits
        after = edited(ignoring.text, edits, str(path)) if notebook else apply(ignoring.text, edits)
        if after is None:
            raise UsageError(f"{path}: a comment cannot be written beside a magic command. Write it by hand.")
        write(original, after, root)
    except (UnreadableError, UnwritableError) as error:
        raise UsageError(str(error)) from error
