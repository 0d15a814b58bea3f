"""Code actions as different clients get them: versions, annotations, placeholders."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from adk_tool_lens.ide.actions import Action
from adk_tool_lens.lsp.documents import Documents
from adk_tool_lens.lsp.writing import Writer
from adk_tool_lens.source.edits import Edit

URI = Path("/nowhere/agent.py").as_uri()
TEXT = "a = '$x'\n"
ADDED = Edit(9, 9, '"""{$} TODO: describe."""\n')


def _edit(capabilities: types.WorkspaceEditClientCapabilities) -> types.WorkspaceEdit:
    documents = Documents()
    document = documents.open(types.TextDocumentItem(URI, "python", 7, TEXT))
    able = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(workspace_edit=capabilities),
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(honors_change_annotations=True)
        ),
    )
    writer = Writer(documents, types.PositionEncodingKind.Utf16, able)
    action = Action("Add it", {Path("/nowhere/agent.py"): (ADDED,)}, safe=False, snippet=True)
    found = writer.workspace_edit(action, document)
    assert found is not None
    return found


def test_a_simple_client_gets_plain_changes() -> None:
    edit = _edit(types.WorkspaceEditClientCapabilities())
    assert edit.document_changes is None
    assert edit.changes is not None
    assert [e.new_text for e in edit.changes[URI]] == [ADDED.text]


def test_versions_and_annotations() -> None:
    support = types.ChangeAnnotationsSupportOptions()
    edit = _edit(types.WorkspaceEditClientCapabilities(True, change_annotation_support=support))
    assert edit.document_changes is not None
    change = edit.document_changes[0]
    assert isinstance(change, types.TextDocumentEdit)
    assert (change.text_document.uri, change.text_document.version) == (URI, 7)
    own = change.edits[0]
    assert isinstance(own, types.AnnotatedTextEdit)
    assert edit.change_annotations is not None
    assert edit.change_annotations[own.annotation_id].label == "Add it"


def test_placeholders_where_they_are_announced() -> None:
    edit = _edit(types.WorkspaceEditClientCapabilities(True, snippet_edit_support=True))
    assert edit.document_changes is not None
    change = edit.document_changes[0]
    assert isinstance(change, types.TextDocumentEdit)
    own = change.edits[0]
    assert isinstance(own, types.SnippetTextEdit)
    assert own.snippet.value == '"""{\\$\\} ${1:TODO: describe.}"""\n'


def test_a_version_that_is_no_more_gives_no_edit() -> None:
    documents = Documents()
    document = documents.open(types.TextDocumentItem(URI, "python", 7, TEXT))
    writer = Writer(documents, types.PositionEncodingKind.Utf16, types.ClientCapabilities())
    gone = Path("/nowhere/gone.py")
    assert writer.workspace_edit(Action("x", {gone: (Edit(0, 0, "x"),)}, safe=True), document) is None
