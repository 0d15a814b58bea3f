"""The settings of a project, read and resolved once for each pyproject.toml that counts for its files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from adk_tool_lens.project.requirement import FILES, requirement_at
from adk_tool_lens.project.settings import Loaded, Problem, Settings, load
from adk_tool_lens.rules._selection import problems, resolve, rule_settings
from adk_tool_lens.rules.model import RuleSettings, Selection

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_OWN = (*FILES, ".git")
"""What a folder may have that makes its settings differ from those of the folder around it."""


@dataclass(frozen=True)
class Configured:
    """Settings with what follows from them."""

    settings: Settings
    selection: Selection
    numbers: RuleSettings
    problems: tuple[Problem, ...] = ()
    path: Path | None = None
    """The file that was read."""

    @property
    def interpreter(self) -> str | None:
        """The interpreter that the settings name; relative to their file."""
        text = self.settings.python
        if text is None or self.settings.folder is None or Path(text).is_absolute() or "/" not in text:
            return text
        return str(self.settings.folder / text)


def configured(
    folder: Path | None = None, *, config: Path | None = None, over: Loaded | None = None
) -> Configured:
    """The settings that count in a folder.

    Args:
        folder: The nearest pyproject.toml at or above it that has settings is read.
        config: The file to read instead.
        over: What the command line or the editor says beyond the file.
    """
    loaded = load(folder, config)
    wrong = [*problems(loaded)]
    settings = loaded.settings
    if over is not None:
        wrong += problems(over)
        settings = over.settings.over(settings)
    if settings.adk_version is None and folder is not None:
        settings = replace(settings, adk_version=requirement_at(folder))
    return Configured(settings, resolve(settings), rule_settings(settings), tuple(wrong), loaded.path)


@dataclass
class Configuration:
    """The settings of a project's files: in a monorepo each package may have its own.

    Args:
        folder: The project's folder.
        config: The file that counts for all files, instead of the nearest one.
        over: What the command line or the editor says beyond the files.
    """

    folder: Path | None = None
    config: Path | None = None
    over: Loaded | None = None
    _known: dict[Path, Configured] = field(default_factory=dict)
    _excluded: dict[Settings, GitIgnoreSpec] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.base = configured(self.folder, config=self.config, over=self.over)
        """The settings of the project's folder."""
        if self.folder is not None:
            self._known[self.folder] = self.base

    def of(self, path: Path | None) -> Configured:
        """The settings that count for a file."""
        if path is None or self.config is not None or not path.is_absolute():
            return self.base
        return self.at(path.parent)

    def at(self, folder: Path) -> Configured:
        """The settings that count in a folder: those of the one around it, unless it has files of its own."""
        known = self._known.get(folder)
        if known is None:
            inherits = self.folder in folder.parents and not any((folder / name).exists() for name in _OWN)
            known = self.at(folder.parent) if inherits else configured(folder, over=self.over)
            self._known[folder] = known
        return known

    def excludes(self, path: Path) -> bool:
        """Whether the `exclude` setting that counts for a file leaves it out."""
        settings = self.of(path).settings
        if not settings.exclude or settings.folder is None:
            return False
        spec = self._excluded.get(settings)
        if spec is None:
            from pathspec import GitIgnoreSpec

            spec = self._excluded[settings] = GitIgnoreSpec.from_lines(settings.exclude)
        return spec.match_file(os.path.relpath(path, settings.folder))

    def all(self) -> Iterator[Configured]:
        """The settings that have been read so far, one for each file of settings."""
        seen: set[Path | None] = set()
        for each in (self.base, *list(self._known.values())):
            if each.path not in seen:
                seen.add(each.path)
                yield each
