"""Where things are, as LSP's locations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.discovery.module import Place
from adk_tool_lens.discovery.resolve import Definition
from adk_tool_lens.lsp import convert
from adk_tool_lens.source.cells import CellsText
from adk_tool_lens.source.text import Span

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server


def location(server: Server, place: Place) -> types.Location | None:
    """Where a place is, in the newest version of its file; None when it is gone."""
    if place.path is None:
        return None
    module = server.project_for(place.path).workspace.module_at(place.path)
    if module is None or place.block not in module.starts:
        return None
    span = module.absolute(place)
    if isinstance(module.source, CellsText):
        return _in_cell(server, module.source, span, place.path)
    where = convert.range_of(module.source, span, server.encoding)
    return types.Location(convert.uri_of(place.path), where)


def location_of(server: Server, found: Definition | None) -> types.Location | None:
    """Where a definition is that jedi found; None when its file cannot be read."""
    module = server.project_for(found.path).workspace.module_at(found.path) if found is not None else None
    if found is None or module is None:
        return None
    start = module.source.offset(found.line, found.column)
    where = convert.range_of(module.source, Span(start, start + found.length), server.encoding)
    return types.Location(convert.uri_of(found.path), where)


def _in_cell(server: Server, text: CellsText, span: Span, path: Path) -> types.Location:
    """A place of a notebook; of one that is not open, its file: only the editor can name its cells."""
    index = text.index_at(span.start)
    notebook = server.notebooks.having(text)
    uri = notebook.uri_at(text, index) if notebook is not None else None
    if uri is None:
        start = types.Position(0, 0)
        return types.Location(convert.uri_of(path), types.Range(start, start))
    return types.Location(uri, convert.range_of(text.view(index), span, server.encoding))
