"""A person at an editor, as far as the server can tell: what is typed, saved, renamed and configured.

`Play` keeps the texts on its own, as an editor does, and says after each step what the client must show: what
a server shows that sees these files and texts for the first time.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types

from adk_tool_lens.ide.explorer import outline

from .stage import Client, Theatre

LINE_END = re.compile(r"\r\n|\n|\r")


def position(text: str, offset: int) -> types.Position:
    """The position of an offset, counted as the protocol says: UTF-16 units in lines."""
    line, start = 0, 0
    for match in LINE_END.finditer(text, 0):
        if match.end() > offset:
            break
        line, start = line + 1, match.end()
    return types.Position(line, len(text[start:offset].encode("utf-16-le", "surrogatepass")) // 2)


def outside_line_ends(text: str, offset: int) -> int:
    """An offset that a position can name: not between `\\r` and `\\n`."""
    offset = max(0, min(offset, len(text)))
    return offset - 1 if text[offset - 1 : offset + 1] == "\r\n" else offset


def alike(one: str, other: str) -> int:
    """How many characters at the start of two texts are the same."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


@dataclass
class Text:
    """An open document: its text, what it was before each edit, and its version."""

    text: str
    before: list[str] = field(default_factory=list)
    version: int = 1


class Play:
    """An editing session.

    Args:
        stage: Clock and workers.
        folder: The workspace; its files are there already.
        options: What the editor's settings are.
    """

    def __init__(self, stage: Theatre, folder: Path, options: dict[str, Any]) -> None:
        self.stage = stage
        self.folder = folder
        self.options = options
        self.open_: dict[Path, Text] = {}
        self.edits = 0
        self.client = Client(stage, folder, options)

    def files(self) -> list[Path]:
        """The Python files on disk, in order."""
        return sorted(self.folder.rglob("*.py"))

    def paths(self) -> list[Path]:
        """All files that can be looked at, open ones included."""
        return sorted({*self.files(), *self.open_})

    # ------------------------------------------------------------ documents

    def open(self, path: Path) -> None:
        """Opens a file, or one that is not there yet."""
        if path in self.open_:
            return
        text = path.read_bytes().decode("utf-8") if path.is_file() else ""
        self.open_[path] = Text(text)
        item = types.TextDocumentItem(path.as_uri(), "python", 1, text)
        self.client.handle(types.TEXT_DOCUMENT_DID_OPEN, types.DidOpenTextDocumentParams(item))

    def close(self, path: Path) -> None:
        """Closes a document; what was not saved is lost."""
        del self.open_[path]
        identifier = types.TextDocumentIdentifier(path.as_uri())
        self.client.handle(types.TEXT_DOCUMENT_DID_CLOSE, types.DidCloseTextDocumentParams(identifier))

    def save(self, path: Path) -> None:
        """Writes a document to disk; the watcher tells the server."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.write(path, self.open_[path].text)

    def change(self, path: Path, *edits: tuple[int, int, str]) -> None:
        """Replaces ranges, one after the other, in one notification."""
        document = self.open_[path]
        document.before.append(document.text)
        changes: list[types.TextDocumentContentChangeEvent] = []
        for start, end, text in edits:
            begin = outside_line_ends(document.text, start)
            close = max(begin, outside_line_ends(document.text, end))
            where = types.Range(position(document.text, begin), position(document.text, close))
            changes.append(types.TextDocumentContentChangePartial(where, text))
            document.text = document.text[:begin] + text + document.text[close:]
            self.edits += 1
        self._changed(path, changes)

    def replace(self, path: Path, text: str) -> None:
        """Gives a document another text as a whole."""
        document = self.open_[path]
        document.before.append(document.text)
        document.text = text
        self.edits += 1
        self._changed(path, [types.TextDocumentContentChangeWholeDocument(text)])

    def undo(self, path: Path) -> None:
        """Takes the last edit back, as the smallest replacement."""
        document = self.open_[path]
        if not document.before:
            return
        old, new = document.text, document.before.pop()
        first = alike(old, new)
        last = alike(old[first:][::-1], new[first:][::-1])
        first = outside_line_ends(old, first)
        if old[len(old) - last - 1 : len(old) - last + 1] == "\r\n" and last:
            last -= 1
        self.change(path, (first, len(old) - last, new[first : len(new) - last]))
        document.before.pop()
        if document.text != new:
            self.replace(path, new)
            document.before.pop()

    def _changed(self, path: Path, changes: list[types.TextDocumentContentChangeEvent]) -> None:
        document = self.open_[path]
        document.version += 1
        identifier = types.VersionedTextDocumentIdentifier(document.version, path.as_uri())
        self.client.handle(
            types.TEXT_DOCUMENT_DID_CHANGE, types.DidChangeTextDocumentParams(identifier, changes)
        )
        if document.version % 3 == 0:  # in between, changes wait to be applied
            assert self.client.server.texts.by_uri[path.as_uri()].source.text == document.text

    # ------------------------------------------------------------ the disk

    def write(self, path: Path, text: str) -> None:
        """A file gets a text on disk."""
        new = not path.exists()
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        self._distinct(path)
        self.told((path, types.FileChangeType.Created if new else types.FileChangeType.Changed))

    def _distinct(self, path: Path) -> None:
        """Gives every version of a file a time of its own, as files written by people have."""
        self.edits += 0
        stamp = 1_700_000_000_000_000_000 + self._ticks() * 10_000_000
        os.utime(path, ns=(stamp, stamp))

    _tick = 0

    def _ticks(self) -> int:
        Play._tick += 1
        return Play._tick

    def delete(self, path: Path) -> None:
        """A file goes from the disk; an editor that has it open keeps it."""
        path.unlink()
        self.told((path, types.FileChangeType.Deleted))

    def rename(self, path: Path, to: Path) -> None:
        """A file is renamed, and an editor that has it open goes with it."""
        text = self.open_.get(path)
        if text is not None:
            self.close(path)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, to)
        self.told((path, types.FileChangeType.Deleted), (to, types.FileChangeType.Created))
        if text is not None:
            self.open(to)

    def told(self, *changes: tuple[Path, types.FileChangeType]) -> None:
        """Effect: the client tells of changes on disk."""
        events = [types.FileEvent(path.as_uri(), kind) for path, kind in changes]
        self.client.handle(
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES, types.DidChangeWatchedFilesParams(events)
        )

    def configure(self, options: dict[str, Any]) -> None:
        """The editor's settings change."""
        self.options = options
        params = types.DidChangeConfigurationParams(options)
        self.client.handle(types.WORKSPACE_DID_CHANGE_CONFIGURATION, params)

    # ------------------------------------------------------------ what must hold

    def check_shown(self) -> None:
        """What is shown at any time lies in the text it is shown for."""
        for path, document in self.open_.items():
            version, listed = self.client.published.get(path.as_uri(), (None, []))
            if version != document.version:
                continue
            ends = [
                len(line.encode("utf-16-le", "surrogatepass")) // 2 for line in LINE_END.split(document.text)
            ]
            for each in listed:
                start, end = each["range"]["start"], each["range"]["end"]
                assert (start["line"], start["character"]) <= (end["line"], end["character"]), each
                for where in (start, end):
                    assert where["line"] < len(ends), each
                    assert where["character"] <= ends[where["line"]], each

    def views(self, client: Client) -> dict[tuple[object, ...], Any]:
        """Everything that a client shows."""
        found: dict[tuple[object, ...], Any] = {}
        for path in sorted(self.open_):
            uri = path.as_uri()
            identifier = types.TextDocumentIdentifier(uri)
            analysis = client.server.analysis(uri)
            assert analysis is not None
            found[path.name, "diagnostics"] = client.shown(uri)
            found[path.name, "lenses"] = client.handle(
                types.TEXT_DOCUMENT_CODE_LENS, types.CodeLensParams(identifier)
            )
            found[path.name, "outline"] = [
                (
                    a.name,
                    a.kind,
                    a.gaps,
                    a.sub_agents,
                    a.tokens,
                    a.problems,
                    [(t.name, t.kind, t.detail, t.tokens) for t in a.tools],
                )
                for a in outline(analysis[1])
            ]
            for report in analysis[1].reports:
                where = analysis[1].module.absolute(report.tool.place).start
                at = position(self.open_[path].text, where)
                found[path.name, "hover", where] = client.handle(
                    types.TEXT_DOCUMENT_HOVER, types.HoverParams(identifier, at)
                )
        return found

    def check_all(self) -> None:
        """At rest, everything is as if it had been seen for the first time."""
        self.stage.quiet()
        assert self.client.errors == []
        self.check_shown()
        for uri, (_, listed) in self.client.published.items():
            if not any(path.as_uri() == uri for path in self.open_) and uri.endswith(".py"):
                assert listed == [], uri
        fresh = Client(self.stage, self.folder, self.options)
        for path, document in sorted(self.open_.items()):
            item = types.TextDocumentItem(path.as_uri(), "python", document.version, document.text)
            fresh.handle(types.TEXT_DOCUMENT_DID_OPEN, types.DidOpenTextDocumentParams(item))
        self.stage.quiet()
        new, old = self.views(fresh), self.views(self.client)
        fresh.server.close_projects()
        for key in sorted({*new, *old}, key=str):
            assert new.get(key) == old.get(key), key
