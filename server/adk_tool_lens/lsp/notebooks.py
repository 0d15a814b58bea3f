"""Open notebooks: which cells they have, in which order, and their Python as one text.

Cells are documents of their own for requests; what is shown of them is an analysis of the notebook. LSP:
"Notebook Document Synchronization".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.changes import Changes
from adk_tool_lens.lsp.documents import Document, Documents
from adk_tool_lens.source.cells import Cell, CellsText

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server


@dataclass
class Notebook:
    """One open notebook."""

    uri: str
    cells: list[str]
    """The URIs of its cells, in order."""
    _code: dict[str, bool] = field(default_factory=dict)
    _known: dict[str, Cell] = field(default_factory=dict)
    _order: list[str] = field(default_factory=list)
    _text: CellsText = field(default_factory=lambda: CellsText.joined(()))

    @property
    def path(self) -> Path | None:
        """Its file."""
        return convert.path_of(self.uri)

    def take(self, cells: Iterable[types.NotebookCell]) -> bool:
        """Effect: takes over what kind some cells are of; whether that is news."""
        kinds = {cell.document: cell.kind == types.NotebookCellKind.Code for cell in cells}
        news = any(self._code.get(uri) is not kind for uri, kind in kinds.items())
        self._code |= kinds
        return news

    def text(self, documents: Documents) -> CellsText:
        """The Python of its cells as they are now; the same object while nothing has changed."""
        cells: dict[str, Cell] = {}
        for number, uri in enumerate(self.cells, 1):
            document = documents.by_uri.get(uri)
            if document is not None and document.language == "python" and self._code.get(uri, True):
                cells[uri] = Cell.of(document.source, number, self._known.get(uri))
        order = list(cells)
        if order != self._order or any(
            cell.source is not self._known[uri].source or cell.number != self._known[uri].number
            for uri, cell in cells.items()
        ):
            self._text = CellsText.joined(cells.values())
            self._order, self._known = order, cells
        return self._text

    def uri_at(self, text: CellsText, index: int) -> str | None:
        """The URI of one of a text's cells; None when the text is not the newest."""
        return self._order[index] if text is self._text and index < len(self._order) else None

    def seen_from(self, uri: str, version: int) -> Document | None:
        """A cell as a document whose offsets are those of the notebook; None when it has no Python."""
        if uri not in self._known:
            return None
        return Document(uri, version, self._text.view(self._order.index(uri)))


@dataclass
class Notebooks:
    """All open notebooks by URI."""

    by_uri: dict[str, Notebook] = field(default_factory=dict)
    _of_cell: dict[str, str] = field(default_factory=dict)

    def key_of(self, uri: str) -> str:
        """What a document is analysed with: the notebook of a cell, else the document itself."""
        return self._of_cell.get(uri, uri)

    def cells_of(self, key: str) -> tuple[str, ...]:
        """The documents that an analysis is shown in."""
        notebook = self.by_uri.get(key)
        return (key,) if notebook is None else tuple(notebook.cells)

    def at(self, path: Path | None) -> Notebook | None:
        """The open notebook of a file."""
        return next((n for n in self.by_uri.values() if path is not None and n.path == path), None)

    def having(self, text: CellsText) -> Notebook | None:
        """The open notebook whose newest text this is."""
        return next((n for n in self.by_uri.values() if n._text is text), None)

    def set_cells(self, notebook: Notebook, cells: list[str]) -> list[str]:
        """Effect: gives a notebook other cells; the URIs that it no longer has."""
        gone = [uri for uri in notebook.cells if uri not in set(cells)]
        notebook.cells = cells
        for uri in gone:
            self._of_cell.pop(uri, None)
        self._of_cell.update(dict.fromkeys(cells, notebook.uri))
        return gone


# ---------------------------------------------------------------- notifications


def opened(server: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    """Effect: analyses a notebook that was opened."""
    item = params.notebook_document
    if item.uri in server.notebooks.by_uri:
        _forget(server, item.uri)
    for document in params.cell_text_documents:
        server.texts.open(document)
    notebook = server.notebooks.by_uri[item.uri] = Notebook(item.uri, [])
    notebook.take(item.cells)
    server.notebooks.set_cells(notebook, [cell.document for cell in item.cells])
    server.settle(item.uri)


def changed(server: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    """Effect: takes over what was changed; what only running a cell changes is no change of its text."""
    notebook = server.notebooks.by_uri.get(params.notebook_document.uri)
    cells = params.change.cells
    if notebook is None or cells is None:
        return
    news = notebook.take(cells.data or ())
    if cells.structure is not None:
        _restructured(server, notebook, cells.structure)
    if cells.structure is not None or news:
        server.pauses.edited(notebook.uri)
    for content in cells.text_content or ():
        server.edited(Changes.of(content.document, content.changes))


def _restructured(
    server: Server, notebook: Notebook, structure: types.NotebookDocumentCellChangeStructure
) -> None:
    array = structure.array
    fresh = array.cells or []
    for document in structure.did_open or ():
        server.texts.open(document)
    notebook.take(fresh)
    cells = list(notebook.cells)
    cells[array.start : array.start + array.delete_count] = [cell.document for cell in fresh]
    gone = server.notebooks.set_cells(notebook, cells)
    closed = [item.uri for item in structure.did_close or () if item.uri not in cells]
    for uri in dict.fromkeys([*gone, *closed]):
        server.texts.close(uri)
        server.clear(uri)


def closed(server: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    """Effect: forgets a notebook and clears what was shown of its cells."""
    uri = params.notebook_document.uri
    if uri in server.notebooks.by_uri:
        _forget(server, uri)
        server.closed(uri)


def _forget(server: Server, uri: str) -> None:
    notebook = server.notebooks.by_uri.pop(uri)
    for cell in server.notebooks.set_cells(notebook, []):
        server.texts.close(cell)
        server.clear(cell)
