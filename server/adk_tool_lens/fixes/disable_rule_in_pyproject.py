"""Switches a rule off for the project: adds it to `ignore` in `[tool.adk-tool-lens]` of pyproject.toml.

Where the project has no such file, it is made.
"""

from __future__ import annotations

from pathlib import Path

from adk_tool_lens.fixes.model import Case, FileEdit, Repair
from adk_tool_lens.fixes.toml_text import with_value
from adk_tool_lens.project.files import UnreadableError, read
from adk_tool_lens.project.settings import nearest

TABLE = ("tool", "adk-tool-lens")
KEY = "ignore"


def repair(case: Case) -> Repair | None:
    """The edit of the nearest pyproject.toml within the project, else one that makes it in its folder."""
    path = _pyproject(case)
    if path is None or case.finding is None:
        return None
    new = not path.exists()
    try:
        text = "" if new else read(path).text
    except UnreadableError:
        return None
    edit = with_value(text, TABLE, KEY, case.finding.rule)
    if edit is None:
        return None
    title = f"Disable {case.finding.rule} for the project in {'a new ' if new else ''}{path.name}"
    return Repair(title, (FileEdit(path, edit.start, edit.end, edit.text, create=new),), safe=False)


def _pyproject(case: Case) -> Path | None:
    """Where the file is, or would be; None for a file outside the project."""
    if case.module.path is None or case.root is None or case.root not in case.module.path.parents:
        return None
    path = nearest(case.module.path.parent)
    if path is None:
        return case.root / "pyproject.toml"
    return path if path.parent == case.root or case.root in path.parents else None
