"""Bytes and texts of any kind: readers give what they can, and raise nothing but what they declare.

`ADK_TOOL_LENS_FUZZ_EXAMPLES` says how many of each kind are tried.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adk_tool_lens.declaration.cache import DiskCache, answer_from_json
from adk_tool_lens.declaration.client import _message
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.docstrings import editor, literal, reader
from adk_tool_lens.ide import analysis, suppression
from adk_tool_lens.ide.index import Index
from adk_tool_lens.ide.index_cache import IndexCache
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.lsp.options import read_options
from adk_tool_lens.project import files, ignore, notebooks, requirement, survey
from adk_tool_lens.project import settings as project_settings
from adk_tool_lens.rules._selection import problems, resolve, rule_settings
from adk_tool_lens.rules.model import Facts
from adk_tool_lens.source.blocks import row_of
from adk_tool_lens.source.comments import comments_of, ignoring_edit
from adk_tool_lens.source.edits import apply

from . import corpus

EXAMPLES = int(os.environ.get("ADK_TOOL_LENS_FUZZ_EXAMPLES", "0"))
fuzz = settings(
    max_examples=EXAMPLES or 40,
    derandomize=not EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
Any_ = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def texts_of(*pieces: str) -> st.SearchStrategy[str]:
    """Texts of a language's own words, with anything else between them."""
    return st.lists(st.sampled_from(pieces) | st.text(max_size=4), max_size=30).map("".join)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A good text with parts replaced, left out or doubled."""
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        text = (
            text[:start]
            + draw(st.sampled_from((text[start:end] * 2, "", "\0", '"', "\\", "]")) | st.text(max_size=3))
            + text[end:]
        )
    return text


# ---------------------------------------------------------------- Python

python = texts_of(*corpus.PIECES)


@settings(fuzz, max_examples=EXAMPLES or 25)
@given(python | st.sampled_from(corpus.SMALL).flatmap(lambda path: damaged(path.read_text("utf-8"))))
def test_python(text: str) -> None:
    row = row_of(text)
    assert "".join(block.text for block in row.blocks) == text
    for block in row.blocks:
        comments = comments_of(block)
        for line in range(block.line_count) if comments is not None else ():
            edit = ignoring_edit(block, comments, line, ["thin-description"])  # type: ignore[arg-type]
            assert edit is None or apply(block.text, [edit])
    module = Module.of(text, name="a")
    suppression.ignores_file(module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "RAISE_BUGS", True)
        world = World(lambda _name, _importer: None, memo=Memo())
        analysis.analyse(module, world, lambda _request: None, Facts("2.9.0"))


@fuzz
@given(st.binary(max_size=200) | python.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_the_bytes_of_a_file(data: bytes) -> None:
    with contextlib.suppress(files.UnreadableError):
        found = files.decode(data)
        assert files.encode(found.text, found) == data
    for name in ("a.py", "b/__init__.py", "c.ipynb"):
        with contextlib.suppress(files.UnreadableError):
            survey.candidates({name: survey.of_bytes(data, name)})


comment = texts_of(
    "#",
    " ",
    "adk-tool-lens:",
    "ignore",
    "[",
    "]",
    ",",
    "-file",
    "thin-description",
    "x = 1",
    "\n",
    "'''",
    "\\\n",
    "\t",
)


@fuzz
@given(comment)
def test_comments(text: str) -> None:
    module = Module.of(text)
    suppression.ignores_file(module)
    list(suppression.suppressions(module, set()))


# ---------------------------------------------------------------- docstrings

docstring = texts_of(
    "Args:", "Returns:", "\n", "\n    ", "    ", "\t", "x", "x:", "x (int):", ":param x:",
    ":type x:", "@param x",
    "----", "Parameters", "\r\n", "-", ":", "Raises:", "*", "`", "\\", "word ", "{", "x : int", "x -- ",
    ", optional", "\u00a0",
)  # fmt: skip
DOCUMENTED = 'def f(x: int, y: str = "a") -> dict:\n    {}\n    return {{}}\n'


def _edited(call: Callable[[editor.FunctionText], Any], fn: editor.FunctionText) -> None:
    edits = call(fn)
    if edits is not None:
        apply(fn.source, edits)


@settings(fuzz, max_examples=EXAMPLES or 30)
@given(docstring, st.sampled_from(('"""', "'''", '"', "'", 'r"""')), docstring)
def test_docstrings(text: str, quotes: str, description: str) -> None:
    reader.read(text, ("x", "y"))
    written = quotes + text + quotes[-3:].lstrip("r")
    literal.parse(written, 0, len(written))
    literal.parse(text, 0, len(text))
    source = DOCUMENTED.format(written)
    start = source.index(written)
    header = source.index("\n")
    fn = editor.FunctionText(source, (start, start + len(written)), start, "    ", header, False, "\n")
    for call in (
        lambda fn: editor.set_entry(fn, "x", description, order=("x", "y")),
        lambda fn: editor.set_returns(fn, description),
        lambda fn: editor.remove_entry(fn, "x"),
        lambda fn: editor.rename_entry(fn, "x", "z"),
        lambda fn: editor.reorder_entries(fn, ("y", "x")),
        lambda fn: editor.set_entry_type(fn, "x", description),
    ):
        _edited(call, fn)


# ---------------------------------------------------------------- settings

toml = texts_of(
    "[tool.adk-tool-lens]", "[", "]", "\n", "=", '"', "'", "ignore", "select", "severity",
    "per-file-ignores", "{", "}",
    ",", "exclude", "'*'", "'thin-description'", "'error'", "token-budget", "1", "-1", "true",
    "1979-05-27", "backend",
    "python", "adk-version", "'>=2'", ".", "#", "max-tools",
)  # fmt: skip
good_toml = "\n".join(corpus.SETTINGS[1:3]) + "exclude = ['a/*', '**']\ntoken-budget = 3\n"


@fuzz
@given(toml | toml.map("[tool.adk-tool-lens]\n".__add__) | damaged(good_toml))
def test_settings(text: str) -> None:
    loaded = project_settings.parse(text, Path("/nowhere/pyproject.toml"))
    for problem in [*loaded.problems, *problems(loaded)]:
        assert str(problem)
    resolve(loaded.settings)
    rule_settings(loaded.settings)


@fuzz
@given(Any_)
def test_the_settings_of_an_editor(data: Any) -> None:
    read_options(data)
    read_options({"settings": data, "folders": data})
    read_options({"settings": {"severity": data, "ignore": data, "select": data}, "folders": [data]})


needs = texts_of(
    "google-adk",
    "[project]",
    "dependencies",
    "=",
    "[",
    "]",
    '"',
    ">=2",
    "\n",
    ",",
    "==1.*",
    ";",
    "setup(",
    ")",
    "install_requires",
    "!",
    "~=",
)


@fuzz
@given(needs, st.sampled_from(("pyproject.toml", "requirements.txt", "setup.cfg", "setup.py")))
def test_requirements(text: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, name).write_bytes(text.encode("utf-8", "surrogatepass"))
        requirement.requirement_at(Path(folder))


@fuzz
@given(
    texts_of("*", "**", "/", "!", "a", ".py", "[", "]", "\\", " ", "#", "\n", "?", "a-z", "^").map(
        str.splitlines
    )
)
def test_ignored_paths(lines: list[str]) -> None:
    rules = ignore.rules_of("/work/", lines)
    for path in ("/work/a.py", "/work/a", "/work/b/c.py", "/work/"):
        assert rules is None or rules.ignores(path, folder=path.endswith("a")) in {True, False, None}


# ---------------------------------------------------------------- JSON

NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": ["# A"]},
            {"cell_type": "code", "metadata": {}, "source": ["from tools import find\n", "x = 'ż😀'"]},
            {"cell_type": "code", "metadata": {}, "source": "%pip install\ndef f(x): ..."},
        ],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
    }
)
plain = st.builds(json.dumps, Any_)


@fuzz
@given(plain | damaged(NOTEBOOK) | texts_of("{", "}", "[", "]", '"cells"', ":", ",", '"source"', '"code"'))
def test_notebooks(text: str) -> None:
    with contextlib.suppress(files.UnreadableError):
        whole = notebooks.text_of(text)
        Module(whole, name="a")
        notebooks.edited(text, [])
    with contextlib.suppress(files.UnreadableError):
        notebooks.file_lines(text)


INDEX = (
    '{"plain":{"/w/b.py":[1,2]},"files":{"0":[1,2,1,1,[0],[1,2],[[0,1,2]],[0]]},'
    '"paths":["/w/a.py"],"words":["find"]}'
)


@st.composite
def odd_index(draw: st.DrawFn) -> str:
    """A saved index of which one part is something else."""
    rows = json.loads(INDEX)
    place: Any = rows
    while True:
        key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if isinstance(place[key], dict | list) and place[key] and draw(st.booleans()):
            place = place[key]
            continue
        place[key] = draw(Any_)
        return json.dumps(rows)


@fuzz
@given(
    st.binary(max_size=60)
    | (damaged(INDEX) | odd_index() | plain).map(lambda text: text.encode("utf-8", "replace"))
)
def test_the_saved_index(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.py").write_text("from google.adk.agents import Agent\nAgent(name='a', tools=[print])\n")
        (folder / "b.py").write_text("x = 1\n")
        cache = IndexCache(folder / "cache", (folder,), "key")
        cache.path.parent.mkdir(parents=True)
        cache.path.write_bytes(data.replace(b"/w/", f"{name}/".encode()))
        index = Index((folder,), cache=cache)
        workspace = Workspace((folder,))
        index.build(workspace, workspace.world())
        assert str(folder / "a.py") in index.links


ANSWER = (
    '{"key":"ab","declared":{"tool_class":"F","name":"f","declaration":{"name":"f"},'
    '"provider_form":null,"logs":[]}}'
)


@fuzz
@given(st.binary(max_size=60) | (damaged(ANSWER) | plain).map(lambda text: text.encode("utf-8", "replace")))
def test_saved_answers_and_what_a_worker_says(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "declarations", "ab", "ab.json")
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        DiskCache(Path(folder)).get("ab")
    message = _message(data)
    if message is not None:
        with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
            answer_from_json(message)
