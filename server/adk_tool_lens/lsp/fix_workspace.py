"""The command that repairs all files of the workspace at once, as one step to undo."""

from __future__ import annotations

import asyncio
import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from adk_tool_lens.ide.actions import Edits
from adk_tool_lens.ide.fixing import Fixing
from adk_tool_lens.ide.rewriting import title_of
from adk_tool_lens.ide.session import Project
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.lsp import convert
from adk_tool_lens.lsp.code_actions import writer_for
from adk_tool_lens.project.scan import scan
from adk_tool_lens.source.edits import Edit

if TYPE_CHECKING:
    from adk_tool_lens.lsp.server import Server

TITLE = "Fix all auto-fixable problems of ADK tools in the workspace"


async def fix_workspace(server: Server, rewrite: str = "") -> types.WorkspaceEdit | None:
    """Effect: hands the client the safe repairs of all files; the edit itself when it cannot apply one.

    Args:
        server: Its open texts win over the disk.
        rewrite: The kind of repair that is made of all tools instead; see `ide/rewriting.py`.
    """
    title = title_of(rewrite, "workspace") if rewrite else TITLE
    texts = _open_texts(server)
    changes: dict[Path, tuple[str, str]] = {}
    for project in list(server.projects.values()):
        if project.folder is not None and project.environment is not None:
            changes |= await asyncio.to_thread(fixed_texts, project, texts, rewrite)
    now = _open_texts(server)
    edits: Edits = {
        path: tuple(smallest(before, after))
        for path, (before, after) in changes.items()
        if texts.get(path) == now.get(path)
    }
    edit = writer_for(server).plain_edit(edits, title) if edits else None
    workspace = server.connection.client_capabilities.workspace
    if edit is None or workspace is None or not workspace.apply_edit:
        return edit
    await server.connection.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, title))
    return None


def _open_texts(server: Server) -> dict[Path, str]:
    """What editors have open, by file."""
    paths = ((convert.path_of(uri), document) for uri, document in server.texts.by_uri.items())
    return {path: document.source.text for path, document in paths if path is not None}


def fixed_texts(
    project: Project, texts: Mapping[Path, str], rewrite: str = ""
) -> dict[Path, tuple[str, str]]:
    """The files of a project that safe repairs, or a rewriting, change: as they are, and repaired.

    Args:
        project: Its worker is asked; its workspace, which belongs to the editor's thread, is left alone.
        texts: What stands in editors, which wins over the disk.
        rewrite: The kind of repair that is made of all tools instead.
    """
    assert project.folder is not None  # noqa: S101 - the caller looked
    workspace = Workspace((project.folder,), project.workspace.interpreter)
    for path, text in texts.items():
        workspace.overlays[path] = workspace.module_of(text, path)
    own = replace(project, workspace=workspace)
    paths = sorted(Path(path) for path in scan(project.folder).files if path.endswith(".py"))
    fixing = Fixing(own, rewrite=rewrite)
    return {
        each.original.path: (each.before, each.text)
        for each in fixing.run(path for path in paths if speaks(workspace, path))
        if each.text != each.before
    }


def speaks(workspace: Workspace, path: Path) -> bool:
    """Whether a file can have tools or agents at all."""
    module = workspace.module_at(path)
    return module is not None and re.search(r"(?i)agent|tool", module.text) is not None


def smallest(before: str, after: str) -> Iterator[Edit]:
    """Edits of the lines that differ."""
    old, new = (re.findall(r"[^\n]*\n|[^\n]+", text) for text in (before, after))
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Edit(starts[a], starts[b], "".join(new[c:d]))
