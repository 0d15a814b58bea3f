"""Suppresses a finding with `# adk-tool-lens: ignore[rule]` on its line."""

from __future__ import annotations

from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.source.comments import comments_of, ignoring_edit


def repair(case: Case) -> Repair | None:
    """The edit; None when the comment is there already."""
    finding = case.finding
    comments = comments_of(finding.place.block) if finding is not None else None
    if finding is None or comments is None:
        return None
    block = finding.place.block
    line = block.source.line_column(finding.place.span.start)[0]
    made = ignoring_edit(block, comments, line, [finding.rule])
    if made is None:
        return None
    title = f"Suppress {finding.rule} on this line"
    return Repair(title, (edit(finding.place, made.start, made.end, made.text),), safe=False)
