"""What git ignores and what settings exclude, decided for thousands of files in milliseconds."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from adk_tool_lens.project.files import read_bytes

WANTED = (".py", ".ipynb")
"""Suffixes of the files that can hold tools."""
_ENDS_OTHERWISE = re.compile(r"(?:^|/)[^/*?\[\]]*$|\*\.[A-Za-z0-9_-]+$")


@dataclass(frozen=True)
class Rules:
    """The patterns of one place: of a `.gitignore`, or of the `exclude` setting."""

    base: str
    """The folder that the patterns are relative to, with a slash at its end."""
    folders: tuple[tuple[re.Pattern[str], bool], ...]
    """Runs of patterns in reverse order, each with whether a match is ignored."""
    files: tuple[tuple[re.Pattern[str], bool], ...]

    def ignores(self, path: str, *, folder: bool) -> bool | None:
        """Whether a path is ignored; None when no pattern speaks of it."""
        relative = path[len(self.base) :]
        if folder:
            relative += "/"
        for pattern, ignored in self.folders if folder else self.files:
            if pattern.match(relative):
                return ignored
        return None


def rules_of(base: str, lines: Iterable[str]) -> Rules | None:
    """The rules of a `.gitignore`'s lines; None when nothing in it matters."""
    from pathspec import GitIgnoreSpec

    folders: list[tuple[str, bool]] = []
    files: list[tuple[str, bool]] = []
    for line in lines:
        try:
            patterns = list(GitIgnoreSpec.from_lines([line]).patterns)
        except ValueError:
            continue
        for pattern in patterns:
            regex = getattr(pattern, "regex", None)
            if regex is not None and pattern.include is not None:
                row = (str(regex.pattern), bool(pattern.include))
                folders.append(row)
                files += [row] if _may_match_file(line.strip()) else []
    if not folders:
        return None
    return Rules(base if base.endswith("/") else f"{base}/", _runs(folders), _runs(files))


def _may_match_file(line: str) -> bool:
    """Whether a pattern can match a Python file itself, not just a folder above it.

    `*.log`, `build/` and `dist` cannot: folders are looked at before the files in them.
    """
    if line.endswith("/"):
        return False
    return line.endswith((*WANTED, "*")) or not _ENDS_OTHERWISE.search(line)


def _runs(rows: Sequence[tuple[str, bool]]) -> tuple[tuple[re.Pattern[str], bool], ...]:
    """Patterns of one kind that follow each other, as one expression; the last one comes first."""
    runs: list[tuple[list[str], bool]] = []
    for text, ignored in rows:
        if runs and runs[-1][1] is ignored:
            runs[-1][0].append(text)
        else:
            runs.append(([text], ignored))
    return tuple((_joined(texts), ignored) for texts, ignored in reversed(runs))


def _joined(texts: list[str]) -> re.Pattern[str]:
    plain = (re.sub(r"\(\?P<\w+>", "(?:", text) for text in texts)
    return re.compile("|".join(f"(?:{text})" for text in plain))


def rules_in(folder: str) -> Rules | None:
    """The rules of the `.gitignore` in a folder; None without one that can be read."""
    try:
        text = read_bytes(os.path.join(folder, ".gitignore")).decode("utf-8", "replace")  # noqa: PTH118
    except OSError:
        return None
    return rules_of(folder, text.splitlines())


def rules_above(root: str) -> tuple[Rules, ...]:
    """The rules of the folders above a folder, up to the repository's root; none when they ignore it."""
    found: list[Rules] = []
    folders = [Path(root), *Path(root).parents]
    top = next((index for index, folder in enumerate(folders) if (folder / ".git").exists()), None)
    if top is None:
        return ()
    for folder in reversed(folders[1 : top + 1]):
        rules = rules_in(str(folder))
        if rules is not None:
            found.append(rules)
    return () if ignored(found, root, folder=True) else tuple(found)


def ignored(rules: Sequence[Rules], path: str, *, folder: bool) -> bool:
    """Whether the innermost rules that speak of a path ignore it."""
    for each in reversed(rules):
        verdict = each.ignores(path, folder=folder)
        if verdict is not None:
            return verdict
    return False
