"""Shows what is wrong in a project's settings, in its pyproject.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.ide.session import Project
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.names import SOURCE
from adk_tool_lens.project.settings import Problem

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server


def report_settings(server: Server, project: Project) -> None:
    """Effect: publishes the problems of the settings; none takes earlier ones back."""
    path = project.configured.path
    if path is None:
        return
    own = [problem for problem in project.configured.problems if problem.path == path]
    if not own and path not in server.reported:
        return
    server.reported.add(path)
    server.connection.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(convert.uri_of(path), [_diagnostic(problem) for problem in own])
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
