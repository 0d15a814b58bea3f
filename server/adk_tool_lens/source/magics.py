"""What IPython adds to Python, hidden so that the rest of a notebook's cell is Python.

A line that only IPython understands is made a comment or a name, character for character, so that every
offset stays what it was:

    %pip install google-adk        #pip install google-adk
    files = !ls                    files = _
        !ls                            _
    Agent?                         #gent?
    %%bash                         #%bash       and so is every line below it

The forms are those of IPython's documentation, "Magic commands" and "System shell access".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from adk_tool_lens.source.blocks import CLOSE_TRIPLE, TOKEN
from adk_tool_lens.source.text import Span

PYTHON_CELLS = frozenset({"capture", "debug", "prun", "python", "python3", "time", "timeit"})
"""Cell magics below which there is Python."""
_PERHAPS = re.compile(r"^[ \t]*[%!?/,;]|=[ \t]*[%!]|\?[ \t]*$", re.MULTILINE)
_CELL = re.compile(r"\s*%%([^\W\d]\w*)?[^\r\n]*")
_ESCAPED = re.compile(r"[ \t]*(?P<magic>[%!?/,;][^\r\n]*|[%\w.*]+\?{1,2}[ \t]*(?=[\r\n]|\Z))")
_ASSIGNED = re.compile(r"[ \t]*[^\W\d][^=\r\n#'\"]*=[ \t]*(?P<magic>[%!][^\r\n]*)")
_MORE = re.compile(r"(?:\r\n|\r|\n)[^\r\n]*")


@dataclass(frozen=True)
class Hidden:
    """A cell's text as Python, and where it is not what the cell says."""

    text: str
    """As long as the cell's."""
    spans: tuple[Span, ...] = ()


def hidden(text: str) -> Hidden:
    """The Python in a cell's text."""
    if not _PERHAPS.search(text):
        return Hidden(text)
    cell = _CELL.match(text)
    if cell is not None and cell[1] not in PYTHON_CELLS:
        commented = re.sub(r"(?m)^(?=.)[^\r\n]", "#", text)
        return Hidden(commented, (Span(0, len(text)),))
    parts: list[str] = []
    spans: list[Span] = []
    position = 0
    while position < len(text):
        found = _ESCAPED.match(text, position) or _ASSIGNED.match(text, position)
        if found is None:
            end = _logical_end(text, position)
            parts.append(text[position:end])
        else:
            start, end = found.start("magic"), _continued(text, found.end())
            spans.append(Span(start, end))
            parts += [text[position:start], _stand_in(text[start:end], comment=start == position)]
        position = end
    return Hidden("".join(parts), tuple(spans))


def _stand_in(magic: str, *, comment: bool) -> str:
    """What stands for a magic: a comment at the start of a line, a name elsewhere."""
    first, *more = re.split(r"(?<=[\r\n])(?=[^\r\n])", magic)
    own = f"#{first[1:]}" if comment else "_" + re.sub(r"[^\r\n]", " ", first[1:])
    return own + "".join(re.sub(r"[^\r\n]", "#", line, count=1) for line in more)


def _continued(text: str, position: int) -> int:
    """The end of a magic that may go on after a backslash."""
    while text[position - 1] == "\\" and (more := _MORE.match(text, position)):
        position = more.end()
    return position


def _logical_end(text: str, position: int) -> int:
    """Where the next line begins that is not inside of a bracket or a string."""
    depth = 0
    while found := TOKEN.search(text, position):
        position = found.end()
        match found.lastgroup:
            case "open":
                depth += 1
            case "close":
                depth = max(0, depth - 1)
            case "triple":
                closing = CLOSE_TRIPLE[found.group()].match(text, position)
                position = closing.end() if closing else len(text)
            case "line" if not depth:
                return position
    return len(text)
