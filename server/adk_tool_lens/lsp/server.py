"""The language server's handlers: fetch the analysis, call `ide`, convert."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from adk_tool_lens import __version__
from adk_tool_lens.declaration.client import default_cache_dir
from adk_tool_lens.ide import actions as ide_actions
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.hover import hover
from adk_tool_lens.ide.session import Project, Session, open_project
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.documents import Document, Documents
from adk_tool_lens.lsp.options import Options, read_options

log = logging.getLogger(__name__)
FIX_ALL = "source.fixAll.adk-tool-lens"


class Protocol(LanguageServerProtocol):
    """pygls's protocol without its own documents: `Documents` keeps the texts."""

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(
        self, params: types.DidOpenTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Hands the document to our own handler only."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(
        self, params: types.DidChangeTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Hands the change to our own handler only."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(
        self, params: types.DidCloseTextDocumentParams
    ) -> Generator[Any, Any, None]:
        """Hands the closing to our own handler only."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class Server(LanguageServer):
    """The server and its state."""

    def __init__(self) -> None:
        super().__init__(
            "adk-tool-lens",
            __version__,
            types.TextDocumentSyncKind.Incremental,
            protocol_cls=Protocol,
        )
        self.texts = Documents()
        self.options = Options()
        self.projects: dict[Path | None, Project] = {}
        self.session = Session(self.project_for, self.later)
        self.loop: asyncio.AbstractEventLoop | None = None

    @property
    def encoding(self) -> convert.Encoding:
        """The position encoding agreed upon."""
        return self.workspace.position_encoding or types.PositionEncodingKind.Utf16

    def later(self, call: Callable[[], None]) -> None:
        """Runs a function on the event loop; callable from any thread."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(call)

    # ------------------------------------------------------------ projects

    def folder_of(self, path: Path | None) -> Path | None:
        """The innermost workspace folder that has a file."""
        folders = [convert.path_of(folder.uri) for folder in self.workspace.folders.values()]
        around = [f for f in folders if f is not None and path is not None and f in path.parents]
        if around:
            return max(around, key=lambda folder: len(folder.parts))
        return next((f for f in folders if f is not None), path.parent if path else None)

    def project_for(self, path: Path | None) -> Project:
        """The project of a file; its environment is asked for in the background."""
        folder = self.folder_of(path)
        project = self.projects.get(folder)
        if project is None:
            choice = self.options.for_folder(folder)
            project = self.projects[folder] = open_project(
                folder,
                explicit=choice.explicit,
                editor=choice.editor,
                trusted=self.options.trusted,
                backend=choice.backend,
                cache_dir=default_cache_dir(),
            )
            self.tell_status(project, "starting")
            threading.Thread(target=self._introduce, args=(project,), daemon=True).start()
        return project

    def _introduce(self, project: Project) -> None:
        environment = project.client.environment()

        def known() -> None:
            project.environment = environment
            self.tell_status(project, "no-adk" if environment.problem else "ready")
            if not environment.problem:
                project.client.warm()
            for uri, document in list(self.session.documents.items()):
                if document.project is project:
                    self.second_wave(str(uri))

        self.later(known)

    def tell_status(self, project: Project, state: str) -> None:
        """Effect: tells the client which google-adk and back end are in use."""
        environment = project.environment
        self.protocol.notify(
            "adkToolLens/status",
            {
                "state": state,
                "adkVersion": environment.adk if environment else None,
                "backend": project.backend.value,
                "interpreter": project.interpreter.path,
                "message": (environment.problem if environment else None) or project.interpreter.why,
                "folder": convert.uri_of(project.folder) if project.folder else None,
            },
        )

    # ------------------------------------------------------------ documents

    def analysis(self, uri: str) -> tuple[Document, Analysis] | None:
        """An open document with its analysis."""
        document = self.texts.by_uri.get(uri)
        known = self.session.documents.get(uri)
        if document is None or known is None or known.analysis is None:
            return None
        return document, known.analysis

    def first_wave(self, document: Document) -> None:
        """Effect: publishes what is known of a new text, and asks for the rest."""
        if document.language != "python":
            return
        self.session.update(document.uri, convert.path_of(document.uri), document.source)
        self.publish(document.uri)
        self.session.fetch(document.uri, lambda key: self.second_wave(str(key)))

    def second_wave(self, uri: str) -> None:
        """Effect: publishes again with the answers that have come."""
        if uri in self.session.documents:
            self.session.refresh(uri)
            self.publish(uri)
            self.session.fetch(uri, lambda key: self.second_wave(str(key)))

    def publish(self, uri: str) -> None:
        """Effect: publishes the diagnostics of a document's newest version."""
        found = self.analysis(uri)
        if found is None:
            return
        document, analysis = found
        starts = analysis.module.starts
        diagnostics = [
            convert.diagnostic(
                finding,
                convert.range_of(document.source, analysis.module.absolute(finding.place), self.encoding),
            )
            for finding in analysis.findings
            if finding.place.block in starts
        ]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, diagnostics, document.version)
        )

    def reconfigure(self, options: Options) -> None:
        """Effect: opens all projects anew under other settings."""
        self.options = options
        for project in self.projects.values():
            project.close()
        self.projects.clear()
        for document in list(self.texts.by_uri.values()):
            self.session.close(document.uri)
            self.first_wave(document)


def create_server() -> Server:
    """A server with its handlers, not yet running."""
    server = Server()

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.loop = asyncio.get_running_loop()
        server.options = read_options(params.initialization_options)
        logging.getLogger("adk_tool_lens").setLevel(server.options.log_level)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        server.first_wave(server.texts.open(params.text_document))

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        item = params.text_document
        document = server.texts.change(item.uri, item.version, params.content_changes, server.encoding)
        if document is not None:
            server.first_wave(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri in server.texts.by_uri:
            server.texts.close(uri)
            server.session.close(uri)
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def on_hover(params: types.HoverParams) -> types.Hover | None:
        found = server.analysis(params.text_document.uri)
        if found is None:
            return None
        document, analysis = found
        offset = convert.offset_of(document.source, params.position, server.encoding)
        card = hover(analysis, offset)
        if card is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, card.markdown)
        return types.Hover(content, convert.range_of(document.source, card.span, server.encoding))

    options = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    def code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        found = server.analysis(params.text_document.uri)
        return [] if found is None else _code_actions(server, *found, params)

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        options = read_options(params.settings)
        if options != server.options:
            server.reconfigure(options)

    @server.feature(types.SHUTDOWN)
    def shutdown(_params: None) -> None:
        for project in server.projects.values():
            project.close()

    return server


def _code_actions(
    server: Server, document: Document, analysis: Analysis, params: types.CodeActionParams
) -> list[types.CodeAction]:
    only = params.context.only or []
    wanted = [str(getattr(kind, "value", kind)) for kind in only]
    actions: list[types.CodeAction] = []
    if _asked_for(types.CodeActionKind.QuickFix.value, wanted, unless_asked=True):
        span = convert.span_of(document.source, params.range, server.encoding)
        actions += [
            _quick_fix(server, document, action, params) for action in ide_actions.actions(analysis, span)
        ]
    if _asked_for(FIX_ALL, wanted, unless_asked=False):
        edits = ide_actions.fix_all(analysis)
        if edits:
            changes = convert.text_edits(document.source, edits, server.encoding)
            title = "Fix all auto-fixable problems of ADK tools"
            edit = _workspace_edit(server, document, changes)
            actions.append(types.CodeAction(title, kind=FIX_ALL, edit=edit))
    return actions


def _asked_for(kind: str, wanted: list[str], *, unless_asked: bool) -> bool:
    """Whether a client asked for a kind: `source` asks for `source.fixAll.adk-tool-lens`, too."""
    if not wanted:
        return unless_asked
    return any(kind == asked or kind.startswith(f"{asked}.") or not asked for asked in wanted)


def _quick_fix(
    server: Server, document: Document, action: ide_actions.Action, params: types.CodeActionParams
) -> types.CodeAction:
    edits = [edit for own in action.edits.values() for edit in own]
    changes = convert.text_edits(document.source, edits, server.encoding)
    rule = action.finding.rule if action.finding else None
    diagnostics = [d for d in params.context.diagnostics if d.source == convert.SOURCE and d.code == rule]
    return types.CodeAction(
        action.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=diagnostics or None,
        is_preferred=action.preferred or None,
        edit=_workspace_edit(server, document, changes),
    )


def _workspace_edit(server: Server, document: Document, changes: list[types.TextEdit]) -> types.WorkspaceEdit:
    workspace = server.client_capabilities.workspace
    edit = workspace.workspace_edit if workspace else None
    if edit is not None and edit.document_changes:
        item = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(item, list(changes))])
    return types.WorkspaceEdit(changes={document.uri: changes})


def run() -> None:
    """Serves over standard input and output until the client ends it."""
    create_server().start_io()
