"""Switches a rule off for the project: adds it to `ignore` in `[tool.adk-tool-lens]` of pyproject.toml."""

from __future__ import annotations

from pathlib import Path

from adk_tool_lens.fixes.model import Case, FileEdit, Repair
from adk_tool_lens.fixes.toml_text import with_value
from adk_tool_lens.project.files import UnreadableError, read
from adk_tool_lens.project.settings import nearest

TABLE = ("tool", "adk-tool-lens")
KEY = "ignore"


def repair(case: Case) -> Repair | None:
    """The edit of the nearest pyproject.toml within the project; None when there is none."""
    path = _pyproject(case)
    if path is None or case.finding is None:
        return None
    try:
        text = read(path).text
    except UnreadableError:
        return None
    edit = with_value(text, TABLE, KEY, case.finding.rule)
    if edit is None:
        return None
    title = f"Disable {case.finding.rule} for the project in {path.name}"
    return Repair(title, (FileEdit(path, edit.start, edit.end, edit.text),), safe=False)


def _pyproject(case: Case) -> Path | None:
    if case.module.path is None or case.root is None:
        return None
    path = nearest(case.module.path.parent)
    inside = path is not None and (path.parent == case.root or case.root in path.parents)
    return path if inside else None
