"""Reads docstrings as people write them: Google, NumPy, reST, Epytext, and everything in between.

What is read is the *value* of a docstring, as the interpreter keeps it; spans are offsets into it.
A value that went through `inspect.cleandoc` is read the same way, with spans into the clean text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from adk_tool_lens.docstrings.entries import entries_of, text_of
from adk_tool_lens.docstrings.model import Docstring, Entry, Kind, Section, Style
from adk_tool_lens.docstrings.outline import Block, Line, outline, split_lines
from adk_tool_lens.docstrings.titles import DEFAULT, Titles

_RESULT = (Kind.RETURNS, Kind.YIELDS)


class Reading(NamedTuple):
    """A docstring with the lines and blocks it was read from: what an editor needs besides."""

    text: str
    lines: list[Line]
    blocks: list[Block]
    docstring: Docstring


def read(text: str, params: Sequence[str] = (), *, titles: Titles = DEFAULT) -> Docstring:
    """What a docstring says; knowing the parameters' names lets it read the sloppy ones."""
    if titles is DEFAULT:
        return _read(text, tuple(params))
    return scan(text, params, titles=titles).docstring


@lru_cache(maxsize=512)
def _read(text: str, params: tuple[str, ...]) -> Docstring:
    """While someone types, nearly every docstring is one that has been read before."""
    return scan(text, params).docstring


def scan(text: str, params: Sequence[str] = (), *, titles: Titles = DEFAULT) -> Reading:
    """Read a docstring and keep what it was read from."""
    names = frozenset(name.lstrip("*") for name in params)
    lines = split_lines(text)
    blocks = outline(lines, names, titles)
    return Reading(text, lines, blocks, _docstring(lines, blocks, names))


def _docstring(lines: list[Line], blocks: list[Block], params: frozenset[str]) -> Docstring:
    summary, body = _prose(lines, blocks)
    entries: list[Entry] = []
    raises: list[Entry] = []
    results: list[str] = []
    for block in blocks:
        match block.head.kind:
            case Kind.PARAMETERS:
                entries += entries_of(block, lines, params)
            case Kind.RAISES:
                raises += entries_of(block, lines, ())
            case Kind.RETURNS | Kind.YIELDS:
                results.append(text_of(block, lines))
    return Docstring(
        style=_style(blocks),
        summary=summary,
        body=body,
        entries=tuple(_with_type_fields(entries)) if entries else (),
        returns=" ".join(filter(None, results)) if results else None,
        raises=tuple(raises),
        sections=tuple(_sections(lines, blocks)),
    )


def _prose(lines: list[Line], blocks: list[Block]) -> tuple[str, str]:
    """The first paragraph, joined, and the paragraphs up to the first section."""
    if not blocks or blocks[0].head.kind is not Kind.PROSE:
        return "", ""
    texts = [line.text for line in lines[blocks[0].first : blocks[0].end]]
    cut = texts.index("") if "" in texts else len(texts)
    return " ".join(texts[:cut]), "\n".join(texts[cut + 1 :]).strip()


def _style(blocks: list[Block]) -> Style:
    """The style of the parameters' entries; without any, that of the other sections."""
    known = [block.head for block in blocks if block.head.kind not in (Kind.PROSE, Kind.OTHER)]
    for head in known:
        if head.kind is Kind.PARAMETERS:
            return head.style
    styled = (head.style for head in known if head.kind is not Kind.EXAMPLES or head.style is Style.NUMPY)
    return next(styled, Style.PLAIN)


def _sections(lines: list[Line], blocks: list[Block]) -> Iterable[Section]:
    last: Section | None = None
    for head, first, end in blocks:
        if head.kind is Kind.PROSE:
            continue
        span = (lines[first].left, lines[end - 1].right)
        run = last and head.style in (Style.REST, Style.EPYTEXT) and last.kind is head.kind
        if last and run and last.style is head.style:
            last = Section(last.title, last.kind, last.style, (last.span[0], span[1]))
            continue
        if last:
            yield last
        last = Section(head.title, head.kind, head.style, span)
    if last:
        yield last


def _with_type_fields(entries: list[Entry]) -> Iterable[Entry]:
    """Join what `:type x:` says to the entry of `x`."""
    types = {entry.name: entry for entry in entries if entry.type_field is not None}
    if not types:
        return entries
    named = {entry.name for entry in entries if entry.type_field is None}
    return [
        _typed(entry, types.get(entry.name)) if entry.type_field is None else entry
        for entry in entries
        if entry.type_field is None or entry.name not in named
    ]


def _typed(entry: Entry, field: Entry | None) -> Entry:
    if field is None:
        return entry
    return replace(entry, type=entry.type or field.type, type_field=field.type_field)
