"""The settings of a project, read and resolved once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from adk_tool_lens.project.settings import Loaded, Problem, Settings, load
from adk_tool_lens.rules._selection import problems, resolve, rule_settings
from adk_tool_lens.rules.model import RuleSettings, Selection


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
        folder: The nearest pyproject.toml at or above it is read.
        config: The file to read instead.
        over: What the command line or the editor says beyond the file.
    """
    loaded = load(folder, config)
    wrong = [*problems(loaded)]
    settings = loaded.settings
    if over is not None:
        wrong += problems(over)
        settings = over.settings.over(settings)
    return Configured(settings, resolve(settings), rule_settings(settings), tuple(wrong), loaded.path)
