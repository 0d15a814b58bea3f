"""Applies repairs to files in rounds: what overlaps waits for the next one, and every round looks anew."""

from __future__ import annotations

import difflib
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from adk_tool_lens.discovery.module import Module
from adk_tool_lens.fixes.model import Repair
from adk_tool_lens.ide.actions import Action, Context, action, chosen_repair, merged
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.rewriting import rewrites
from adk_tool_lens.ide.session import Project, analyse_now
from adk_tool_lens.ide.taste import context_of
from adk_tool_lens.project.files import UnreadableError
from adk_tool_lens.project.notebooks import SUFFIX, edited, text_of
from adk_tool_lens.project.writing import Original
from adk_tool_lens.rules.model import Finding
from adk_tool_lens.source.blocks import parse
from adk_tool_lens.source.cells import stored
from adk_tool_lens.source.edits import Edit, apply, overlap

MOST_ROUNDS = 100
"""Rounds of one file after which it is left as it is."""
_NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True)
class Fixed:
    """A file with its repairs."""

    original: Original
    before: str
    """The text that was repaired: the editor's where one has the file open."""
    text: str
    count: int
    """Repairs that were applied."""

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.text != self.original.text.text

    def diff(self, name: str) -> str:
        """The change as a unified diff."""
        lines = difflib.unified_diff(_lines(self.original.text.text), _lines(self.text), name, name)
        return "".join(line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n" for line in lines)


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


@dataclass
class _File:
    original: Original
    before: str
    text: str
    count: int = 0
    rounds: int = 0


@dataclass
class Fixing:
    """Repairs for the files of a project.

    Args:
        project: Whose google-adk counts; its worker is waited for.
        unsafe: Whether repairs are applied that a person should look at.
        root: The folder that repairs stay in; the project's own by default.
        wanted: Which findings are repaired.
        rewrite: The kind of repair that is made of all tools instead; see `rewriting`.
    """

    project: Project
    unsafe: bool = False
    root: Path | None = None
    wanted: Callable[[Finding], bool] = lambda _finding: True
    rewrite: str = ""
    problems: list[str] = field(default_factory=list)
    """Files that could not be read."""
    _files: dict[Path, _File] = field(default_factory=dict)

    def run(self, paths: Iterable[Path]) -> list[Fixed]:
        """The files with all that can be repaired in them; nothing is written.

        The project's workspace shows the repaired texts until `forget`.
        """
        waiting = deque(path.resolve() for path in paths)
        while waiting:
            path = waiting.popleft()
            for touched in self._round(path):
                if touched not in waiting:
                    waiting.append(touched)
        return [Fixed(f.original, f.before, f.text, f.count) for f in self._files.values()]

    def forget(self) -> None:
        """Effect: shows the files as they are on disk again."""
        for path in self._files:
            self.project.workspace.overlays.pop(path, None)

    def _open(self, path: Path) -> _File | None:
        known = self._files.get(path)
        if known is not None:
            return known
        try:
            original = Original.of(path)
        except UnreadableError as error:
            self.problems.append(str(error))
            return None
        overlay = self.project.workspace.overlays.get(path)
        text = original.text.text if overlay is None else stored(overlay.source)
        if text is None:
            self.problems.append(f"{path}: is open in an editor. Repair the notebook there.")
            return None
        self._files[path] = _File(original, text, text)
        return self._files[path]

    def _round(self, path: Path) -> Iterable[Path]:
        """Repairs a file once; the files to look at again."""
        file = self._open(path)
        if file is None or file.rounds >= MOST_ROUNDS:
            return ()
        file.rounds += 1
        analysis = analyse_now(self.project, self._module(path, file.text))
        context = context_of(self.project, path, self.root)
        own = self._together(file.text, analysis, context)
        if own is not None:
            self._change(path, file, *own)
            return (path,)
        return () if self.rewrite else self._across(analysis, context)

    def _module(self, path: Path, text: str) -> Module:
        workspace = self.project.workspace
        known = workspace.overlays.get(path)
        if known is not None and stored(known.source) == text:
            return known
        module = workspace.overlays[path] = workspace.module_of(text, path, known)
        return module

    def _together(self, text: str, analysis: Analysis, context: Context) -> tuple[str, int] | None:
        """The text with as many repairs of this file alone as go together, and their number."""
        path = analysis.module.path
        made = list(self._repairs(analysis, context))
        for group in (made, *([each] for each in made)):
            edits = merged(analysis, group)[path]
            after = _applied(path, text, edits)
            if after is not None:
                return after, len(group)
        return None

    def _repairs(self, analysis: Analysis, context: Context) -> Iterator[Repair]:
        """What is to be done to a file."""
        if self.rewrite:
            yield from rewrites(analysis, self.rewrite, context)
            return
        for _, made in self._chosen(analysis, context):
            yield made

    def _chosen(self, analysis: Analysis, context: Context) -> Iterator[tuple[Finding, Repair]]:
        """The findings that are wanted to be repaired and can be."""
        for finding in analysis.findings:
            if self.wanted(finding):
                made = chosen_repair(analysis, finding, context, unsafe=self.unsafe)
                if made is not None:
                    yield finding, made

    def _across(self, analysis: Analysis, context: Context) -> Iterable[Path]:
        """Applies the first repair that reaches into other files."""
        for each in self._wide(analysis, context):
            texts: dict[Path, tuple[_File, str]] = {}
            for path, edits in each.edits.items():
                file = self._open(path) if path is not None else None
                after = _applied(path, file.text, edits) if file is not None else None
                if path is not None and file is not None and after is not None:
                    texts[path] = (file, after)
            if len(texts) == len(each.edits):
                for path, (file, after) in texts.items():
                    self._change(path, file, after, 1)
                return tuple(texts)
        return ()

    def _wide(self, analysis: Analysis, context: Context) -> Iterator[Action]:
        for finding, made in self._chosen(analysis, context):
            wide = action(analysis, made, finding=finding)
            if wide is not None and set(wide.edits) != {analysis.module.path}:
                yield wide

    def _change(self, path: Path, file: _File, text: str, count: int) -> None:
        file.text = text
        file.count += count
        self._module(path, text)


def _applied(path: Path | None, text: str, edits: tuple[Edit, ...]) -> str | None:
    """A file's text after some edits; None when nothing changes or what was Python is none afterwards."""
    if not edits or overlap(edits, edits):
        return None
    notebook = path is not None and path.suffix == SUFFIX
    after = edited(text, edits) if notebook else apply(text, edits)
    if after is None or after == text:
        return None
    before, now = (text_of(each).text if notebook else each for each in (text, after))
    return None if parse(before) is not None and parse(now) is None else after
