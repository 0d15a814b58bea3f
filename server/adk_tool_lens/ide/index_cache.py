"""Keeps what the index knows on disk, so that a restart looks at changed files only."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adk_tool_lens import __version__
from adk_tool_lens.declaration.cache import read_sealed, write_sealed
from adk_tool_lens.project.scan import Stamp
from adk_tool_lens.project.survey import FileFacts

FORMAT = 3
"""To be raised when the meaning of the rows changes."""


@dataclass(frozen=True)
class Known:
    """What was known of a file that may have to do with agents, when it had a stamp."""

    stamp: Stamp
    facts: FileFacts
    reads: Mapping[str, Stamp] | None
    """For a file that may register tools: the files this was read from; None when it has not been read."""
    concerns: frozenset[str]


@dataclass(frozen=True)
class Saved:
    """All that was known."""

    plain: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """The stamps of files that have nothing to do with agents."""
    files: Mapping[str, Known] = field(default_factory=dict)


class IndexCache:
    """One file for a set of folders read with one interpreter.

    Args:
        folder: Where caches are kept.
        roots: The folders that the index is about.
        key: What else the links depend on: interpreter and settings.
    """

    def __init__(self, folder: Path, roots: tuple[Path, ...], key: str) -> None:
        text = "\n".join([*map(str, roots), key, __version__, str(FORMAT)])
        self.path = (
            folder / "index" / f"{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()[:32]}.json"
        )

    def load(self) -> Saved:
        """What was saved last; empty when there is nothing or it is damaged."""
        try:
            rows = json.loads(read_sealed(self.path))
            paths = [str(text) for text in rows["paths"]]
            words = [str(word) for word in rows["words"]]
            files = {paths[int(index)]: _known(row, paths, words) for index, row in rows["files"].items()}
            return Saved(dict(rows["plain"]), files)
        except (OSError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError):
            return Saved()

    def save(self, saved: Saved) -> None:
        """Effect: replaces what was saved, in one step; a disk that refuses is no error."""
        text = json.dumps(_rows(saved), separators=(",", ":"))
        with contextlib.suppress(OSError):
            write_sealed(self.path, text.encode("ascii"))


def _rows(saved: Saved) -> dict[str, Any]:
    """All as JSON: paths and words once, rows naming them by number."""
    paths: dict[str, int] = {}
    words: dict[str, int] = {}

    def number(path: str) -> int:
        return paths.setdefault(path, len(paths))

    files: dict[int, list[Any]] = {}
    for path, each in saved.files.items():
        numbers = [words.setdefault(word, len(words)) for word in sorted(each.facts.imports)]
        flags = int(each.facts.adk), int(each.facts.speaks)
        row: list[Any] = [*each.stamp, *flags, numbers, each.facts.styles]
        if each.reads is not None:
            row.append([[number(p), *stamp] for p, stamp in each.reads.items()])
            row.append([number(p) for p in each.concerns])
        files[number(path)] = row
    return {"plain": dict(saved.plain), "files": files, "paths": list(paths), "words": list(words)}


def _known(row: list[Any], paths: list[str], words: list[str]) -> Known:
    styles = tuple(int(number) for number in row[5])
    facts = FileFacts(bool(row[2]), bool(row[3]), frozenset(words[number] for number in row[4]), styles)
    stamp = (int(row[0]), int(row[1]))
    if len(row) == 6:
        return Known(stamp, facts, None, frozenset())
    reads = {paths[number]: (int(time), int(size)) for number, time, size in row[6]}
    return Known(stamp, facts, reads, frozenset(paths[number] for number in row[7]))
