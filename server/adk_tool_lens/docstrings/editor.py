"""Rewrites docstrings in their own style: each function returns the smallest edits of the source.

An edit that would not say what it should, or would change anything else, is not made: the answer
is None. No edits, `()`, means that the docstring already says it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adk_tool_lens.docstrings import literal as literals
from adk_tool_lens.docstrings.compose import entries_plan, holds, new_section
from adk_tool_lens.docstrings.edits import apply, joined
from adk_tool_lens.docstrings.layout import Layout, default_unit, layout_of
from adk_tool_lens.docstrings.literal import Literal
from adk_tool_lens.docstrings.model import Docstring, Edit, Style
from adk_tool_lens.docstrings.reader import Reading, read, scan
from adk_tool_lens.docstrings.wrap import normal

WIDTH = 88
_REST_OF_HEADER = re.compile(r"[ \t\f]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")
_BEFORE_BODY = re.compile(r"[ \t\f]*")

Edits = tuple[Edit, ...]
Plan = Callable[[Reading, Layout], list[Edit] | None]
Check = Callable[[Docstring], bool]


@dataclass(frozen=True)
class FunctionText:
    """A function in its source: offsets are code points of `source`.

    `docstring` spans the docstring's string token(s); `body_start` is where the first statement of
    the body starts (the docstring itself, if there is one); `header_end` is the offset after the
    colon that ends the header; `one_line` tells that the body stands on the header's line.
    """

    source: str
    docstring: tuple[int, int] | None
    body_start: int
    body_indent: str
    header_end: int
    one_line: bool = False
    newline: str = "\n"


def set_entry(
    fn: FunctionText,
    name: str,
    description: str,
    *,
    order: Sequence[str],
    style: Style = Style.GOOGLE,
    summary: str = "",
    width: int = WIDTH,
) -> Edits | None:
    """Give a parameter a description; `order` has the names of the signature, `summary` is for a new docstring."""
    return set_entries(
        fn, {name: description}, order=order, style=style, summary=summary, width=width
    )


def set_entries(
    fn: FunctionText,
    descriptions: Mapping[str, str],
    *,
    order: Sequence[str],
    style: Style = Style.GOOGLE,
    summary: str = "",
    width: int = WIDTH,
) -> Edits | None:
    """Give several parameters a description at once."""
    wanted = {name.lstrip("*"): text for name, text in descriptions.items() if text.strip()}
    plain = [name.lstrip("*") for name in order]
    if not wanted:
        return ()
    chosen = Style.GOOGLE if style is Style.PLAIN else style

    def check(after: Docstring) -> bool:
        return all(_told(after, name, text) for name, text in wanted.items())

    if fn.docstring is None:
        names = sorted(wanted, key=lambda name: plain.index(name) if name in plain else len(plain))
        layout = Layout(fn.body_indent, *(default_unit(fn.body_indent),) * 2, width)
        section = new_section(layout, {name: wanted[name] for name in names}, chosen)
        return _created(fn, summary, section, plain, check)
    return _edited(
        fn,
        plain,
        width,
        lambda reading, layout: entries_plan(reading, layout, wanted, plain, chosen),
        check,
    )


def _told(docstring: Docstring, name: str, description: str) -> bool:
    entry = docstring.entry(name)
    return entry is not None and holds(entry.description, description)


def _edited(
    fn: FunctionText, params: Sequence[str], width: int, plan: Plan, check: Check
) -> Edits | None:
    """Carry out a plan on the docstring's value, then on its source, and look at the outcome."""
    literal = _literal(fn)
    if literal is None:
        return None
    reading = scan(literal.value, params)
    layout = layout_of(reading, fn.body_indent, width)
    planned = plan(reading, layout)
    if not planned:
        return None if planned is None else ()
    planned = _closed(reading, planned, layout.margin)
    value = apply(literal.value, planned)
    edits = literals.rewritten(literal, planned, fn.newline)
    if (
        edits is None
        or not check(read(value, params))
        or not _means(fn.source, literal, edits, value)
    ):
        return None
    return _moved(fn, joined(edits), "\n" in value)


def _literal(fn: FunctionText) -> Literal | None:
    return literals.parse(fn.source, *fn.docstring) if fn.docstring is not None else None


def _closed(reading: Reading, edits: list[Edit], margin: str) -> list[Edit]:
    """Closing quotes get a line of their own when the last line of the text is new or has company."""
    size = len(reading.text)
    value = apply(reading.text, edits)
    last = value.rpartition("\n")[2]
    grown = "\n" not in reading.text or any(edit.end == size for edit in edits)
    if "\n" not in value or not last.strip() or not grown:
        return edits
    return [*edits, Edit(size, size, f"\n{margin}")]


def _means(source: str, literal: Literal, edits: Sequence[Edit], value: str) -> bool:
    """Whether the edited token is a literal of the intended value."""
    start = literal.start
    inside = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    token = apply(source[start : literal.end], inside)
    again = literals.parse(token, 0, len(token))
    return again is not None and again.value == value


def _moved(fn: FunctionText, edits: Edits, many_lines: bool) -> Edits | None:
    """A docstring on the header's line moves to its own when it gets several lines."""
    if not fn.one_line or not many_lines or fn.docstring is None:
        return edits
    if _BEFORE_BODY.fullmatch(fn.source, fn.header_end, fn.docstring[0]) is None:
        return None
    return joined([Edit(fn.header_end, fn.docstring[0], fn.newline + fn.body_indent), *edits])


def _created(
    fn: FunctionText, summary: str, section: str, params: Sequence[str], check: Check
) -> Edits | None:
    head = normal(summary)
    value = f"{head}\n\n{section}\n{fn.body_indent}" if head else f"\n{section}\n{fn.body_indent}"
    blank = Literal("", '"""', "", (0,), 0, 0, None)
    text = literals.written(value, blank, fn.newline)
    if text is None or not check(read(value, params)):
        return None
    token = f'"""{text}"""'
    again = literals.parse(token, 0, len(token))
    if again is None or again.value != value:
        return None
    return _inserted(fn, token)


def _inserted(fn: FunctionText, token: str) -> Edits | None:
    line = f"{fn.newline}{fn.body_indent}"
    if fn.one_line:
        if _BEFORE_BODY.fullmatch(fn.source, fn.header_end, fn.body_start) is None:
            return None
        return (Edit(fn.header_end, fn.body_start, f"{line}{token}{line}"),)
    rest = _REST_OF_HEADER.match(fn.source, fn.header_end)
    if rest is None:
        return None
    return (Edit(rest.end(), rest.end(), f"{line}{token}"),)
