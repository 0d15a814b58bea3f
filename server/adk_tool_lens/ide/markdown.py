"""Puts texts of a project into Markdown so that they stay texts: no link, image or HTML comes of them.

An editor shows a card for whatever file is opened. A picture in it would be fetched from wherever a name in
that file says, and a link would look like one of ours.
"""

from __future__ import annotations

import re

_CODE = re.compile(r"(?<![`\\])(`[^`]+`)(?!`)")
_MARKUP = re.compile(r"[\[\]<`]|\\(?=[!-/:-@\[-`{-~])")


def code(text: str) -> str:
    """A text as code, on one line, whatever is in it."""
    line = " ".join(text.split()) or " "
    fence = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    space = " " if len(fence) > 1 else ""
    return f"{fence}{space}{line}{space}{fence}"


def prose(text: str) -> str:
    """A message on one line; what stands between single backticks in it is code, all else is plain."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(
        part if number % 2 else _MARKUP.sub(lambda found: f"\\{found[0]}", part)
        for number, part in enumerate(parts)
    )
