"""Suppression comments: `# adk-tool-lens: ignore[rule-name, ...]` and the bare `# adk-tool-lens: ignore`.

A comment counts for the line that it stands on. Where a line cannot end in a comment, because a string or
a backslash carries it on, the comment stands at the end of the line where that is over:

    def f():
        \"\"\"What f does        <- a finding here
        for its callers.
        \"\"\"  # adk-tool-lens: ignore[thin-description]
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass

from adk_tool_lens.source.blocks import Block, per_block
from adk_tool_lens.source.edits import Edit

IGNORE = re.compile(r"#[ \t]*adk-tool-lens:[ \t]*ignore(?!-)(?:\[(?P<rules>[^\]\r\n]*)\])?")
_OPENS = {name for name in ("FSTRING_START", "TSTRING_START") if hasattr(tokenize, name)}
_CLOSES = {name.replace("START", "END") for name in _OPENS}


@dataclass(frozen=True)
class Comments:
    """The comments of a block; lines count from zero, offsets and lines from the block's start."""

    starts: dict[int, int]
    """Where the comment of a line begins."""
    ends_at: dict[int, int]
    """For a line that a string or a backslash carries on: the line at whose end its comment stands."""

    def line_of_comment(self, line: int) -> int:
        """The line at whose end a comment about `line` stands."""
        while line in self.ends_at:
            line = self.ends_at[line]
        return line


@per_block
def comments_of(block: Block) -> Comments | None:
    """The comments of a block; None when its text cannot be told apart into code and comments."""
    if "\0" in block.text:
        return None  # CPython 3.12's tokenizer answers it with a token and an exception at once
    starts: dict[int, int] = {}
    ends_at: dict[int, int] = {}
    opened: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(block.text, newline="").readline):
            first, last = token.start[0] - 1, token.end[0] - 1
            name = tokenize.tok_name[token.type]
            if name == "COMMENT":
                starts[first] = block.source.offset(first, token.start[1])
            elif name in _OPENS:
                opened.append(first)
            elif name in _CLOSES:
                first = opened.pop()
            if name == "STRING" or name in _CLOSES:
                ends_at |= dict.fromkeys(range(first, last), last)
    except (tokenize.TokenError, SyntaxError, IndexError, ValueError):
        return None
    for line in range(len(block.source.line_starts) - 1):
        if line not in starts and line not in ends_at and _text(block, line).endswith("\\"):
            ends_at[line] = line + 1
    return Comments(starts, ends_at)


def _text(block: Block, line: int) -> str:
    span = block.source.line_span(line)
    return block.text[span.start : span.end]


def ignored_rules(block: Block, comments: Comments, line: int) -> frozenset[str] | None:
    """The rules that a comment about a line names; None for all of them."""
    match = _match(block, comments, comments.line_of_comment(line))
    if match is None:
        return frozenset()
    named = match["rules"]
    if named is None:
        return None
    return frozenset(filter(None, (name.strip() for name in named.split(","))))


def _match(block: Block, comments: Comments, line: int) -> re.Match[str] | None:
    start = comments.starts.get(line)
    if start is None:
        return None
    return IGNORE.search(block.text, start, block.source.line_span(line).end)


def ignoring_edit(block: Block, comments: Comments, line: int, rules: Iterable[str]) -> Edit | None:
    """The edit that makes a comment about a line name some rules, too; None when it does so already.

    Only the comment is added or extended; every other byte of the line stays.
    """
    at = comments.line_of_comment(line)
    ignored = ignored_rules(block, comments, line)
    if ignored is None or ignored.issuperset(rules):
        return None
    names = ", ".join(sorted(set(rules) - ignored))
    match = _match(block, comments, at)
    if match is not None:
        end = match.end("rules")
        before = ", " if match["rules"].strip() else ""
        return Edit(end, end, before + names)
    end = block.source.line_span(at).end
    space = "" if block.text[:end].endswith((" ", "\t")) else "  "
    return Edit(end, end, f"{space}# adk-tool-lens: ignore[{names}]")
