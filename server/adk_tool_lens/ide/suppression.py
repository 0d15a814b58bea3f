"""Applies a project's settings and the file's comments to what the rules found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.rules._selection import expand
from adk_tool_lens.rules.model import Facts, Finding, Selection, Suppression
from adk_tool_lens.source.blocks import Block, per_block
from adk_tool_lens.source.comments import IGNORE, Comments, comments_of
from adk_tool_lens.source.text import Span

WORD = "adk-tool-lens:"
_WHOLE_FILE = re.compile(r"#[ \t]*adk-tool-lens:[ \t]*ignore-file\b")


@dataclass(frozen=True, eq=False)
class Comment:
    """One suppression comment of a block."""

    span: Span
    rules: tuple[tuple[str, Span], ...] | None
    """The names in brackets; None for all rules."""

    def covers(self, rule: str) -> bool:
        """Whether it is about a rule, by name or by group."""
        return self.rules is None or any(rule in expand(name) for name, _ in self.rules)


@dataclass(frozen=True, eq=False)
class _Known:
    """What the comments of a block say; made once for a block."""

    comments: Comments | None = None
    by_line: tuple[tuple[int, Comment], ...] = ()
    whole_file: bool = False

    def about(self, line: int) -> Comment | None:
        """The comment that counts for a line of the block."""
        if self.comments is None:
            return None
        at = self.comments.line_of_comment(line)
        return next((comment for number, comment in self.by_line if number == at), None)


_NOTHING = _Known()
Used = tuple[Comment, str]
"""A comment, and a rule whose finding it kept quiet."""


@per_block
def _known(block: Block) -> _Known:
    return _read(block) if WORD in block.text else _NOTHING


def _read(block: Block) -> _Known:
    comments = comments_of(block)
    if comments is None:
        return _NOTHING
    rows: list[tuple[int, Comment]] = []
    whole = False
    for line, start in comments.starts.items():
        end = block.source.line_span(line).end
        whole = whole or _WHOLE_FILE.search(block.text, start, end) is not None
        match = IGNORE.search(block.text, start, end)
        if match is not None:
            rows.append((line, Comment(Span(*match.span()), _names(match))))
    return _Known(comments, tuple(rows), whole)


def _names(match: re.Match[str]) -> tuple[tuple[str, Span], ...] | None:
    if match["rules"] is None:
        return None
    names = re.finditer(r"[^\s,]+", match["rules"])
    start = match.start("rules")
    return tuple((name.group(), Span(name.start() + start, name.end() + start)) for name in names)


def ignores_file(module: Module) -> bool:
    """Whether a comment asks to leave the file alone."""
    return any(_known(block).whole_file for block in module.blocks)


def kept(
    findings: Iterable[Finding], module: Module, facts: Facts, *, comments: bool = True
) -> tuple[list[Finding], set[Used]]:
    """The findings that settings and comments leave, with the severities that are wanted.

    Args:
        findings: What the rules found.
        module: The file.
        facts: The settings.
        comments: Whether comments count.

    Returns:
        The findings, and what tells which comments were needed: pairs of a comment and a rule.
    """
    selection = facts.selection
    severities = dict(selection.severities)
    left_out = rules_left_out(selection, module)
    rows: list[Finding] = []
    used: set[Used] = set()
    if ignores_file(module):
        return rows, used
    for finding in findings:
        if finding.rule in left_out:
            continue
        comment = _comment_about(finding) if comments else None
        if comment is not None and comment.covers(finding.rule):
            used.add((comment, finding.rule))
            continue
        wanted = severities.get(finding.rule)
        rows.append(finding if wanted is None else replace(finding, severity=wanted))
    return rows, used


def _comment_about(finding: Finding) -> Comment | None:
    block = finding.place.block
    known = _known(block)
    if known is _NOTHING:
        return None
    return known.about(block.source.line_column(finding.place.span.start)[0])


def suppressions(module: Module, used: set[Used]) -> Iterator[Suppression]:
    """The comments of a file with the rules that each kept quiet."""
    if ignores_file(module):
        return
    for block in module.blocks:
        for _, comment in _known(block).by_line:
            rules = frozenset(rule for given, rule in used if given is comment)
            yield Suppression(
                Place(module.path, block, comment.span),
                None
                if comment.rules is None
                else tuple((name, Place(module.path, block, span)) for name, span in comment.rules),
                rules,
            )


def rules_left_out(selection: Selection, module: Module) -> frozenset[str]:
    """The rules that `per-file-ignores` leaves out in a file."""
    if not selection.per_file or module.path is None or selection.folder is None:
        return frozenset()
    try:
        relative = module.path.relative_to(selection.folder).as_posix()
    except ValueError:
        return frozenset()
    left_out = (rules for pattern, rules in selection.per_file if _matches(pattern, relative))
    return frozenset().union(*left_out)


@lru_cache(maxsize=512)
def _matches(pattern: str, relative: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines([pattern]).match_file(relative)
    except ValueError:
        return False
