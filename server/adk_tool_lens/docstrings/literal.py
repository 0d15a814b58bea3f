"""A docstring as source: which code points of the token stand for which code points of its value.

A docstring is edited as a value and written as source. Everything an edit does not touch stays as
it is written: escapes, line continuations, the kind of line end.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from adk_tool_lens.source.edits import Edit

_OPENING = re.compile(r"([rRuU]?)(\"\"\"|'''|\"|')")
_STOPS = {
    quotes: re.compile(rf"\\(?:\r\n|.)|{quotes}" + ("" if len(quotes) == 3 else r"|[\r\n]"), re.DOTALL)
    for quotes in ('"""', "'''", '"', "'")
}
_STEP = re.compile(
    r"\\(?:\r\n|[\n\r]|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^{}\n]*\}|[\\'\"abfnrtv])|\r\n?"
)
_LINE_END = re.compile(r"\r\n?")
_LAST = 0x10FFFF
_SIMPLE = dict(zip("\\'\"abfnrtv", "\\'\"\a\b\f\n\r\t\v", strict=True))
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True)
class Literal:
    """One string token: `offsets[i]` is where in the source the value's code point `i` starts.

    The last of the offsets is where the closing quotes start. `start` and `end` span the token.
    """

    prefix: str
    quotes: str
    value: str
    offsets: Sequence[int]
    start: int
    end: int
    newline: str | None
    """The line end that is written most often inside the token."""

    @property
    def raw(self) -> bool:
        """Whether backslashes stand for themselves."""
        return self.prefix in ("r", "R")

    def source_span(self, span: tuple[int, int]) -> tuple[int, int]:
        """Where a part of the value is written."""
        return self.offsets[span[0]], self.offsets[span[1]]


def parse(source: str, start: int, end: int) -> Literal | None:
    """The literal at `[start, end)`; None for what is no single plain string token."""
    found = _OPENING.match(source, start, end)
    if found is None:
        return None
    prefix, quotes = found.groups()
    first = found.end()
    last = _closing(source, first, end, quotes)
    if last + len(quotes) != end:
        return None
    decoded = _decoded(source, first, last, prefix in ("r", "R"))
    if decoded is None:
        return None
    value, offsets = decoded
    return Literal(prefix, quotes, value, offsets, start, end, _newline(source[first:last]))


def _closing(source: str, first: int, end: int, quotes: str) -> int:
    """Where the closing quotes start; -1 if there are none."""
    for stop in _STOPS[quotes].finditer(source, first, end):
        if stop[0][0] != "\\":
            return stop.start() if stop[0] == quotes else -1
    return -1


def _newline(body: str) -> str | None:
    crlf = body.count("\r\n")
    counts = {"\r\n": crlf, "\n": body.count("\n") - crlf, "\r": body.count("\r") - crlf}
    best = max(counts, key=lambda newline: counts[newline])
    return best if counts[best] else None


def _decoded(source: str, first: int, last: int, raw: bool) -> tuple[str, Sequence[int]] | None:
    """The value and, for each of its code points and for its end, the offset in the source."""
    parts: list[str] = []
    offsets: list[int] = []
    position = first
    for step in (_LINE_END if raw else _STEP).finditer(source, first, last):
        parts.append(source[position : step.start()])
        offsets += range(position, step.start())
        text = _meaning(step[0])
        if text is None:
            return None
        parts.append(text)
        offsets += [step.start()] * len(text)
        position = step.end()
    if not parts:
        return source[first:last], range(first, last + 1)
    parts.append(source[position:last])
    offsets += range(position, last + 1)
    return "".join(parts), offsets


def _meaning(step: str) -> str | None:
    """The text an escape, a continuation or a line end stands for; None if it has no meaning."""
    if step[0] == "\r":
        return "\n"
    match step[1]:
        case "\n" | "\r":
            return ""
        case "x" | "u" | "U":
            code = int(f"0x{step[2:]}", 0)
            return chr(code) if code <= _LAST else None
        case "N":
            return _named(step[3:-1])
        case digit if digit in "01234567":
            return chr(int(step[1:], 8))
        case letter:
            return _SIMPLE[letter]


def _named(name: str) -> str | None:
    try:
        text = unicodedata.lookup(name)
    except KeyError:
        return None
    return text if len(text) == 1 else None


def written(text: str, quotes: str, before: str = "", after: str = "") -> str:
    """A text as it stands in quotes that are not raw, between two neighbouring characters."""
    quote = quotes[0]
    unsafe = [quote if len(quotes) == 1 else f"{quote}{{3,}}"]
    if before == quote:
        unsafe.append(f"^{quote}+")
    if after == quote:
        unsafe.append(rf"{quote}+\Z")
    text = _CONTROL.sub(lambda found: _escape(found[0]), text.replace("\\", "\\\\"))
    return re.sub("|".join(unsafe), lambda found: rf"\{quote}" * len(found[0]), text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def rewritten(literal: Literal, edits: Sequence[Edit], newline: str) -> tuple[Edit, ...] | None:
    """Edits of the value as edits of the source; None where the literal cannot hold the new text.

    A token in single quotes becomes triple-quoted once a line end is written into it. Quotes in a
    raw literal are the caller's to look at: only the whole token shows whether they close it.
    """
    triple = len(literal.quotes) == 3 or any("\n" in edit.text for edit in edits)
    quotes = literal.quotes[0] * (3 if triple else 1)
    result: list[Edit] = []
    for edit in edits:
        if literal.raw and _CONTROL.search(edit.text):
            return None
        text = edit.text if literal.raw else _between(literal, edit, quotes)
        start, end = literal.source_span((edit.start, edit.end))
        result.append(Edit(start, end, text.replace("\n", literal.newline or newline)))
    return _tripled(literal, result) if quotes != literal.quotes else tuple(result)


def _between(literal: Literal, edit: Edit, quotes: str) -> str:
    value = f"{quotes[0]}{literal.value}{quotes[0]}"
    return written(edit.text, quotes, value[edit.start], value[edit.end + 1])


def _tripled(literal: Literal, edits: list[Edit]) -> tuple[Edit, ...]:
    """The same edits with two more quotes on either side."""
    quotes = literal.quotes * 2
    opening = literal.start + len(literal.prefix) + 1
    return (Edit(opening, opening, quotes), *edits, Edit(literal.end, literal.end, quotes))
