"""Plans what a docstring says about the result."""

from __future__ import annotations

from adk_tool_lens.docstrings.compose import appended, before_index, holds, section_edit
from adk_tool_lens.docstrings.entries import is_bare_type, text_of
from adk_tool_lens.docstrings.layout import Layout, default_form, indent_of
from adk_tool_lens.docstrings.model import Kind, Style
from adk_tool_lens.docstrings.outline import Block
from adk_tool_lens.docstrings.reader import Reading
from adk_tool_lens.docstrings.wrap import columns, starts_with_item, wrapped
from adk_tool_lens.source.edits import Edit

_RESULTS = (Kind.RETURNS, Kind.YIELDS)


def results_plan(
    reading: Reading, layout: Layout, description: str, style: Style, kind: str = ""
) -> list[Edit]:
    """Add to what is said about the result, or start saying it."""
    if holds(reading.docstring.returns or "", description):
        return []
    for block in reading.blocks:
        if block.head.kind in _RESULTS and not block.head.title.endswith("type"):
            return [_extended(reading, layout, block, description)]
    own = reading.docstring.style
    chosen = style if own is Style.PLAIN else own
    section = new_results(layout, description, chosen, kind)
    return [section_edit(reading, layout, section, _index(reading), chosen)]


def new_results(layout: Layout, description: str, style: Style, kind: str = "") -> str:
    """A whole section about the result, each line with its indent; NumPy's names the type, if it is known."""
    margin = layout.margin
    if style in (Style.REST, Style.EPYTEXT):
        head = ":returns: " if style is Style.REST else "@return: "
        hang = default_form(layout, style).hang
        return margin + _on_line(margin + head, head, description, hang, layout.width)
    hang = margin + layout.unit
    text = hang + wrapped(description, columns(hang), hang, layout.width)
    if style is Style.NUMPY:
        head = f"{margin}{kind}\n" if kind else ""
        return f"{margin}Returns\n{margin}-------\n{head}{text}"
    return f"{margin}Returns:\n{text}"


def _on_line(written: str, head: str, description: str, hang: str, width: int) -> str:
    if starts_with_item(description):
        return f"{head.rstrip()}\n{hang}{wrapped(description, columns(hang), hang, width)}"
    return head + wrapped(description, columns(written), hang, width)


def _extended(reading: Reading, layout: Layout, block: Block, description: str) -> Edit:
    last = reading.lines[block.end - 1]
    place = last.right
    margin = indent_of(reading, reading.lines[block.first]) if block.first else layout.margin
    hang = margin + layout.unit
    text = text_of(block, reading.lines)
    written = reading.text[last.start : place]
    if not text:
        field = block.head.style in (Style.REST, Style.EPYTEXT)
        if field:
            return Edit(place, place, _on_line(f"{written} ", " ", description, hang, layout.width))
        below = wrapped(description, columns(hang), hang, layout.width)
        return Edit(place, place, f"\n{hang}{below}")
    if not is_bare_type(text):
        return appended(reading, layout, place, description, hang)
    if block.head.style is Style.NUMPY:
        below = wrapped(description, columns(hang), hang, layout.width)
        return Edit(place, place, f"\n{hang}{below}")
    return Edit(place, place, _on_line(f"{written}: ", ": ", description, hang, layout.width))


def _index(reading: Reading) -> int:
    """After the parameters; without any, before the errors and examples."""
    kinds = [block.head.kind for block in reading.blocks]
    if Kind.PARAMETERS in kinds:
        return len(kinds) - kinds[::-1].index(Kind.PARAMETERS)
    return before_index(reading, (Kind.RETURNS, Kind.RAISES, Kind.EXAMPLES))
