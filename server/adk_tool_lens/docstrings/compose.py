"""Plans the edits of a docstring's value: where new text goes and what it looks like."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from adk_tool_lens.docstrings.layout import (
    Form,
    Layout,
    default_form,
    described,
    entry_indent,
    form_for,
    line_at,
    line_end,
)
from adk_tool_lens.docstrings.model import Entry, Kind, Style
from adk_tool_lens.docstrings.outline import Block
from adk_tool_lens.docstrings.reader import Reading
from adk_tool_lens.docstrings.wrap import columns, normal, starts_with_item, wrapped
from adk_tool_lens.source.edits import Edit

_SEPARATED = re.compile(r"(?:[:：–—]|\s--?|\t)[*`]{0,3}$")
_SENTENCE_END = re.compile(r"[.!?:;,…。！？：；]['\"`)\]]*$")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_BEFORE = (Kind.RETURNS, Kind.YIELDS, Kind.RAISES, Kind.EXAMPLES)


def holds(existing: str, description: str) -> bool:
    """Whether a text already says what a description says."""
    wanted = normal(description).rstrip(".")
    pattern = rf"(?<!\w){re.escape(wanted)}(?!\w)"
    return re.search(pattern, normal(existing), re.IGNORECASE) is not None


def entries_plan(
    reading: Reading, layout: Layout, wanted: Mapping[str, str], order: Sequence[str], style: Style
) -> list[Edit]:
    """The edits of the value after which each parameter has its description."""
    known = {entry.name: entry for entry in described(reading)}
    edits = [
        edit for name in wanted if name in known for edit in _told(reading, layout, known[name], wanted[name])
    ]
    new = [name for name in wanted if name not in known]
    if new and known:
        form = form_for(reading, layout, style)
        texts = {name: entry_text(form, name, wanted[name], layout.width) for name in new}
        edits += [_placed(reading, form, text, name, order) for name, text in texts.items()]
    elif new:
        edits.append(_started(reading, layout, {name: wanted[name] for name in new}, style))
    return edits


def entry_text(form: Form, name: str, description: str, width: int) -> str:
    """A new entry, from its first visible character; its other lines bring their indent."""
    head = f"{form.prefix}{name}{form.suffix}"
    if form.below or starts_with_item(description):
        text = wrapped(description, columns(form.hang), form.hang, width)
        return f"{head.rstrip()}\n{form.hang}{text}"
    return head + wrapped(description, columns(form.indent + head), form.hang, width)


def _told(reading: Reading, layout: Layout, entry: Entry, description: str) -> Iterator[Edit]:
    """Fill an empty entry or add to what it says."""
    if holds(entry.description, description):
        return
    indent = entry_indent(reading, entry, layout.margin)
    if entry.description:
        yield appended(reading, layout, entry.text_span[1], description, indent + layout.hang)
        return
    place = entry.text_span[0]
    hang = indent + layout.hang
    if entry.style is Style.NUMPY or starts_with_item(description):
        text = f"\n{hang}" + wrapped(description, columns(hang), hang, layout.width)
    else:
        written = reading.text[reading.lines[line_at(reading, place)].start : place]
        bare = entry.type_span is not None and entry.type_span[1] == place
        joint = " - " if bare else " " if _SEPARATED.search(written) else ": "
        text = joint + wrapped(description, columns(written + joint), hang, layout.width)
    yield Edit(place, place, text)


def appended(reading: Reading, layout: Layout, place: int, description: str, hang: str) -> Edit:
    """Add sentences where a description ends."""
    line = reading.lines[line_at(reading, place)]
    written = reading.text[line.start : place]
    stop = "" if _SENTENCE_END.search(written) else "."
    below = f"{stop}\n{hang}" + wrapped(description, columns(hang), hang, layout.width)
    first = description.split(maxsplit=1)[0]
    room = layout.width - columns(written) - 1 - len(stop)
    listed = starts_with_item(line.text) and line.width >= columns(hang)
    if starts_with_item(description) or listed or len(first) > room:
        return Edit(place, place, below)
    joint = f"{stop} "
    return Edit(place, place, joint + wrapped(description, columns(written + joint), hang, layout.width))


def _placed(reading: Reading, form: Form, text: str, name: str, order: Sequence[str]) -> Edit:
    """A new entry among the existing ones, where the signature has it."""
    gap = "\n\n" if _spaced(reading, described(reading)) else "\n"
    anchor, after = _anchor(described(reading), name, order)
    if after:
        place = line_end(reading, max(anchor.span[1], (anchor.type_field or (0, 0))[1]))
        return Edit(place, place, f"{gap}{form.indent}{text}")
    return Edit(anchor.span[0], anchor.span[0], f"{text}{gap}{form.indent}")


def _anchor(entries: Sequence[Entry], name: str, order: Sequence[str]) -> tuple[Entry, bool]:
    """The entry next to which a new one goes, and whether it goes after it."""
    rank = {other: index for index, other in enumerate(order)}
    mine = rank.get(name, len(order))
    before = [entry for entry in entries if rank.get(entry.name, mine) < mine]
    later = [entry for entry in entries if rank.get(entry.name, -1) > mine]
    if before:
        return max(before, key=lambda entry: rank[entry.name]), True
    return (min(later, key=lambda entry: rank[entry.name]), False) if later else (entries[-1], True)


def _spaced(reading: Reading, entries: Sequence[Entry]) -> bool:
    """Whether blank lines stand between the entries."""
    between = [reading.text[a.span[1] : b.span[0]] for a, b in pairwise(entries) if a.span != b.span]
    return bool(between) and all(_BLANK_LINE.search(text) for text in between)


def _started(reading: Reading, layout: Layout, wanted: Mapping[str, str], style: Style) -> Edit:
    """The first entries of a docstring, under a new title or under one that stands there empty."""
    chosen = style if reading.docstring.style is Style.PLAIN else reading.docstring.style
    empty = next((block for block in reading.blocks if block.head.kind is Kind.PARAMETERS), None)
    form = default_form(layout, chosen if empty is None else empty.head.style)
    body = _entry_lines(form, wanted, layout.width)
    if empty is not None and empty.head.style in (Style.GOOGLE, Style.NUMPY):
        place = line_end(reading, reading.lines[empty.end - 1].right)
        return Edit(place, place, f"\n{body}")
    return section_edit(
        reading, layout, _titled(form, layout, body), before_index(reading, _BEFORE), form.style
    )


def new_section(layout: Layout, wanted: Mapping[str, str], style: Style) -> str:
    """A whole section of parameters, each line with its indent."""
    form = default_form(layout, style)
    return _titled(form, layout, _entry_lines(form, wanted, layout.width))


def _entry_lines(form: Form, wanted: Mapping[str, str], width: int) -> str:
    return "\n".join(form.indent + entry_text(form, name, text, width) for name, text in wanted.items())


def _titled(form: Form, layout: Layout, body: str) -> str:
    match form.style:
        case Style.GOOGLE:
            return f"{layout.margin}Args:\n{body}"
        case Style.NUMPY:
            return f"{layout.margin}Parameters\n{layout.margin}----------\n{body}"
        case _:
            return body


def before_index(reading: Reading, kinds: Collection[Kind]) -> int:
    """Before the first section of some kinds, and before the sections that close the docstring."""
    blocks = reading.blocks
    first = next((i for i, block in enumerate(blocks) if block.head.kind in kinds), len(blocks))
    closing = len(blocks)
    while closing and blocks[closing - 1].head.kind is not Kind.PROSE:
        closing -= 1
    return min(first, closing)


def section_edit(reading: Reading, layout: Layout, section: str, index: int, style: Style) -> Edit:
    """Put a section before the block `index`, or at the end."""
    blocks, lines = reading.blocks, reading.lines
    if not blocks:
        return Edit(0, 0, f"\n{section}")
    fields = style in (Style.REST, Style.EPYTEXT)
    if index == len(blocks):
        place = line_end(reading, lines[blocks[-1].end - 1].right)
        return Edit(place, place, f"{_gap(fields, blocks[-1])}{section}")
    block = blocks[index]
    gap = _gap(fields, block)
    if block.first == 0:
        place = lines[0].left
        return Edit(place, place, f"{section.removeprefix(layout.margin)}{gap}{layout.margin}")
    place = lines[block.first].start
    leading = (
        "\n"
        if lines[block.first - 1].text and not (index and fields and _is_field(blocks[index - 1]))
        else ""
    )
    return Edit(place, place, f"{leading}{section}{gap}")


def _gap(fields: bool, neighbour: Block) -> str:
    return "\n" if fields and _is_field(neighbour) else "\n\n"


def _is_field(block: Block) -> bool:
    return block.head.style in (Style.REST, Style.EPYTEXT)
