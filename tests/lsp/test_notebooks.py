"""Notebooks: their cells are one module, and what is found is shown in the cell that it stands in."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types

IMPORTS = "%pip install google-adk\nfrom google.adk.agents import Agent"
TOOL = '''def look_up(x) -> dict:
    """Looks up an order.

    Args:
        x: The order.
    """
    return {}'''
AGENT = '!ls\nroot = Agent(name="a", model="gemini-2.5-flash", instruction="x", tools=[look_up])'
ENTRY = AGENT.splitlines()[1].index("look_up")


@dataclass
class Notebook:
    """A notebook in an editor that has notebook documents."""

    editor: Any
    uri: str
    cells: list[str] = field(default_factory=list)
    version: int = 1
    _made: int = 0

    def _document(self, text: str, language: str = "python") -> types.TextDocumentItem:
        self._made += 1
        uri = f"vscode-notebook-cell:{self.uri.removeprefix('file:')}#W{self._made}sZmlsZQ%3D%3D"
        return types.TextDocumentItem(uri, language, 1, text)

    def open(self, *texts: str) -> list[str]:
        """Opens it with a Python cell for each text; their URIs."""
        documents = [self._document(text) for text in texts]
        self.cells = [each.uri for each in documents]
        cells = [types.NotebookCell(types.NotebookCellKind.Code, uri) for uri in self.cells]
        notebook = types.NotebookDocument(self.uri, "jupyter-notebook", self.version, cells)
        params = types.DidOpenNotebookDocumentParams(notebook, documents)
        self.editor.client.notebook_document_did_open(params)
        return self.cells

    def _changed(self, cells: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        identifier = types.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        event = types.NotebookDocumentChangeEvent(cells=cells)
        params = types.DidChangeNotebookDocumentParams(identifier, event)
        self.editor.client.notebook_document_did_change(params)

    def edit(self, cell: str, version: int, where: types.Range, text: str) -> None:
        """Edits the text of a cell."""
        item = types.VersionedTextDocumentIdentifier(version, cell)
        changes = [types.TextDocumentContentChangePartial(where, text)]
        content = types.NotebookDocumentCellContentChanges(item, changes)
        self._changed(types.NotebookDocumentCellChanges(text_content=[content]))

    def insert(self, at: int, text: str) -> str:
        """Puts a new cell in front of another one; its URI."""
        document = self._document(text)
        self.cells.insert(at, document.uri)
        array = types.NotebookCellArrayChange(at, 0, [_code(document.uri)])
        structure = types.NotebookDocumentCellChangeStructure(array, did_open=[document])
        self._changed(types.NotebookDocumentCellChanges(structure=structure))
        return document.uri

    def remove(self, at: int) -> str:
        """Takes a cell away; its URI."""
        uri = self.cells.pop(at)
        array = types.NotebookCellArrayChange(at, 1)
        gone = [types.TextDocumentIdentifier(uri)]
        structure = types.NotebookDocumentCellChangeStructure(array, did_close=gone)
        self._changed(types.NotebookDocumentCellChanges(structure=structure))
        return uri

    def reorder(self, order: list[int]) -> None:
        """Gives the cells another order."""
        count = len(self.cells)
        self.cells = [self.cells[index] for index in order]
        array = types.NotebookCellArrayChange(0, count, [_code(uri) for uri in self.cells])
        structure = types.NotebookDocumentCellChangeStructure(array)
        self._changed(types.NotebookDocumentCellChanges(structure=structure))

    def run(self, cell: str) -> None:
        """Runs a cell, which changes its number of execution only."""
        data = types.NotebookCell(
            types.NotebookCellKind.Code, cell, execution_summary=types.ExecutionSummary(7, True)
        )
        self._changed(types.NotebookDocumentCellChanges(data=[data]))

    def close(self) -> None:
        """Closes it."""
        cells = [types.TextDocumentIdentifier(uri) for uri in self.cells]
        params = types.DidCloseNotebookDocumentParams(types.NotebookDocumentIdentifier(self.uri), cells)
        self.editor.client.notebook_document_did_close(params)


def _code(uri: str) -> types.NotebookCell:
    return types.NotebookCell(types.NotebookCellKind.Code, uri)


def span(a: int, b: int, c: int, d: int) -> types.Range:
    """A range by its four numbers."""
    return types.Range(types.Position(a, b), types.Position(c, d))


def untyped(editor: Any, uri: str) -> list[types.Range]:
    """Where a cell shows that a parameter has no type."""
    return [d.range for d in editor.shown(uri) if d.code == "untyped-parameter"]


async def test_a_tool_of_one_cell_is_registered_in_another(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    notebook = Notebook(editor, (tmp_path / "orders.ipynb").as_uri())
    first, tool, agent = notebook.open(IMPORTS, TOOL, AGENT)
    await editor.until("the tool's diagnostics", lambda: untyped(editor, tool))
    assert untyped(editor, tool) == [span(0, 12, 0, 13)]
    assert editor.shown(first) == []
    assert "look_up" in await editor.hover_until(agent, 1, ENTRY, "```json")
    assert "look_up" in await editor.hover_until(tool, 0, 6, "```json")
    assert await editor.hover(first, 0, 6) == ""
    goto = types.DefinitionParams(types.TextDocumentIdentifier(agent), types.Position(1, ENTRY))
    where = await editor.client.text_document_definition_async(goto)
    assert where == types.Location(tool, span(0, 4, 0, 11))


async def test_repairs_and_lenses_are_those_of_the_cell(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    notebook = Notebook(editor, (tmp_path / "orders.ipynb").as_uri())
    _, tool, agent = notebook.open(IMPORTS, TOOL, AGENT)
    await editor.until("the tool's diagnostics", lambda: untyped(editor, tool))
    actions = await editor.actions(tool, untyped(editor, tool)[0])
    edits = [change for a in actions if a.edit is not None for change in a.edit.document_changes or ()]
    assert edits
    in_texts = [edit for edit in edits if isinstance(edit, types.TextDocumentEdit)]
    cells = {e.text_document.uri: e.text_document.version for e in in_texts if e.text_document.version}
    assert cells == {tool: 1}
    assert span(0, 13, 0, 13) in [edit.range for each in in_texts for edit in each.edits]
    for uri, lines in ((tool, {0}), (agent, {1})):
        params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
        lenses = await editor.client.text_document_code_lens_async(params)
        assert {lens.range.start.line for lens in lenses or ()} == lines


async def test_an_edit_of_one_cell_changes_what_another_shows(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    notebook = Notebook(editor, (tmp_path / "orders.ipynb").as_uri())
    _, tool, agent = notebook.open(IMPORTS, TOOL, AGENT)
    await editor.until("the tool's diagnostics", lambda: untyped(editor, tool))
    notebook.edit(agent, 2, span(1, ENTRY, 1, ENTRY + 7), "")
    await editor.until("the tool to be none any more", lambda: editor.shown(tool) == [])
    notebook.edit(agent, 3, span(1, ENTRY, 1, ENTRY), "look_up")
    await editor.until("the tool to be one again", lambda: untyped(editor, tool))


async def test_cells_come_go_and_change_places(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    notebook = Notebook(editor, (tmp_path / "orders.ipynb").as_uri())
    _, tool, _ = notebook.open(IMPORTS, TOOL, AGENT)
    await editor.until("the tool's diagnostics", lambda: untyped(editor, tool))
    again = notebook.insert(2, "def look_up(y, z) -> dict:\n    return {}")
    await editor.until("the later definition to count", lambda: len(untyped(editor, again)) == 2)
    await editor.until("the earlier one to be quiet", lambda: not untyped(editor, tool))
    notebook.reorder([0, 2, 1, 3])
    await editor.until(
        "the order of cells to count", lambda: untyped(editor, tool) and not untyped(editor, again)
    )
    gone = notebook.remove(1)
    assert gone == again
    await editor.until("nothing to be shown of a cell that is gone", lambda: editor.shown(gone) == [])
    assert untyped(editor, tool) == [span(0, 12, 0, 13)]


async def test_running_a_cell_changes_nothing(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    notebook = Notebook(editor, (tmp_path / "orders.ipynb").as_uri())
    _, tool, agent = notebook.open(IMPORTS, TOOL, AGENT)
    await editor.until("the tool's diagnostics", lambda: untyped(editor, tool))
    await editor.hover_until(tool, 0, 6, "```json")
    editor.published.clear()
    notebook.run(tool)
    notebook.run(agent)
    assert "look_up" in await editor.hover(tool, 0, 6)
    await asyncio.sleep(0.2)
    assert editor.published == []


async def test_half_typed_cells_leave_the_others_alone(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    notebook = Notebook(editor, (tmp_path / "orders.ipynb").as_uri())
    first, tool, agent = notebook.open(IMPORTS, TOOL, AGENT)
    await editor.until("the tool's diagnostics", lambda: untyped(editor, tool))
    notebook.edit(first, 2, span(1, 35, 1, 35), '\ntext = """ half of a text (')
    broken = notebook.insert(2, "answer = await ask(\n%%bash")
    await editor.hover_until(agent, 1, ENTRY, "```json")
    assert untyped(editor, tool) == [span(0, 12, 0, 13)]
    assert editor.shown(broken) == []


async def test_the_notebook_on_disk_counts_again_when_it_is_closed(connect: Any, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("", "utf-8")
    (tmp_path / "tools.py").write_text(TOOL, "utf-8")
    editor = await connect(adk="2.13.0")
    tools = (tmp_path / "tools.py").as_uri()
    editor.open(tools, TOOL)
    notebook = Notebook(editor, (tmp_path / "orders.ipynb").as_uri())
    notebook.open(IMPORTS + "\nfrom tools import look_up", AGENT)
    await editor.until("a tool of a module that a notebook registers", lambda: untyped(editor, tools))
    notebook.close()
    await editor.until("the module to have no tools", lambda: editor.shown(tools) == [])
    assert all(editor.shown(uri) == [] for uri in notebook.cells)
