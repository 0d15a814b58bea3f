"""Switching a rule off for the project: in which pyproject.toml, and in a new one where there is none."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from adk_tool_lens.discovery.module import Place
from adk_tool_lens.fixes import catalogue
from adk_tool_lens.fixes.model import Case, FileEdit, Repair
from adk_tool_lens.ide.actions import action
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.session import analyse_now, open_project
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.documents import Documents
from adk_tool_lens.lsp.writing import Writer
from adk_tool_lens.rules.model import Finding, Fix, Severity
from adk_tool_lens.source.text import Span

WRITTEN = '[tool.adk-tool-lens]\nignore = ["thin-description"]\n'


def repaired(file: Path, root: Path) -> Repair | None:
    """The repair for a finding in a file."""
    module = Workspace((root,), "python").module_of("x = 1\n", file)
    place = Place(file, module.blocks[0], Span(0, 1))
    finding = Finding("thin-description", Severity.HINT, "", place)
    return catalogue.repair(Fix("disable-rule-in-pyproject"), Case(module, finding=finding, root=root))


def test_the_nearest_file_within_the_project_is_taken(tmp_path: Path) -> None:
    root, inner = tmp_path / "root", tmp_path / "root" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("", "utf-8")
    (root / "pyproject.toml").write_text("[project]\nname = 'a'\n", "utf-8")
    made = repaired(inner / "agent.py", root)
    assert made is not None
    assert made.title == "Disable thin-description for the project in pyproject.toml"
    assert made.edits == (FileEdit(root / "pyproject.toml", 21, 21, f"\n{WRITTEN}"),)


def test_a_file_is_made_where_there_is_none(tmp_path: Path) -> None:
    made = repaired(tmp_path / "inner" / "agent.py", tmp_path)
    assert made is not None
    assert made.title == "Disable thin-description for the project in a new pyproject.toml"
    assert made.edits == (FileEdit(tmp_path / "pyproject.toml", 0, 0, WRITTEN, create=True),)
    assert repaired(Path("/elsewhere/agent.py"), tmp_path) is None


def _written(
    made: Repair, file: Path, *operations: types.ResourceOperationKind
) -> types.WorkspaceEdit | None:
    analysis = _analysis(file)
    found = action(analysis, made)
    assert found is not None
    documents = Documents()
    document = documents.open(types.TextDocumentItem(convert.uri_of(file), "python", 1, "x = 1\n"))
    able = types.WorkspaceEditClientCapabilities(True, resource_operations=operations)
    capabilities = types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(workspace_edit=able))
    return Writer(documents, types.PositionEncodingKind.Utf16, capabilities).workspace_edit(found, document)


def _analysis(file: Path) -> Analysis:
    project = open_project(file.parent)
    return analyse_now(project, project.workspace.module_of("x = 1\n", file))


def test_a_client_that_makes_files_is_told_to(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    made = repaired(file, tmp_path)
    assert made is not None
    assert _written(made, file) is None
    edit = _written(made, file, types.ResourceOperationKind.Create)
    assert edit is not None
    uri = convert.uri_of(tmp_path / "pyproject.toml")
    new, change = edit.document_changes or ()
    assert isinstance(new, types.CreateFile)
    assert new.uri == uri
    assert isinstance(change, types.TextDocumentEdit)
    assert (change.text_document.uri, change.text_document.version) == (uri, None)
    assert [getattr(each, "new_text", None) for each in change.edits] == [WRITTEN]
