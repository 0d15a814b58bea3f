"""Takes a suppression that keeps nothing quiet out of a comment, and the comment when that is all of it."""

from __future__ import annotations

import re

from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.comments import IGNORE
from adk_tool_lens.source.text import Span


def repair(case: Case) -> Repair | None:
    """The edit; None when the finding is at no suppression comment."""
    place = case.place
    match = _comment(place.block, place.span) if place is not None else None
    if place is None or match is None:
        return None
    names = list(re.finditer(r"[^\s,]+", match["rules"] or ""))
    own = [name for name in names if _span(name, match).start == place.span.start]
    if own and len(names) > 1:
        first = own[0] is names[0]
        start = _span(own[0], match).start if first else _span(names[names.index(own[0]) - 1], match).end
        end = _span(names[1], match).start if first else _span(own[0], match).end
        title = f"Remove {own[0].group()} from the suppression comment"
    else:
        start, end = _whole(place.block, match)
        title = "Remove the suppression comment"
    return Repair(title, (edit(place, start, end, ""),), safe=False)


def _comment(block: Block, span: Span) -> re.Match[str] | None:
    return next((m for m in IGNORE.finditer(block.text) if m.start() <= span.start < m.end()), None)


def _span(name: re.Match[str], comment: re.Match[str]) -> Span:
    return Span(*name.span()).moved(comment.start("rules"))


def _whole(block: Block, match: re.Match[str]) -> tuple[int, int]:
    """The comment with the blanks before it, or with its line; what else the comment says stays."""
    line = block.source.line_column(match.start())[0]
    span = block.source.line_span(line)
    before, after = block.text[span.start : match.start()], block.text[match.end() : span.end]
    if after.strip():
        stays = len(after) - len(after.lstrip())
        kept = after.lstrip().startswith("#")
        return match.start() + (0 if kept else 1), match.end() + stays - (0 if kept else 1)
    if before.strip():
        return span.start + len(before.rstrip()), span.end
    starts = block.source.line_starts
    return span.start, starts[line + 1] if line + 1 < len(starts) else span.end
