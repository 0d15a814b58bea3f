"""Cheap facts of files by their text: which can have to do with agents, how their docstrings look.

Nothing is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adk_tool_lens.project.files import decode
from adk_tool_lens.project.notebooks import SUFFIX, python_cells
from adk_tool_lens.project.settings import STYLES
from adk_tool_lens.source.blocks import Block, per_block

_ADK = re.compile(rb"google[.]adk\b|from\s+google\s+import[^\n]*\badk\b")
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*\)|[^\r\n]*)|import[ \t]+([^\r\n]*))",
    re.MULTILINE,
)
_WORD = re.compile(rb"\w+")
_UNDERLINED = re.compile(rb"(?:Parameters|Returns|Raises)[ \t]*\r?\n[ \t]*---")
_TITLES = (b"Args:", b"Arguments:", b"Returns:", b"Raises:")
_MARKS = (b":param ", b":return", b"@param ", b"@return", b"---", *_TITLES)


@dataclass(frozen=True)
class FileFacts:
    """What the text of a file says without being parsed."""

    adk: bool = False
    """Whether it names google.adk."""
    speaks: bool = False
    """Whether it speaks of agents or tools at all."""
    imports: frozenset[str] = frozenset()
    """The words of its import statements, for files that may pass an agent on."""
    styles: tuple[int, ...] = ()
    """How many docstrings it seems to have of each of `settings.STYLES`; empty for none at all."""


NOTHING = FileFacts()
_SPOKEN = ("gent", "tool", "Tool", "GENT", "TOOL")
_WORDS = tuple(word.encode() for word in _SPOKEN)


def speaks(text: str) -> bool:
    """Whether a text speaks of agents or tools at all; one that does not registers none."""
    return any(word in text for word in _SPOKEN)


def survey(data: bytes, *, package: bool, styles: bool = True) -> FileFacts:
    """The facts of a file's bytes.

    Args:
        data: The file as it is on disk.
        package: Whether it is an `__init__.py`, which may pass names on without speaking of them.
        styles: Whether the styles of its docstrings are counted.
    """
    spoken = any(word in data for word in _WORDS)
    if not spoken and not package:
        return NOTHING
    adk = b"google" in data and b"adk" in data and _ADK.search(data) is not None
    words = {
        word.decode("utf-8", "replace")
        for match in _IMPORT.finditer(data)
        for part in match.groups(b"")
        for word in _WORD.findall(part)
    }
    return FileFacts(adk, spoken, frozenset(words), _styles(data) if styles else ())


def _styles(data: bytes) -> tuple[int, ...]:
    if not any(mark in data for mark in _MARKS):
        return ()
    counts = dict.fromkeys(STYLES, 0)
    for text in data.replace(b"'''", b'"""').split(b'"""'):
        style = _style(text)
        if style:
            counts[style] += 1
    return tuple(counts.values()) if any(counts.values()) else ()


def _style(text: bytes) -> str:
    """The style of a docstring, by the marks that each has; empty for none, or where text is code."""
    if b":param " in text or b":return" in text:
        return "rest"
    if b"@param " in text or b"@return" in text:
        return "epytext"
    if b"---" in text and _UNDERLINED.search(text):
        return "numpy"
    return "google" if any(title in text for title in _TITLES) else ""


def candidates(facts: Mapping[str, FileFacts]) -> set[str]:
    """The files that may register tools: they name google.adk, or import from files that do.

    Models `from team.base import MyAgent; a = MyAgent(tools=[f])`, where only `team/base.py` names it.
    """
    reached = {path for path, each in facts.items() if each.adk}
    importers: dict[str, list[str]] = {}
    for path, each in facts.items():
        if not each.adk:
            for word in each.imports:
                importers.setdefault(word, []).append(path)
    todo = list(reached)
    while todo:
        for path in importers.get(_module_word(todo.pop()), ()):
            if path not in reached:
                reached.add(path)
                todo.append(path)
    return {path for path in reached if facts[path].speaks}


def _module_word(path: str) -> str:
    """The word by which an import statement names a file."""
    *_, folder, name = ["", *re.split(r"[/\\]", path)]
    stem = name.rpartition(".")[0]
    return folder if stem == "__init__" else stem


def of_bytes(data: bytes, path: str) -> FileFacts:
    """The facts of a file; of a notebook, those of the text of its cells.

    Raises:
        UnreadableError: it speaks of agents or tools, is named as a notebook and is none.
    """
    if path.endswith(SUFFIX):
        return NOTHING if survey(data, package=False) is NOTHING else of_text(_python(data, path), path)
    return survey(data, package=path.endswith("__init__.py"))


def _python(data: bytes, path: str) -> str:
    return "\n".join(cell.text for cell in python_cells(decode(data, path).text, path))


def of_text(text: str, path: str) -> FileFacts:
    """The facts of a text."""
    return survey(text.encode("utf-8", "replace"), package=path.endswith("__init__.py"))


def of_edited(text: str, path: str) -> FileFacts:
    """The facts of a text in an editor, without the styles: it is looked at whenever typing pauses."""
    return survey(text.encode("utf-8", "replace"), package=path.endswith("__init__.py"), styles=False)


def styles_of(blocks: Iterable[Block]) -> tuple[int, ...]:
    """The `FileFacts.styles` of a text in an editor; what its blocks have is kept with them."""
    return total(map(_styles_in, blocks))


def total(counts: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The `FileFacts.styles` of several texts together."""
    return tuple(map(sum, zip(*filter(None, counts), strict=True)))


@per_block
def _styles_in(block: Block) -> tuple[int, ...]:
    return _styles(block.text.encode("utf-8", "replace"))


def paths_to(wanted: Iterable[str], facts: Mapping[str, FileFacts]) -> set[str]:
    """The files that may get at something defined in some files, by their import statements."""
    importers: dict[str, list[str]] = {}
    for path, each in facts.items():
        for word in each.imports:
            importers.setdefault(word, []).append(path)
    reached = set(wanted)
    todo = list(reached)
    while todo:
        for path in importers.get(_module_word(todo.pop()), ()):
            if path not in reached:
                reached.add(path)
                todo.append(path)
    return reached
