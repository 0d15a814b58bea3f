"""Moves the descriptions of all tools of a file between `Field` and docstring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adk_tool_lens.fixes import catalogue
from adk_tool_lens.fixes.model import Repair
from adk_tool_lens.fixes.move_description import movable
from adk_tool_lens.fixes.versions import sends_field_descriptions
from adk_tool_lens.ide.actions import PLAIN, Context, case_of, merged
from adk_tool_lens.ide.analysis import Analysis, ToolReport
from adk_tool_lens.rules.model import Fix
from adk_tool_lens.source.edits import Edit

TITLES = {
    "move-description": "Move all descriptions of the {where} to docstring Args",
    "describe-in-field": "Move all descriptions of the {where} from docstring Args to Field",
}
"""What can be done to a whole file or workspace, by the kind of repair."""


def title_of(kind: str, where: str) -> str:
    """The title of a rewriting of the `file` or the `workspace`."""
    return TITLES[kind].format(where=where)


def rewrites(analysis: Analysis, kind: str, context: Context = PLAIN) -> Iterator[Repair]:
    """What a kind of repair does to each tool of a file."""
    for report in analysis.reports:
        names = tuple(parameter.name for parameter in report.tool.parameters)
        case = replace(case_of(analysis, None, context), view=analysis.view(report))
        made = catalogue.repair(Fix(kind, names), case)
        if made is not None:
            yield made


def concerned(analysis: Analysis, kind: str) -> int:
    """How many tools of a file have descriptions that can probably be moved; no edit is made yet."""
    return sum(_concerns(analysis, report, kind) for report in analysis.reports)


def _concerns(analysis: Analysis, report: ToolReport, kind: str) -> bool:
    described = movable(report.tool)
    if kind == "move-description":
        return bool(described)
    if not sends_field_descriptions(analysis.facts.adk):
        return False
    entries = analysis.view(report).docstring.entries
    written = {entry.name for entry in entries if entry.description}
    return any(p.name in written and p.name not in described for p in report.tool.parameters)


def file_edits(analysis: Analysis, kind: str, context: Context = PLAIN) -> tuple[Edit, ...]:
    """Edits of this document that move all descriptions that can be moved at once."""
    return merged(analysis, rewrites(analysis, kind, context)).get(analysis.module.path, ())
