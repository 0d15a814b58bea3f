"""A whole editing session, step by step: what is shown is always what a first look shows.

`ADK_TOOL_LENS_FUZZ_SESSIONS` makes the run as long as wanted; without it the same few sessions are played.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from . import corpus
from .play import LINE_END, Play
from .stage import BARE, VERSIONS, interpreter, staged

SESSIONS = int(os.environ.get("ADK_TOOL_LENS_FUZZ_SESSIONS", "0"))
EACH = int(os.environ.get("ADK_TOOL_LENS_FUZZ_EACH", "4"))
"""After how many steps everything is compared; waiting for that would hide what happens in between."""
SHRINK = os.environ.get("ADK_TOOL_LENS_FUZZ_SHRINK", "1") == "1"
where = st.floats(0, 1, exclude_max=True)
pieces = st.sampled_from(corpus.PIECES)
lengths = st.sampled_from((0, 0, 0, 1, 2, 5, 12, 40, 200))
lines = st.sampled_from((1, 1, 2, 4, 9))
names = st.sampled_from(
    ("tools.py", "agent.py", "lists.py", "other.py", "typing.py", "pkg/__init__.py", "tools/__init__.py")
)
options = st.builds(
    lambda python, rest: {"settings": {"interpreter": python, **rest}, "trusted": True},
    st.sampled_from((*map(interpreter, VERSIONS), BARE)),
    st.sampled_from(corpus.EDITOR_SETTINGS),
)


class Editing(RuleBasedStateMachine):
    """One session; documents are chosen by a number from 0 to 1."""

    steps = 0

    @initialize(project=st.sampled_from(corpus.PROJECTS), given=options, opened=where)
    def begin(self, project: Path, given: dict[str, object], opened: float) -> None:
        self.closing = ExitStack()
        self.stage = self.closing.enter_context(staged())
        self.folder = Path(self.closing.enter_context(tempfile.TemporaryDirectory())) / "work"
        shutil.copytree(project, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        self.play = Play(self.stage, self.folder, given)
        for path in self.play.files()[round(opened * 2) :]:
            self.play.open(path)

    def document(self, which: float) -> Path:
        documents = sorted(self.play.open_)
        return documents[int(which * len(documents))]

    def file(self, which: float) -> Path | None:
        files = self.play.files()
        return files[int(which * len(files))] if files else None

    def starts(self, path: Path) -> list[int]:
        return [0, *(match.end() for match in LINE_END.finditer(self.play.open_[path].text))]

    def spot(self, path: Path, at: float, length: int) -> tuple[int, int]:
        text = self.play.open_[path].text
        start = int(at * (len(text) + 1))
        return start, min(len(text), start + length)

    def some_lines(self, path: Path, at: float, count: int) -> tuple[int, int]:
        starts = self.starts(path)
        first = int(at * len(starts))
        return starts[first], starts[min(len(starts) - 1, first + count)]

    has_document = precondition(lambda self: bool(self.play.open_))

    # ------------------------------------------------------------ typing

    @has_document
    @rule(which=where, at=where, length=lengths, piece=pieces)
    def edit(self, which: float, at: float, length: int, piece: str) -> None:
        path = self.document(which)
        self.play.change(path, (*self.spot(path, at, length), piece))

    @has_document
    @rule(which=where, at=where, length=lengths, piece=pieces, at2=where)
    def edit_twice(self, which: float, at: float, length: int, piece: str, at2: float) -> None:
        path = self.document(which)
        first = (*self.spot(path, at, length), piece)
        self.play.change(path, first, (*self.spot(path, at2, 1), piece))

    @has_document
    @rule(which=where, at=where, piece=pieces)
    def type_slowly(self, which: float, at: float, piece: str) -> None:
        path = self.document(which)
        start, _ = self.some_lines(path, at, 0)
        for number, character in enumerate(piece):
            self.play.change(path, (start + number, start + number, character))
            self.stage.loop.pass_time(0.005 * (number % 3))

    @has_document
    @rule(which=where, at=where, count=lines, to=where, cut=st.booleans())
    def move_lines(self, which: float, at: float, count: int, to: float, cut: bool) -> None:
        path = self.document(which)
        start, end = self.some_lines(path, at, count)
        text = self.play.open_[path].text[start:end]
        target, _ = self.some_lines(path, to, 0)
        edits = [(target, target, text)]
        if cut:
            edits = [(start, end, ""), (min(target, len(self.play.open_[path].text) - len(text)), 0, text)]
        self.play.change(path, *edits)

    @has_document
    @rule(which=where, at=where, count=lines)
    def delete_lines(self, which: float, at: float, count: int) -> None:
        path = self.document(which)
        self.play.change(path, (*self.some_lines(path, at, count), ""))

    @has_document
    @rule(which=where, one=where, other=where)
    def use_another_name(self, which: float, one: float, other: float) -> None:
        path = self.document(which)
        words = list(re.finditer(r"[A-Za-z_]\w+", self.play.open_[path].text))
        if words:
            old, new = words[int(one * len(words))], words[int(other * len(words))]
            self.play.change(path, (*old.span(), new.group()))

    @has_document
    @rule(which=where)
    def undo(self, which: float) -> None:
        self.play.undo(self.document(which))

    @has_document
    @rule(which=where, end=st.sampled_from(("\n", "\r\n")))
    def change_line_ends(self, which: float, end: str) -> None:
        path = self.document(which)
        self.play.replace(path, LINE_END.sub(lambda _: end, self.play.open_[path].text))

    @has_document
    @rule(which=where, project=st.sampled_from(corpus.SMALL))
    def replace_all(self, which: float, project: Path) -> None:
        self.play.replace(self.document(which), project.read_text("utf-8"))

    # ------------------------------------------------------------ files

    @rule(which=where)
    def open(self, which: float) -> None:
        path = self.file(which)
        if path is not None:
            self.play.open(path)

    @has_document
    @rule(which=where)
    def close(self, which: float) -> None:
        self.play.close(self.document(which))

    @has_document
    @rule(which=where)
    def save(self, which: float) -> None:
        self.play.save(self.document(which))

    @rule(which=where, at=where, length=lengths, piece=pieces)
    def write(self, which: float, at: float, length: int, piece: str) -> None:
        path = self.file(which)
        if path is not None:
            text = path.read_bytes().decode("utf-8", "surrogatepass")
            start = int(at * (len(text) + 1))
            self.play.write(path, text[:start] + piece + text[start + length :])

    @rule(which=where)
    def delete(self, which: float) -> None:
        path = self.file(which)
        if path is not None:
            self.play.delete(path)

    @rule(which=where, name=names)
    def rename(self, which: float, name: str) -> None:
        path, to = self.file(which), self.folder / name
        if path is not None and not to.exists() and to not in self.play.open_:
            self.play.rename(path, to)

    @rule(name=names, source=st.sampled_from(corpus.SMALL))
    def create(self, name: str, source: Path) -> None:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        self.play.write(path, source.read_text("utf-8"))

    # ------------------------------------------------------------ settings, workers, time

    @rule(given=options)
    def configure(self, given: dict[str, object]) -> None:
        self.play.configure(given)

    @rule(text=st.sampled_from(corpus.SETTINGS))
    def write_settings(self, text: str) -> None:
        self.play.write(self.folder / "pyproject.toml", text)

    @rule(most=st.sampled_from((1, 2, 100)))
    def answers_come(self, most: int) -> None:
        self.stage.deliver(most)

    @rule()
    def worker_dies(self) -> None:
        self.stage.deliver(died=True)

    @rule()
    def threads_end(self) -> None:
        self.stage.threads()

    @rule(seconds=st.sampled_from((0.001, 0.021, 0.05, 0.3, 5.0, 12.0)))
    def time_passes(self, seconds: float) -> None:
        self.stage.loop.pass_time(seconds)

    # ------------------------------------------------------------ what holds

    @invariant()
    def what_is_shown_is_right(self) -> None:
        if hasattr(self, "play"):
            self.steps += 1
            self.play.check_shown()
            if self.steps % EACH == 0:
                self.play.check_all()

    @rule()
    def at_rest_all_is_as_at_first_sight(self) -> None:
        self.play.check_all()

    def teardown(self) -> None:
        if hasattr(self, "play"):
            self.play.client.server.close_projects()
            self.closing.close()


Editing.TestCase.settings = settings(
    max_examples=SESSIONS or 8,
    stateful_step_count=60 if SESSIONS else 25,
    derandomize=not SESSIONS,
    deadline=None,
    database=None,
    phases=[Phase.generate, *([Phase.shrink] if SHRINK else [])],
    suppress_health_check=list(HealthCheck),
)
TestEditing = Editing.TestCase
