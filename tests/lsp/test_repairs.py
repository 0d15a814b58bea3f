"""Repairs through the protocol: the whole file, the whole workspace, and nothing that is out of date."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types
from pytest_lsp import client_capabilities

from lsp.conftest import Connect

LOST = '''from typing import Annotated

from google.adk.agents import Agent
from pydantic import Field


def {name}(city: Annotated[str, Field(description="Name of it.")]) -> dict:
    """Finds shops."""
    return {{"status": "success"}}


root_agent = Agent(name="a", model="gemini-2.5-flash", tools=[{name}])
'''
EVERYTHING = types.Range(types.Position(0, 0), types.Position(99, 0))
FIX_ALL = "source.fixAll.adk-tool-lens"


async def test_fix_all_is_resolved_for_the_version_at_hand(connect: Connect, tmp_path: Path) -> None:
    uri = (tmp_path / "agent.py").as_uri()
    editor = await connect()
    editor.open(uri, LOST.format(name="find"))
    await editor.until("the finding", lambda: "field-description-lost" in editor.rules(uri))
    context = types.CodeActionContext(editor.shown(uri), only=[FIX_ALL])
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), EVERYTHING, context)
    found = await editor.client.text_document_code_action_async(params)
    (offered,) = found
    assert offered.edit is None
    resolved = await editor.client.code_action_resolve_async(offered)
    assert resolved.edit is not None
    assert resolved.edit.document_changes[0].text_document.version == 1
    editor.change(uri, 2, (0, 0, 0, 0, "\n"))
    late = await editor.client.code_action_resolve_async(offered)
    assert late.edit is None


async def test_the_workspace_is_repaired_as_one_edit(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "closed.py").write_text(LOST.format(name="closed"), "utf-8")
    opened = tmp_path / "opened.py"
    opened.write_text("x = 1\n", "utf-8")
    able = client_capabilities("visual-studio-code")
    assert able.workspace is not None
    able.workspace.apply_edit = False
    editor = await connect(capabilities=able)
    uri = opened.as_uri()
    editor.open(uri, LOST.format(name="opened"), version=5)
    await editor.until("the finding", lambda: "field-description-lost" in editor.rules(uri))
    params = types.ExecuteCommandParams("adkToolLens.fixWorkspace")
    edit = await editor.client.workspace_execute_command_async(params)
    changes = {change["textDocument"]["uri"]: change for change in edit["documentChanges"]}
    closed = (tmp_path / "closed.py").as_uri()
    assert set(changes) == {uri, closed}
    assert changes[uri]["textDocument"]["version"] == 5
    assert changes[closed]["textDocument"].get("version") is None
    text = "".join(own["newText"] for change in changes.values() for own in change["edits"])
    assert text.count("city: Name of it.") == 2
    assert (tmp_path / "closed.py").read_text("utf-8") == LOST.format(name="closed")


async def test_a_file_and_the_workspace_are_rewritten_both_ways(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "closed.py").write_text(LOST.format(name="closed"), "utf-8")
    able = client_capabilities("visual-studio-code")
    assert able.workspace is not None
    able.workspace.apply_edit = False
    editor = await connect(capabilities=able)
    (tmp_path / "opened.py").write_text("x = 1\n", "utf-8")
    uri = (tmp_path / "opened.py").as_uri()
    text = LOST.format(name="first") + "\n\n" + LOST.format(name="second")
    editor.open(uri, text)
    await editor.until("the findings", lambda: editor.rules(uri).count("field-description-lost") == 2)
    place = types.Range(types.Position(6, 5), types.Position(6, 5))
    context = types.CodeActionContext([], only=[types.CodeActionKind.RefactorRewrite])
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
    offered = {a.title: a for a in await editor.client.text_document_code_action_async(params)}
    of_file = offered["Move all descriptions of the file to docstring Args"]
    resolved = await editor.client.code_action_resolve_async(of_file)
    (change,) = resolved.edit.document_changes
    assert "".join(edit.new_text for edit in change.edits).count("city: Name of it.") == 2
    assert "Move all descriptions of the workspace to docstring Args" in offered
    run = types.ExecuteCommandParams("adkToolLens.fixWorkspace", ["move-description"])
    edit = await editor.client.workspace_execute_command_async(run)
    changes = {change["textDocument"]["uri"]: change for change in edit["documentChanges"]}
    assert set(changes) == {uri, (tmp_path / "closed.py").as_uri()}
    written = "".join(own["newText"] for change in changes.values() for own in change["edits"])
    assert written.count("city: Name of it.") == 3
