"""How a project wants its docstrings: what it says, else what most of it does."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

from adk_tool_lens.docstrings.model import Style
from adk_tool_lens.fixes.model import Taste
from adk_tool_lens.ide.actions import Context
from adk_tool_lens.ide.session import Project
from adk_tool_lens.project.scan import project_root
from adk_tool_lens.project.settings import STYLES


def context_of(project: Project, path: Path | None, root: Path | None = None) -> Context:
    """What the repairs of a file depend on beside its analysis.

    Args:
        project: Whose settings and index count.
        path: The file.
        root: The folder that repairs stay in; the project's own by default.
    """
    return Context(taste_of(project, path), root or project.folder)


def taste_of(project: Project, path: Path | None) -> Taste:
    """The `docstring-style` setting, and the style most used around a file."""
    configured = project.configuration.of(path).settings.docstring_style
    style = Style(configured) if configured is not None else None
    return Taste(style, usual=cache(partial(_usual, project, path)))


def _usual(project: Project, path: Path | None) -> Style | None:
    """The style most used in the innermost project that has a file, else in all that the index knows.

    None when there is no such style: no docstring has sections, or two styles are used as often.
    """
    index = project.index
    if index is None:
        return None
    folders = ([project_root(path)] if path is not None else []) + list(index.roots)
    for folder in folders:
        counts = index.styles(folder)
        if counts:
            most = [style for style, count in zip(STYLES, counts, strict=True) if count == max(counts)]
            return Style(most[0]) if len(most) == 1 else None
    return None
