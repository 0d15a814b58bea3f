"""Shows what is wrong in a project's settings, in its pyproject.toml."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.ide.session import Project
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.names import SOURCE
from adk_tool_lens.project.settings import Problem

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server

log = logging.getLogger(__name__)


def report_settings(server: Server, project: Project) -> None:
    """Effect: publishes what is wrong in the settings that a project has read, where that is news."""
    for problem in project.configured.problems:
        if problem.path is None and problem not in server.told:
            server.told.add(problem)
            log.warning("settings of the editor: %s", problem)
    for configured in project.configuration.all():
        if configured.path is not None:
            own = tuple(problem for problem in configured.problems if problem.path == configured.path)
            _publish(server, configured.path, own)


def settings_changed(server: Server, paths: Iterable[Path]) -> None:
    """Effect: reads files of settings that changed on disk, also those that count for no open document."""
    for path in paths:
        if path.is_file():
            project = server.project_for(path)
            project.configuration.at(path.parent)
            report_settings(server, project)
        else:
            _publish(server, path, ())


def _publish(server: Server, path: Path, problems: tuple[Problem, ...]) -> None:
    if problems == server.reported.get(path, ()):
        return
    server.reported[path] = problems
    server.connection.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(convert.uri_of(path), [_diagnostic(problem) for problem in problems])
    )


def _diagnostic(problem: Problem) -> types.Diagnostic:
    """Keys and names of rules are ASCII, so columns need no conversion."""
    start = types.Position(problem.line, problem.column)
    end = types.Position(problem.line, problem.column + problem.length)
    return types.Diagnostic(
        types.Range(start, end),
        problem.message,
        severity=types.DiagnosticSeverity.Error,
        source=SOURCE,
    )
