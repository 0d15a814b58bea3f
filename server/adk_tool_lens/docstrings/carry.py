"""Carries a plan for a docstring's value out on the source, and looks at the outcome."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from adk_tool_lens.docstrings import literal as literals
from adk_tool_lens.docstrings.layout import Layout, default_unit, layout_of
from adk_tool_lens.docstrings.literal import Literal
from adk_tool_lens.docstrings.model import Docstring, Entry
from adk_tool_lens.docstrings.reader import Reading, read, scan
from adk_tool_lens.docstrings.wrap import normal
from adk_tool_lens.source.edits import Edit, apply, joined

Edits = tuple[Edit, ...]
Plan = Callable[[Reading, Layout], Sequence[Edit] | None]
"""From a docstring and its layout to edits of its value; None if there is no safe way."""
Check = Callable[[Docstring, Docstring], bool]
"""Whether the docstring after the edits, given the one before, is what was wanted."""

_REST_OF_HEADER = re.compile(r"[ \t\f]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")
_QUOTES = '"""'
_BEFORE_BODY = re.compile(r"[ \t\f]*")


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


@dataclass(frozen=True)
class Job:
    """What an edit needs to know besides its plan: parameters in signature order, longest line."""

    fn: FunctionText
    params: Sequence[str]
    width: int
    check: Check


def literal_of(fn: FunctionText) -> Literal | None:
    """The function's docstring, if it is one that can be edited."""
    return literals.parse(fn.source, *fn.docstring) if fn.docstring is not None else None


def edited(job: Job, plan: Plan) -> Edits | None:
    """Carry out a plan; None if the outcome would not be what the plan is for."""
    literal = literal_of(job.fn)
    if literal is None:
        return None
    reading = scan(literal.value, job.params)
    layout = layout_of(reading, job.fn.body_indent, job.width)
    planned = plan(reading, layout)
    if not planned:
        return None if planned is None else ()
    planned = joined(_closed(reading, planned, layout.margin))
    value = apply(literal.value, planned)
    if not job.check(reading.docstring, read(value, job.params)):
        return None
    edits = literals.rewritten(literal, planned, job.fn.newline)
    if edits is None or not means(job.fn.source, literal, edits, value):
        return None
    return _moved(job.fn, joined(edits), "\n" in value)


def means(source: str, literal: Literal, edits: Sequence[Edit], value: str) -> bool:
    """Whether the edited token is a literal of the intended value."""
    start = literal.start
    inside = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    return _is_literal_of(apply(source[start : literal.end], inside), value)


def _is_literal_of(token: str, value: str) -> bool:
    literal = literals.parse(token, 0, len(token))
    return literal is not None and literal.value == value


def keeps(before: Docstring, after: Docstring, touched: Collection[str]) -> bool:
    """Whether everything but the entries of some parameters reads as it did."""
    return (
        before.summary == after.summary
        and before.body == after.body
        and before.returns == after.returns
        and _said(before.raises, ()) == _said(after.raises, ())
        and _said(before.entries, touched) == _said(after.entries, touched)
    )


def _said(entries: Sequence[Entry], but: Collection[str]) -> list[tuple[str, str | None, str]]:
    return [(x.name, x.type, normal(x.description)) for x in entries if x.name not in but]


def _closed(reading: Reading, edits: Sequence[Edit], margin: str) -> Sequence[Edit]:
    """Closing quotes get a line of their own when there is new text right before them."""
    size = len(reading.text)
    value = apply(reading.text, edits)
    last = value.rpartition("\n")[2]
    grown = "\n" not in reading.text or any(edit.end == size and edit.text for edit in edits)
    if "\n" not in value or not last.strip() or not grown:
        return edits
    return [*edits, Edit(size, size, f"\n{margin}")]


def _moved(fn: FunctionText, edits: Edits, many_lines: bool) -> Edits | None:
    """A docstring on the header's line moves to its own when it gets several lines."""
    if not fn.one_line or not many_lines or fn.docstring is None:
        return edits
    if _BEFORE_BODY.fullmatch(fn.source, fn.header_end, fn.docstring[0]) is None:
        return None
    move = Edit(fn.header_end, fn.docstring[0], fn.newline + fn.body_indent)
    return joined([move, *edits])


def new_layout(fn: FunctionText, width: int) -> Layout:
    """The layout of a docstring that is yet to be written."""
    unit = default_unit(fn.body_indent)
    return Layout(fn.body_indent, unit, unit, width)


def created(job: Job, summary: str, section: str) -> Edits | None:
    """Write a docstring into a function that has none; on one line where there is no section."""
    head = normal(summary)
    value = head
    if section:
        value = f"{head}\n\n{section}" if head else f"\n{section}"
        value += f"\n{job.fn.body_indent}"
    token = literals.written(value, _QUOTES, _QUOTES[0]).replace("\n", job.fn.newline)
    token = f"{_QUOTES}{token}{_QUOTES}"
    done = _is_literal_of(token, value) and job.check(read(head), read(value, job.params))
    return _inserted(job.fn, token) if done else None


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
