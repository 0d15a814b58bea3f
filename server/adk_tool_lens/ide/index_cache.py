"""Keeps what the index knows on disk, so that a restart looks at changed files only."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adk_tool_lens import __version__
from adk_tool_lens.project.scan import Stamp
from adk_tool_lens.project.survey import NOTHING, FileFacts

FORMAT = 1
"""To be raised when the meaning of the rows changes."""


@dataclass(frozen=True)
class Known:
    """What was known of a file when it had a stamp."""

    stamp: Stamp
    facts: FileFacts
    reads: Mapping[Path, Stamp] | None
    """For a file that may register tools: the files this was read from; None when it has not been read."""
    concerns: frozenset[Path]


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

    def load(self) -> dict[Path, Known]:
        """What was saved last; empty when there is nothing or it is damaged."""
        try:
            rows = json.loads(self.path.read_bytes())
            paths = [Path(text) for text in rows["paths"]]
            words = [str(word) for word in rows["words"]]
            return {paths[int(index)]: _known(row, paths, words) for index, row in rows["files"].items()}
        except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            return {}

    def save(self, known: Mapping[Path, Known]) -> None:
        """Effect: replaces what was saved, in one step; a disk that refuses is no error."""
        text = json.dumps(_rows(known), separators=(",", ":"))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.path.parent, suffix=".tmp")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).replace(self.path)
        except (OSError, UnicodeEncodeError):
            return


def _rows(known: Mapping[Path, Known]) -> dict[str, Any]:
    """All as JSON: paths and words once, rows naming them by number."""
    paths: dict[Path, int] = {}
    words: dict[str, int] = {}

    def path_number(path: Path) -> int:
        return paths.setdefault(path, len(paths))

    files: dict[int, list[Any]] = {}
    for path, each in known.items():
        row: list[Any] = [each.stamp.mtime_ns, each.stamp.size]
        if each.facts != NOTHING or each.reads is not None:
            numbers = [words.setdefault(word, len(words)) for word in sorted(each.facts.imports)]
            row += [int(each.facts.adk), int(each.facts.speaks), numbers]
        if each.reads is not None:
            reads = [[path_number(p), stamp.mtime_ns, stamp.size] for p, stamp in each.reads.items()]
            row += [reads, [path_number(p) for p in each.concerns]]
        files[path_number(path)] = row
    return {"files": files, "paths": [str(path) for path in paths], "words": list(words)}


def _known(row: list[Any], paths: list[Path], words: list[str]) -> Known:
    stamp = Stamp(int(row[0]), int(row[1]))
    if len(row) == 2:
        return Known(stamp, NOTHING, None, frozenset())
    facts = FileFacts(bool(row[2]), bool(row[3]), frozenset(words[number] for number in row[4]))
    if len(row) == 5:
        return Known(stamp, facts, None, frozenset())
    reads = {paths[number]: Stamp(int(time), int(size)) for number, time, size in row[5]}
    return Known(stamp, facts, reads, frozenset(paths[number] for number in row[6]))
