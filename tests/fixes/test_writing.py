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


def _snippets(
    text: str, *added: Edit
) -> list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit]:
    documents = Documents()
    document = documents.open(types.TextDocumentItem(URI, "python", 7, text))
    able = types.WorkspaceEditClientCapabilities(True, snippet_edit_support=True)
    workspace = types.WorkspaceClientCapabilities(workspace_edit=able)
    writer = Writer(
        documents, types.PositionEncodingKind.Utf16, types.ClientCapabilities(workspace=workspace)
    )
    edit = writer.workspace_edit(
        Action("x", {Path("/nowhere/agent.py"): added}, safe=False, snippet=True), document
    )
    assert edit is not None
    assert edit.document_changes is not None
    (change,) = edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    return list(change.edits)


def test_snippet_of_several_lines_begins_at_the_margin() -> None:
    """Else an editor would indent its further lines once more."""
    (own,) = _snippets("def f():\n    'x' $1\n", Edit(18, 18, "\n\n    TODO: describe.\n"))
    assert isinstance(own, types.SnippetTextEdit)
    assert own.range == types.Range(types.Position(1, 0), types.Position(1, 9))
    assert own.snippet.value == "    'x' \\$\n\n    ${1:TODO: describe.}\n"


def test_snippet_with_an_edit_before_it_in_its_line_is_plain_text() -> None:
    first, second = _snippets(
        "def f():\n    'x'\n", Edit(13, 14, "''"), Edit(16, 16, "\n    TODO: describe.")
    )
    assert isinstance(first, types.TextEdit)
    assert isinstance(second, types.TextEdit)
    assert second.new_text == "\n    TODO: describe."


def test_a_version_that_is_no_more_gives_no_edit() -> None:
    documents = Documents()
    document = documents.open(types.TextDocumentItem(URI, "python", 7, TEXT))
    writer = Writer(documents, types.PositionEncodingKind.Utf16, types.ClientCapabilities())
    gone = Path("/nowhere/gone.py")
    assert writer.workspace_edit(Action("x", {gone: (Edit(0, 0, "x"),)}, safe=True), document) is None
