"""How a docstring is laid out: what new text in it has to look like to belong there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from adk_tool_lens.docstrings.model import Entry, Kind, Style
from adk_tool_lens.docstrings.outline import ENTRY, Line
from adk_tool_lens.docstrings.reader import Reading
from adk_tool_lens.docstrings.wrap import columns

_WIDEST = 120


@dataclass(frozen=True)
class Layout:
    """Indents as strings: `margin` is that of the docstring's lines, `unit` one step further."""

    margin: str
    unit: str
    hang: str
    width: int


@dataclass(frozen=True)
class Form:
    """How an entry is written: `indent`, `prefix`, name, `suffix`, text; `hang` on other lines."""

    style: Style
    indent: str
    prefix: str
    suffix: str
    hang: str
    below: bool = False
    """The description starts on the line below the name."""


def layout_of(reading: Reading, body_indent: str, width: int) -> Layout:
    """The layout of a docstring; what it does not show follows the code around it."""
    lines = [line for line in reading.lines[1:] if line.text]
    margin = indent_of(reading, min(lines, key=lambda line: line.width)) if lines else body_indent
    unit = next(_units(reading), None) or default_unit(margin or body_indent)
    hang = next(_hangs(reading), None) or unit
    return Layout(margin, unit, hang, _width(reading, width))


def default_unit(indent: str) -> str:
    """One step of indentation as in code that is indented so."""
    return "\t" if "\t" in indent else "  " if len(indent) == 2 else "    "


def indent_of(reading: Reading, line: Line) -> str:
    """The white space a line starts with."""
    return reading.text[line.start : line.left]


def line_at(reading: Reading, offset: int) -> int:
    """The index of the line that holds an offset."""
    return reading.text.count("\n", 0, offset)


def line_end(reading: Reading, offset: int) -> int:
    """Where the line of an offset ends, its trailing spaces included, its line end excluded."""
    end = reading.text.find("\n", offset)
    return len(reading.text) if end < 0 else end


def entry_indent(reading: Reading, entry: Entry, margin: str) -> str:
    """The indent of an entry; on the first line it is the margin."""
    index = line_at(reading, entry.span[0])
    return indent_of(reading, reading.lines[index]) if index else margin


def described(reading: Reading) -> list[Entry]:
    """The entries that are more than a lone `:type x:`."""
    return [entry for entry in reading.docstring.entries if entry.span != entry.type_field]


def _units(reading: Reading) -> Iterator[str]:
    for head, first, end in sorted(reading.blocks, key=lambda block: block.head.kind is not Kind.PARAMETERS):
        if head.style is not Style.GOOGLE or first == 0:
            continue
        title = indent_of(reading, reading.lines[first])
        yield from _steps(reading, title, first + 1, end)


def _hangs(reading: Reading) -> Iterator[str]:
    for entry in described(reading):
        first, last = line_at(reading, entry.span[0]), line_at(reading, entry.span[1])
        if first:
            yield from _steps(reading, indent_of(reading, reading.lines[first]), first + 1, last + 1)


def _steps(reading: Reading, outer: str, first: int, end: int) -> Iterator[str]:
    """What lines add to an indent."""
    for line in reading.lines[first:end]:
        inner = indent_of(reading, line)
        if line.text and inner.startswith(outer) and len(inner) > len(outer):
            yield inner[len(outer) :]


def _width(reading: Reading, width: int) -> int:
    """The longest line, where lines are longer than the limit or seem to be wrapped before it."""
    longest = max(columns(reading.text[line.start : line.right]) for line in reading.lines)
    if longest > width:
        return min(longest, max(width, _WIDEST))
    pairs = zip(reading.lines, reading.lines[1:], strict=False)
    wraps = any(len(a.text) > 50 and b.text[:1].islower() for a, b in pairs)
    return max(longest, 72) if wraps and width > 72 else width


def form_for(reading: Reading, layout: Layout, style: Style) -> Form:
    """How a new entry is to be written: like the others, else in the style's usual way."""
    alike = [entry for entry in described(reading) if not entry.shared]
    alike.sort(key=lambda entry: not entry.description)
    for entry in alike:
        form = _form_like(reading, layout, entry)
        if form is not None:
            return form
    form = default_form(layout, style)
    entries = described(reading)
    if not entries:
        return form
    indent = entry_indent(reading, entries[0], layout.margin)
    return replace(form, indent=indent, hang=indent + layout.hang)


def default_form(layout: Layout, style: Style) -> Form:
    """How a style's entries usually look."""
    match style:
        case Style.NUMPY:
            return Form(style, layout.margin, "", "", layout.margin + layout.hang, below=True)
        case Style.REST:
            return Form(style, layout.margin, ":param ", ": ", layout.margin + layout.hang)
        case Style.EPYTEXT:
            return Form(style, layout.margin, "@param ", ": ", layout.margin + layout.hang)
        case _:
            indent = layout.margin + layout.unit
            return Form(Style.GOOGLE, indent, "", ": ", indent + layout.hang)


def _form_like(reading: Reading, layout: Layout, entry: Entry) -> Form | None:
    indent = entry_indent(reading, entry, layout.margin)
    hang = indent + layout.hang
    if entry.style is Style.NUMPY:
        return Form(entry.style, indent, "", "", hang, below=True)
    if entry.style in (Style.REST, Style.EPYTEXT):
        tag = reading.text[entry.span[0] : entry.name_span[0]].split(maxsplit=1)[0]
        return Form(entry.style, indent, f"{tag} ", ": ", hang)
    below = "\n" in reading.text[entry.name_span[1] : entry.text_span[0]]
    found = ENTRY.match(reading.text, entry.span[0], line_end(reading, entry.span[0]))
    if found is None:
        return None
    prefix, suffix = _around(found, reading.text)
    return Form(Style.GOOGLE, indent, prefix, suffix.rstrip() if below else suffix, hang, below)


def _around(found: re.Match[str], text: str) -> tuple[str, str]:
    """What stands before the name and between name and description, the type left out."""
    mark = found["open"]
    late = mark if mark and text.startswith(mark, found.end()) else ""
    close = found["close"] or found["close2"]
    separator = found["sep"] if found["sep"].strip() else ":"
    if separator[-1] != "：":
        separator = separator.rstrip()
    prefix = (found["bullet"] or "") + (mark if late or close else "")
    return prefix, f"{close}{separator}{late}" + (" " if separator[-1] != "：" or late else "")
