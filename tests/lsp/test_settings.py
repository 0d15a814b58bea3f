"""Settings in an editor: the nearest pyproject.toml counts, and what is wrong in it is shown in it."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types

from lsp.conftest import Connect, Editor

AGENT = '''from google.adk.agents import Agent


def find(city: str) -> dict:
    """Finds the shops of a `city`. Returns a dict with `status`."""
    return {"status": "success"}


root_agent = Agent(name="a", model="gemini-2.5-flash", tools=[find, find])
'''


async def lenses(editor: Editor, uri: str) -> str:
    """What stands above tools and agents."""
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    found = await editor.client.text_document_code_lens_async(params)
    return " ".join(lens.command.title for lens in found or () if lens.command is not None)


async def test_each_package_has_its_own_settings(connect: Connect, tmp_path: Path) -> None:
    bank, shop = tmp_path / "bank", tmp_path / "shop"
    for folder in (bank, shop):
        folder.mkdir()
        (folder / "agent.py").write_text(AGENT, "utf-8")
    settings = bank / "pyproject.toml"
    settings.write_text(
        '[tool.adk-tool-lens]\nignore = ["duplicate-tool-nam"]\ntoken-budget = 5\nmax-tools = 1\n', "utf-8"
    )
    editor = await connect()
    bank_uri, shop_uri = ((folder / "agent.py").as_uri() for folder in (bank, shop))
    editor.open(bank_uri, AGENT)
    editor.open(shop_uri, AGENT)
    await editor.until("the finding", lambda: "description-over-budget" in editor.rules(bank_uri))
    assert "(over the budget of 5)" in await lenses(editor, bank_uri)
    assert "2 tools (more than 1)" in await lenses(editor, bank_uri)
    assert "budget" not in await lenses(editor, shop_uri)
    (shown,) = editor.shown(settings.as_uri())
    assert shown.severity is types.DiagnosticSeverity.Error
    assert "Did you mean `duplicate-tool-name`?" in shown.message
    assert (shown.range.start.line, shown.range.start.character) == (1, 11)

    settings.write_text('[tool.adk-tool-lens]\nignore = ["duplicate-tool-name"]\n', "utf-8")
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "pyproject.toml"
    other.write_text("[tool.adk-tool-lens]\nslect = []\n", "utf-8")
    changes = [types.FileEvent(path.as_uri(), types.FileChangeType.Changed) for path in (settings, other)]
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))
    await editor.until("the rule is off", lambda: "duplicate-tool-name" not in editor.rules(bank_uri))
    await editor.until("the problem is gone", lambda: editor.shown(settings.as_uri()) == [])
    await editor.until("a file of no open document", lambda: len(editor.shown(other.as_uri())) == 1)
