"""Plans that take entries out, rename, retype and reorder them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from adk_tool_lens.docstrings.carry import Edits, FunctionText, keeps, literal_of, means
from adk_tool_lens.docstrings.layout import Layout, entry_indent, line_at, line_end
from adk_tool_lens.docstrings.model import Docstring, Entry, Kind, Span, Style
from adk_tool_lens.docstrings.outline import ENTRY, NUMPY_ENTRY, match_field
from adk_tool_lens.docstrings.reader import Reading, read, scan
from adk_tool_lens.source.edits import Edit, apply, joined


def removal_plan(reading: Reading, name: str) -> list[Edit]:
    """The edits that take every entry of a parameter out."""
    edits: list[Edit] = []
    gone: set[int] = set()
    for entry in reading.docstring.entries:
        if entry.name != name:
            continue
        if entry.shared:
            edits.append(_without_name(reading, entry))
            continue
        for span in filter(None, (entry.span, entry.type_field)):
            gone |= _lines_of(reading, span)
    for block in reading.blocks:
        own = {i for i in range(block.first, block.end) if reading.lines[i].text}
        titles = set(range(block.first, block.first + block.head.size))
        if block.head.kind is Kind.PARAMETERS and own & gone and own - gone <= titles:
            gone |= own
    return [*edits, *(_without_lines(reading, run) for run in _runs(reading, gone))]


def _lines_of(reading: Reading, span: Span) -> set[int]:
    return set(range(line_at(reading, span[0]), line_at(reading, span[1]) + 1))


def _without_name(reading: Reading, entry: Entry) -> Edit:
    """Take one of `x, y` out, with its asterisks and one comma."""
    start, end = entry.name_span
    while start > entry.span[0] and reading.text[start - 1] in "*\\":
        start -= 1
    following = re.compile(r"\s*,\s*").match(reading.text, end)
    if following is not None:
        return Edit(start, following.end(), "")
    before = reading.text[entry.span[0] : start].rstrip().removesuffix(",").rstrip()
    return Edit(entry.span[0] + len(before), end, "")


def _runs(reading: Reading, gone: set[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring lines as half-open ranges; blank lines between lines that go, go too."""
    first = last = -1
    for index in sorted(gone):
        if first >= 0 and any(reading.lines[i].text for i in range(last + 1, index)):
            yield first, last + 1
            first = index
        first, last = (index if first < 0 else first), index
    if first >= 0:
        yield first, last + 1


def _without_lines(reading: Reading, run: tuple[int, int]) -> Edit:
    """Take lines out, and the blank lines before them where they parted them from what follows."""
    first, end = run
    lines = reading.lines
    visible = [i for i, line in enumerate(lines) if line.text]
    before = max((i for i in visible if i < first), default=None)
    after = min((i for i in visible if i >= end), default=None)
    if before is None:
        start = lines[first].left if first == 0 else lines[first].start
        if after is None:
            return Edit(start, line_end(reading, lines[end - 1].right), "")
        return Edit(start, lines[after].left if first == 0 else lines[after].start, "")
    if before == 0 and after is None and lines[0].text[-1] not in "\"'\\":
        return Edit(lines[0].right, len(reading.text), "")  # one line is left, and the quotes stand on it
    if before < first - 1 and (after is None or after > end):
        first = before + 1
    ends = [line_end(reading, lines[index - 1].right) for index in (first, end)]
    return Edit(ends[0], ends[1], "")


def renaming_plan(reading: Reading, old: str, new: str) -> list[Edit]:
    """The edits that put every entry of a parameter under another name."""
    edits = []
    for entry in reading.docstring.entries:
        if entry.name != old:
            continue
        edits.append(Edit(*entry.name_span, new))
        if entry.type_field not in (None, entry.span):
            edits += _field_renamed(reading, entry, new)
    return edits if old != new else []


def _field_renamed(reading: Reading, entry: Entry, new: str) -> Iterator[Edit]:
    if entry.type_field is None:
        return
    start, end = entry.type_field
    found = match_field(reading.text[start:end])
    if found is not None:
        at = start + found.start("argument") + found["argument"].find(entry.name)
        yield Edit(at, at + len(entry.name), new)


def renamed(docstring: Docstring, old: str, new: str) -> Docstring:
    """A docstring as it reads once an entry has another name."""
    entries = (replace(x, name=new) if x.name == old else x for x in docstring.entries)
    return replace(docstring, entries=tuple(entries))


def typing_plan(reading: Reading, layout: Layout, name: str, wanted: str | None) -> list[Edit] | None:
    """The edits that give an entry its type."""
    entry = reading.docstring.entry(name)
    if entry is None:
        return None
    if entry.type == wanted:
        return []
    if entry.type_field is not None:
        return _field_typed(reading, entry.type_field, wanted)
    if entry.type_span is not None:
        return [_retyped(reading, entry, entry.type_span, wanted)]
    edit = _typed(reading, layout, entry, wanted) if wanted else None
    return None if edit is None else [edit]


def _field_typed(reading: Reading, field: Span, wanted: str | None) -> list[Edit] | None:
    found = match_field(reading.text[field[0] : field[1]])
    if found is None:
        return None
    if wanted is None:
        lines = _lines_of(reading, field)
        return [_without_lines(reading, (min(lines), max(lines) + 1))]
    start = field[0] + found.end()
    joint = "" if reading.text[start - 1].isspace() else " "
    return [Edit(start, field[1], joint + wanted)]


def _retyped(reading: Reading, entry: Entry, span: Span, wanted: str | None) -> Edit:
    """Put another type where one stands, or take it out with what holds it."""
    if wanted is not None:
        return Edit(*span, wanted)
    start, end = span
    text = reading.text
    if entry.style is Style.REST:
        return Edit(start, entry.name_span[0], "")
    while text[start - 1] in "(（[{: \t":
        start -= 1
    if entry.style is Style.NUMPY:
        return Edit(start, end, "")
    if ":" in text[start : span[0]]:
        return Edit(span[0], max(end, entry.text_span[0]), "")
    return Edit(start, end + 1, "")


def _typed(reading: Reading, layout: Layout, entry: Entry, wanted: str) -> Edit | None:
    text, start = reading.text, entry.span[0]
    end = line_end(reading, start)
    match entry.style:
        case Style.NUMPY:
            found = NUMPY_ENTRY.match(text, start, end)
            return found and Edit(found.end("close"), found.end("close"), f" : {wanted}")
        case Style.GOOGLE:
            found = ENTRY.match(text, start, end)
            return found and Edit(found.end("close"), found.end("close"), f" ({wanted})")
        case Style.REST:
            place = entry.name_span[0]
            return Edit(place, place, f"{wanted} ")
        case _:
            place = line_end(reading, entry.span[1])
            indent = entry_indent(reading, entry, layout.margin)
            return Edit(place, place, f"\n{indent}@type {entry.name}: {wanted}")


def reordered(fn: FunctionText, order: Sequence[str]) -> Edits | None:
    """Exchange the texts of entries, as they are written, until they stand in order."""
    literal = literal_of(fn)
    if literal is None:
        return () if fn.docstring is None else None
    reading = scan(literal.value, order)
    moves = _moves(reading, order)
    if not moves:
        return None if moves is None else ()
    source = [_moved(fn.source, literal.source_span(to), literal.source_span(a)) for to, a in moves]
    value = apply(literal.value, [_moved(literal.value, to, origin) for to, origin in moves])
    after = read(value, order)
    same = keeps(_sorted(reading.docstring), _sorted(after), ())
    done = same and _moves(scan(value, order), order) == []
    return joined(source) if done and means(fn.source, literal, source, value) else None


def _moved(text: str, to: Span, origin: Span) -> Edit:
    return Edit(*to, text[origin[0] : origin[1]])


def _sorted(docstring: Docstring) -> Docstring:
    entries = sorted(docstring.entries, key=lambda entry: (entry.name, entry.description))
    return replace(docstring, entries=tuple(entries))


def _moves(reading: Reading, order: Sequence[str]) -> list[tuple[Span, Span]] | None:
    """Pairs of places: what stands at the second goes to the first. None where texts interlock."""
    rank = {name: index for index, name in enumerate(order)}
    moves: list[tuple[Span, Span]] = []
    for group in _groups(reading):
        known = [entry for entry in reversed(group) if entry.name in rank]
        places = {_extent(entry): rank[entry.name] for entry in known}
        slots = sorted(places)
        if any(a[1] > b[0] for a, b in pairwise(slots)):
            return None
        wanted = sorted(slots, key=lambda place: places[place])
        moves += [(to, origin) for to, origin in zip(slots, wanted, strict=True) if to != origin]
    return moves


def _groups(reading: Reading) -> list[list[Entry]]:
    """The entries that may change places: those of one section, fields among themselves."""
    groups: dict[tuple[Style, int], list[Entry]] = {}
    for entry in reading.docstring.entries:
        index = line_at(reading, entry.span[0])
        titled = entry.style in (Style.GOOGLE, Style.NUMPY)
        block = sum(block.first <= index for block in reading.blocks) if titled else -1
        groups.setdefault((entry.style, block), []).append(entry)
    return list(groups.values())


def _extent(entry: Entry) -> Span:
    """An entry with its `:type x:` line."""
    first, last = entry.type_field or entry.span
    return min(first, entry.span[0]), max(last, entry.span[1])
