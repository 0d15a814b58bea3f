"""Colour for people's terminals: whether there is any, and styled text without any layout."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console


def wants_colour(choice: str, stream: TextIO | None = None, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether output is coloured: `--color`, else `NO_COLOR`, `FORCE_COLOR`, else whether it is a terminal.

    `NO_COLOR` counts when it is not empty, as no-color.org has it.
    """
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    stream = sys.stdout if stream is None else stream
    return stream.isatty() and environ.get("TERM") != "dumb"


class Paint:
    """Wraps text in the escape codes of a style; without colour it gives the text back.

    rich is imported only when there is something to colour.
    """

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, style: str) -> str:
        """The text in a style of rich (`bold red`)."""
        if not self.colour or not text:
            return text
        from rich.style import Style

        return Style.parse(style).render(text)

    @cached_property
    def width(self) -> int:
        """Columns of the terminal."""
        import shutil

        return shutil.get_terminal_size((100, 24)).columns


def console(colour: bool, *, width: int | None = None) -> Console:
    """A rich console that records what is printed; read it with `console.export_text(styles=colour)`."""
    import io

    from rich.console import Console

    return Console(
        file=io.StringIO(),
        force_terminal=colour,
        color_system="standard" if colour else None,
        width=width,
        record=True,
        highlight=False,
        legacy_windows=False,
    )
