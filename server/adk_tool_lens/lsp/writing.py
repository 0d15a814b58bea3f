"""Code actions on the wire: kinds, versions of documents, snippets and change annotations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types

from adk_tool_lens.fixes.docstring_text import PLACEHOLDER
from adk_tool_lens.ide.actions import Action, Edits
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.documents import Document, Documents
from adk_tool_lens.lsp.names import QUICK_FIX, REWRITE, SOURCE
from adk_tool_lens.lsp.notebooks import Notebooks
from adk_tool_lens.project.files import UnreadableError, read
from adk_tool_lens.rules.model import Finding
from adk_tool_lens.source.cells import CellsText, CellView
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.rowtext import RowText

_ANNOTATION = "adk-tool-lens"
_KEEP = types.CreateFileOptions(ignore_if_exists=True)
Texts = dict[str, tuple[RowText, tuple[Edit, ...]]]
"""Edits by document, with the text that their offsets refer to."""


@dataclass(frozen=True)
class Writer:
    """Writes edits as a client can take them."""

    documents: Documents
    encoding: convert.Encoding
    capabilities: types.ClientCapabilities
    notebooks: Notebooks = field(default_factory=Notebooks)

    @property
    def _edit(self) -> types.WorkspaceEditClientCapabilities:
        workspace = self.capabilities.workspace
        own = workspace.workspace_edit if workspace else None
        return own or types.WorkspaceEditClientCapabilities()

    @property
    def _code_action(self) -> types.CodeActionClientCapabilities:
        document = self.capabilities.text_document
        own = document.code_action if document else None
        return own or types.CodeActionClientCapabilities()

    @property
    def resolves(self) -> bool:
        """Whether the client asks for the edit of an action only when it is chosen."""
        support = self._code_action.resolve_support
        return support is not None and "edit" in support.properties and bool(self._code_action.data_support)

    @property
    def takes_snippets(self) -> bool:
        """Whether edits may have placeholders (LSP 3.18)."""
        return bool(self._edit.snippet_edit_support and self._edit.document_changes)

    @property
    def creates_files(self) -> bool:
        """Whether edits may make files."""
        operations = self._edit.resource_operations or ()
        return bool(self._edit.document_changes) and types.ResourceOperationKind.Create in operations

    # ------------------------------------------------------------ actions

    def code_action(
        self, action: Action, document: Document, diagnostics: Sequence[types.Diagnostic]
    ) -> types.CodeAction | None:
        """An action with its edit; None when a file it changes has changed."""
        edit = self.workspace_edit(action, document)
        if edit is None:
            return None
        return types.CodeAction(
            action.title,
            kind=REWRITE if action.refactoring else QUICK_FIX,
            diagnostics=list(_about(action.finding, diagnostics)) or None,
            is_preferred=action.preferred or None,
            edit=edit,
        )

    def workspace_edit(self, action: Action, document: Document) -> types.WorkspaceEdit | None:
        """The edits of an action; None when they refer to a version of a file that is no more."""
        texts: Texts = {}
        for path, edits in action.edits.items():
            module = action.modules.get(path)
            if module is not None and isinstance(module.source, CellsText):
                parts = self._by_cell(module.source, edits)
                if parts is None:
                    return None
                texts |= parts
                continue
            own = document.source if module is not None and module.source is document.source else None
            uri = document.uri if own is not None or path is None else self._uri_of(path)
            source = RowText.of("") if path in action.creates else own or self._source(uri, path)
            if source is None or (module is not None and module.text != source.text):
                return None
            texts[uri] = (source, edits)
        if action.creates and not self.creates_files:
            return None
        edit = self._written(texts, action.title, snippet=action.snippet and self.takes_snippets)
        new = [types.CreateFile(self._uri_of(path), options=_KEEP) for path in sorted(action.creates)]
        if new:
            edit.document_changes = [*new, *(edit.document_changes or ())]
        return edit

    def _by_cell(self, text: CellsText, edits: tuple[Edit, ...]) -> Texts | None:
        """Edits of a notebook by the documents of its cells; None when it is not open as it is read here."""
        notebook, parts = self.notebooks.having(text), text.by_cell(edits)
        if notebook is None or parts is None:
            return None
        texts: Texts = {}
        for index, own in parts.items():
            uri = notebook.uri_at(text, index)
            if uri is None:
                return None
            texts[uri] = (text.view(index), own)
        return texts

    def plain_edit(self, edits: Edits, title: str) -> types.WorkspaceEdit | None:
        """Edits of files as they are now."""
        texts: Texts = {}
        for path, own in edits.items():
            source = self._source(self._uri_of(path), path) if path is not None else None
            if source is None or path is None:
                return None
            texts[self._uri_of(path)] = (source, own)
        return self._written(texts, title, snippet=False)

    def document_edit(
        self, document: Document, edits: tuple[Edit, ...], title: str
    ) -> types.WorkspaceEdit | None:
        """Edits of one open document; of a cell, those of its whole notebook."""
        texts: Texts | None = {document.uri: (document.source, edits)}
        if isinstance(document.source, CellView):
            texts = self._by_cell(document.source.whole, edits)
        return None if texts is None else self._written(texts, title, snippet=False)

    # ------------------------------------------------------------ texts

    def _uri_of(self, path: Path) -> str:
        """The URI under which the editor has a file."""
        for uri in self.documents.by_uri:
            if convert.path_of(uri) == path:
                return uri
        return convert.uri_of(path)

    def _source(self, uri: str, path: Path | None) -> RowText | None:
        document = self.documents.by_uri.get(uri)
        if document is not None:
            return document.source
        try:
            return RowText.of(read(path).text) if path is not None else None
        except UnreadableError:
            return None

    def _written(self, texts: Texts, title: str, *, snippet: bool) -> types.WorkspaceEdit:
        if not self._edit.document_changes:
            changes = {
                uri: convert.text_edits(source, edits, self.encoding)
                for uri, (source, edits) in texts.items()
            }
            return types.WorkspaceEdit(changes=changes)
        annotated = self._edit.change_annotation_support is not None
        annotated &= bool(self._code_action.honors_change_annotations)
        documents = []
        numbers = _Numbers()
        for uri, (source, edits) in texts.items():
            known = self.documents.by_uri.get(uri)
            item = types.OptionalVersionedTextDocumentIdentifier(uri, known.version if known else None)
            whole = _from_the_margin(source, edits) if snippet else edits
            plain = convert.text_edits(source, whole, self.encoding)
            own = [_dressed(edit, numbers, annotated=annotated, snippet=snippet) for edit in plain]
            documents.append(types.TextDocumentEdit(item, own))
        annotations = {_ANNOTATION: types.ChangeAnnotation(title)} if annotated else None
        return types.WorkspaceEdit(document_changes=list(documents), change_annotations=annotations)


def _about(finding: Finding | None, diagnostics: Iterable[types.Diagnostic]) -> Iterable[types.Diagnostic]:
    """The client's diagnostics that an action repairs."""
    if finding is None:
        return ()
    same_rule = (d for d in diagnostics if d.source == SOURCE and d.code == finding.rule)
    return (d for d in same_rule if d.message == finding.message)


def _from_the_margin(source: RowText, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits, those that become snippets of several lines widened to the start of their line.

    Editors indent the further lines of a snippet like the text before its place; ours are indented already.
    """
    return tuple(_widened(source, edit, edits) if _asks_in_lines(edit.text) else edit for edit in edits)


def _widened(source: RowText, edit: Edit, edits: tuple[Edit, ...]) -> Edit:
    margin = edit.start - source.line_column(edit.start)[1]
    if any(margin < other.end <= edit.start for other in edits if other is not edit):
        return edit  # two edits must not overlap
    return Edit(margin, edit.end, source.text[margin : edit.start] + edit.text)


def _asks_in_lines(text: str) -> bool:
    """Whether a text has something to fill in, and several lines."""
    return PLACEHOLDER in text and "\n" in text


class _Numbers:
    """Counts placeholders through all edits of an action."""

    def __init__(self) -> None:
        self.last = 0

    def snippet(self, text: str) -> str:
        """The text as a snippet: what a person has to fill in is a placeholder."""
        parts = [re.sub(r"[\\$}]", r"\\\g<0>", part) for part in text.split(PLACEHOLDER)]
        out = parts[0]
        for part in parts[1:]:
            self.last += 1
            out += f"${{{self.last}:{PLACEHOLDER}}}{part}"
        return out


def _dressed(
    edit: types.TextEdit, numbers: _Numbers, *, annotated: bool, snippet: bool
) -> types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit:
    annotation = _ANNOTATION if annotated else None
    fits = edit.range.start.character == 0 or not _asks_in_lines(edit.new_text)
    if snippet and fits and PLACEHOLDER in edit.new_text:
        value = types.StringValue(numbers.snippet(edit.new_text))
        return types.SnippetTextEdit(edit.range, value, annotation)
    if annotation is not None:
        return types.AnnotatedTextEdit(annotation, edit.range, edit.new_text)
    return edit
