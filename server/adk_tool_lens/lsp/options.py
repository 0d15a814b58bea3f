"""The settings an editor sends, read without trusting their shape."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adk_tool_lens.declaration.model import Backend
from adk_tool_lens.lsp import convert
from adk_tool_lens.project.settings import Loaded, from_editor

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


@dataclass(frozen=True)
class FolderChoice:
    """The interpreter and back end chosen for a workspace folder."""

    explicit: str | None = None
    editor: str | None = None
    backend: Backend | None = None
    """None leaves it to the project's settings."""
    rules: Loaded = field(default_factory=Loaded)
    """What the editor says beyond the project's settings."""


@dataclass(frozen=True)
class Display:
    """What is shown between the lines of code."""

    lenses: bool = True
    hints: bool = False


@dataclass(frozen=True)
class Options:
    """Initialization options, or what `workspace/didChangeConfiguration` brings."""

    folders: Mapping[Path, FolderChoice] = field(default_factory=dict, hash=False)
    default: FolderChoice = FolderChoice()
    trusted: bool = True
    log_level: int = logging.INFO
    whole_workspace: bool | None = field(default=None, compare=False)
    """Whether findings of files that are not open are wanted, too; None when the client does not say."""
    displays: Mapping[Path, Display] = field(default_factory=dict, hash=False, compare=False)
    display: Display = field(default=Display(), compare=False)

    def for_folder(self, folder: Path | None) -> FolderChoice:
        """What was chosen for a folder."""
        return self.folders.get(folder, self.default) if folder is not None else self.default

    def display_of(self, folder: Path | None) -> Display:
        """What is shown in a folder."""
        return self.displays.get(folder, self.display) if folder is not None else self.display


def read_options(given: Any, *, trusted: bool = True) -> Options:
    """Options from JSON; what has an unexpected shape counts as not given.

    Args:
        given: What the client sent.
        trusted: Whether the workspace is trusted when the client does not say.
    """
    data = given if isinstance(given, Mapping) else {}
    settings = _mapping(data.get("settings") or data.get("adkToolLens") or data)
    backend = _backend(settings.get("backend"))
    explicit = _text(settings.get("interpreter"))
    display = _display(settings, Display())
    folders: dict[Path, FolderChoice] = {}
    displays: dict[Path, Display] = {}
    listed = data.get("folders")
    for folder in listed if isinstance(listed, list) else ():
        entry = _mapping(folder)
        path = convert.path_of(str(entry.get("uri") or ""))
        if path is not None:
            folders[path] = _folder(entry, settings, explicit)
            displays[path] = _display(_mapping(entry.get("settings")), display)
    return Options(
        folders,
        FolderChoice(explicit, _text(data.get("pythonExtensionInterpreter")), backend, from_editor(settings)),
        said if isinstance(said := data.get("trusted"), bool) else trusted,
        _LEVELS.get(str(settings.get("logLevel") or "info").lower(), logging.INFO),
        {"workspace": True, "openFilesOnly": False}.get(str(settings.get("diagnosticMode"))),
        displays,
        display,
    )


def _display(settings: Mapping[str, Any], default: Display) -> Display:
    lenses = _mapping(settings.get("lens")).get("enabled")
    hints = _mapping(settings.get("inlayHints")).get("enabled")
    return Display(
        lenses if isinstance(lenses, bool) else default.lenses,
        hints if isinstance(hints, bool) else default.hints,
    )


def _folder(entry: Mapping[str, Any], general: Mapping[str, Any], explicit: str | None) -> FolderChoice:
    interpreter = _text(entry.get("interpreter"))
    settings = {**general, **_mapping(entry.get("settings"))}
    backend, rules = _backend(settings.get("backend")), from_editor(settings)
    if entry.get("source") == "setting":
        return FolderChoice(interpreter or explicit, None, backend, rules)
    if entry.get("source") == "python-extension":
        return FolderChoice(explicit, interpreter, backend, rules)
    return FolderChoice(explicit, None, backend, rules)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _backend(value: Any) -> Backend | None:
    return next((backend for backend in Backend if value == backend.value), None)
