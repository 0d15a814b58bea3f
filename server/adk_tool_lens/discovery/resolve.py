"""Where a name is defined, for names that are not followed otherwise: those of installed packages.

The only module that imports jedi. jedi reads source and runs none of it: it works in this process with the
search path it is given, starts no interpreter, and loads compiled modules of our own installation only
(`jedi.Project(load_unsafe_extensions=False)`). It takes seconds the first time and knows one thread, so it is
asked for what a person asks for, never while they type. It keeps what it has read of files.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)
LONGEST = 1_000_000
"""Characters of a text that is looked at; jedi takes minutes for more."""
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Question:
    """A place in a text, and where imports of it are looked for."""

    text: str
    path: Path
    line: int
    """Zero-based."""
    column: int
    """Zero-based, in code points."""
    search: tuple[Path, ...]
    """Folders in the order of `sys.path`."""


@dataclass(frozen=True)
class Definition:
    """Where a name is defined; line and column as in `Question`."""

    path: Path
    line: int
    column: int
    length: int


def resolve(question: Question, cache: Path | None = None) -> Definition | None:
    """Where the name at a place is defined, through imports; None when jedi does not know.

    Args:
        question: The place.
        cache: A folder for what jedi keeps of files it has read; None leaves it to jedi.
    """
    if len(question.text) > LONGEST:
        return None
    with _ONE_AT_A_TIME:
        return _resolved(question, cache)


def _resolved(question: Question, cache: Path | None) -> Definition | None:
    import jedi  # type: ignore[import-untyped]
    from jedi.api.environment import InterpreterEnvironment  # type: ignore[import-untyped]

    if cache is not None:
        jedi.settings.cache_directory = str(cache / "jedi")
    project = jedi.Project(
        str(question.path.parent),
        sys_path=[str(folder) for folder in question.search],
        smart_sys_path=False,
        load_unsafe_extensions=False,
    )
    try:
        script = jedi.Script(
            question.text,
            path=str(question.path),
            project=project,
            environment=InterpreterEnvironment(),
        )
        names = script.goto(question.line + 1, question.column, follow_imports=True)
    except Exception:  # jedi raises whatever a text that it cannot understand leads to
        log.info("jedi cannot follow a name in %s", question.path, exc_info=True)
        return None
    for name in names:
        if name.module_path is not None and name.line is not None and name.module_path.suffix == ".py":
            return Definition(name.module_path, name.line - 1, name.column or 0, len(name.name))
    return None
