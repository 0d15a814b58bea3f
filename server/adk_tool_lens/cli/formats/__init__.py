"""Output formats of `check`: one module each, with `render(report) -> str`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from adk_tool_lens.cli.rows import Row
from adk_tool_lens.rules.catalogue import catalogue

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")
FOR_PEOPLE = frozenset({"full", "concise"})


@dataclass(frozen=True)
class Report:
    """What one run of `check` found."""

    rows: tuple[Row, ...]
    files: tuple[str, ...]
    """All files that were looked at, sorted."""
    adk: str | None = None
    """The google-adk version that judged."""
    backend: str = "gemini"
    colour: bool = False
    unjudged: int = 0
    """Tools that google-adk gave no answer about."""


def render(name: str, report: Report) -> str:
    """The report in a format; it ends with a line end unless it is empty."""
    module = importlib.import_module(f"{__name__}.{name}")
    text: Callable[[Report], str] = module.render
    return text(report)


def relative(path: str) -> str | None:
    """The path with slashes, relative to the working directory; None when it does not lie below.

    CI services want paths relative to the repository's root, which is where they run commands.
    """
    try:
        return Path(path).resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return None


def uri(path: str) -> str:
    """A relative URI where it lies below the working directory, else a `file:` URI."""
    below = relative(path)
    return quote(below) if below is not None else Path(path).resolve().as_uri()


def summary_of(rule: str) -> str:
    """The first line of a rule's page; the name in words for what is no rule of the catalogue."""
    known = catalogue().get(rule)
    return known.page.partition("\n")[0] if known is not None else rule.replace("-", " ").capitalize()


def page_of(rule: str) -> str:
    """The Markdown page of a rule; empty for what is no rule of the catalogue."""
    known = catalogue().get(rule)
    return known.page if known is not None else ""
