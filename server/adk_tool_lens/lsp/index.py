"""What the editor and the index tell each other: progress, and files that change on disk."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.ide.session import Project
from adk_tool_lens.project.requirement import FILES

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server

WATCHED = ("**/*.py", "**/*.ipynb", "**/.gitignore", *(f"**/{name}" for name in FILES if name != "setup.py"))
STEPS = 20
"""How often progress is told at most."""


def register_watchers(server: Server) -> None:
    """Effect: asks the client to tell of files that change on disk, when it can be asked."""
    client = server.connection
    workspace = client.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is None or not watching.dynamic_registration:
        return
    watchers = [types.FileSystemWatcher(glob) for glob in WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
    registration = types.Registration(str(uuid.uuid4()), types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    client.client_register_capability(types.RegistrationParams([registration]), lambda _result: None)


def index_progress(server: Server, project: Project) -> tuple[Callable[[int, int], None], Callable[[], None]]:
    """What the building of an index calls while it goes on and when it has ended.

    Args:
        server: Shows a work-done progress where the client has one.
        project: Whose index it is.
    """
    client = server.connection
    window = client.client_capabilities.window
    shown = window is not None and bool(window.work_done_progress)
    token = str(uuid.uuid4())
    told = -1
    open_ = False
    over = False

    def begin(_result: object = None) -> None:
        nonlocal open_
        if not over:
            open_ = True
            name = project.folder.name if project.folder is not None else "the workspace"
            title = f"Looking for agents in {name}"
            client.work_done_progress.begin(token, types.WorkDoneProgressBegin(title, percentage=0))

    if shown:
        client.work_done_progress.create(token, begin)

    def report(done: int, total: int) -> None:
        nonlocal told
        step = STEPS * done // max(total, 1)
        if open_ and step > told:
            told = step
            text = f"{done} of {total} files that speak of agents"
            client.work_done_progress.report(
                token, types.WorkDoneProgressReport(message=text, percentage=100 * done // max(total, 1))
            )

    def end() -> None:
        nonlocal over
        over = True
        if open_:
            client.work_done_progress.end(token, types.WorkDoneProgressEnd())
        for uri, document in list(server.session.documents.items()):
            if document.project is project:
                server.second_wave(str(uri))
        server.views.files_changed()
        server.closed_files.look_soon()

    return report, end
