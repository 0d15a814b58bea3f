"""From the blocks of a docstring to what they say about each parameter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from adk_tool_lens.docstrings.model import Entry, Span, Style
from adk_tool_lens.docstrings.outline import ENTRY, NUMPY_ENTRY, Block, Line, match_field

_BUILT_IN = (
    r"(?:str|string|int|integer|float|number|bool|boolean|bytes|dict|dictionary|list|tuple|set|frozenset|"
    r"object|array|None|Any|Optional|Union|Literal|List|Dict|Tuple|Set|Sequence|Iterable|Mapping|Callable|"
    r"Path|date|datetime|Decimal|Enum|ToolContext)"
)
_ITEMS = r"(?:\[[^\n]*?\]+)?"
_MORE = rf"(?:\s*(?:\||or|of)\s*[\w.]+{_ITEMS})*(?:,\s*(?:optional|required))?"
_TYPE = rf"{_BUILT_IN}{_ITEMS}{_MORE}"
_BARE_TYPE = re.compile(rf"{_TYPE}$")
_TYPE_DASH = re.compile(rf"(?P<type>{_TYPE})(?:\s+--?\s+|\s*[–—]\s*|\s+--?$)")
_NAME = re.compile(r"[^\W\d][\w.]*")
_ASIDE = re.compile(
    r"(?:default|defaults|note|notes|example|examples|format|optional|required)$", re.IGNORECASE
)
_SENTENCE = re.compile(r"[.!?。]$|^(?:The|A|An|Whether|If|Name|List)\s|(?:\S+\s+){6}")


class Piece(NamedTuple):
    """Text of one line of an entry, and where it is."""

    text: str
    start: int
    end: int


class _Header(NamedTuple):
    """The first line of an entry, taken apart."""

    names: tuple[Piece, ...]
    type: Piece | None
    rest: Piece
    style: Style
    start: int


class _Around(NamedTuple):
    """Where a line stands: below an entry already, above a line that is further in."""

    inside: bool
    deeper: bool


def entries_of(block: Block, lines: Sequence[Line], params: Collection[str]) -> Iterator[Entry]:
    """The entries of a section or field, in order."""
    if block.head.style in (Style.REST, Style.EPYTEXT):
        return _field_entries(block, lines)
    return _section_entries(block, lines, params)


def is_bare_type(text: str) -> bool:
    """Whether a text is the name of a type and nothing else."""
    return _BARE_TYPE.match(text) is not None


def text_of(block: Block, lines: Sequence[Line]) -> str:
    """The text of a block without its head, its lines joined."""
    return _joined(_content(block, lines))


def _content(block: Block, lines: Sequence[Line]) -> list[Piece]:
    head = block.head
    pieces = [Piece(x.text, x.left, x.right) for x in lines[block.first + head.size : block.end] if x.text]
    if head.size == 1:
        first = lines[block.first]
        inline = first.text[head.content - first.left :]
        if inline:
            pieces.insert(0, Piece(inline, head.content, first.right))
    return pieces


def _joined(pieces: Sequence[Piece]) -> str:
    return " ".join(piece.text for piece in pieces if piece.text)


def _field_entries(block: Block, lines: Sequence[Line]) -> Iterator[Entry]:
    first = lines[block.first]
    header = _field_header(first)
    if header is None:
        return
    pieces = _content(block, lines)
    if not block.head.title.endswith("type"):
        yield from _finished(header, pieces, block, lines[block.end - 1].right)
        return
    for entry in _finished(header, [], block, lines[block.end - 1].right):
        yield replace(entry, type=_joined(pieces), type_field=entry.span)


def _field_header(line: Line) -> _Header | None:
    found = match_field(line.text)
    if found is None or not found["argument"]:
        return None
    name = _NAME.search(found["argument"])
    if name is None:
        return None
    at = line.left + found.start("argument")
    names = (Piece(name[0], at + name.start(), at + name.end()),)
    style = Style.REST if line.text[0] == ":" else Style.EPYTEXT
    rest = Piece(line.text[found.end() :], line.left + found.end(), line.right)
    return _Header(names, _group(found, "type", line), rest, style, line.left)


def _section_entries(block: Block, lines: Sequence[Line], params: Collection[str]) -> Iterator[Entry]:
    header: _Header | None = None
    pieces: list[Piece] = []
    end = base = -1
    content = [line for line in _lines_with_inline(block, lines) if line.text]
    for index, line in enumerate(content):
        base = line.width if base < 0 else base
        found = None
        if line.width <= base:
            deeper = index + 1 < len(content) and content[index + 1].width > line.width >= 0
            found = _header(line, block, params, _Around(header is not None, deeper))
        if found is not None:
            if header is not None:
                yield from _finished(header, pieces, block, end)
            header, pieces = found, [found.rest] if found.rest.text else []
        elif header is not None:
            pieces.append(Piece(line.text, line.left, line.right))
        end = line.right
    if header is not None:
        yield from _finished(header, pieces, block, end)


def _lines_with_inline(block: Block, lines: Sequence[Line]) -> Iterator[Line]:
    head, first = block.head, lines[block.first]
    if head.size == 1 and head.content < first.right:
        yield Line(first.start, head.content, first.right, -1, first.text[head.content - first.left :])
    yield from lines[block.first + head.size : block.end]


def _header(line: Line, block: Block, params: Collection[str], around: _Around) -> _Header | None:
    if line.text[0] in ":@":
        return _field_header(line)
    numpy = NUMPY_ENTRY.match(line.text) if block.head.style is Style.NUMPY else None
    if numpy is not None:
        end = Piece("", line.right, line.right)
        kind = _group(numpy, "type", line)
        return _Header(_names(numpy, line), kind, end, Style.NUMPY, line.left)
    found = ENTRY.match(line.text)
    if found is None or not _accepted(found, params, around, line.width < 0):
        return None
    return _google_header(found, line)


def _accepted(found: re.Match[str], params: Collection[str], around: _Around, inline: bool) -> bool:
    """Whether a line that could be an entry is one, rather than more text of the entry above."""
    names = [name.strip("\\* ") for name in found["names"].split(",")]
    if all(name in params for name in names):
        return True
    if inline or len(names) > 1:
        return not params and not inline
    name, separated = names[0], bool(found["sep"].strip())
    if "." in name and name.partition(".")[0] not in params:
        error = name.endswith(("Error", "Exception"))
        return bool(found["bracket"]) or error or (not around.inside and separated)
    if not separated:
        return bool(found["bracket"]) or (around.deeper and not around.inside)
    return not (around.inside and params and _ASIDE.match(name))


def _google_header(found: re.Match[str], line: Line) -> _Header:
    kind = _group(found, "type", line)
    rest = _piece(line, found.end(), len(line.text))
    mark = found["open"]
    if mark and not found["close"] and not found["close2"] and rest.text.startswith(mark):
        rest = _stripped(rest, len(mark))
    if kind is None:
        dashed = _TYPE_DASH.match(rest.text)
        if dashed is not None:
            kind = Piece(dashed["type"], rest.start, rest.start + dashed.end("type"))
            rest = _stripped(rest, dashed.end())
        elif _BARE_TYPE.match(rest.text):
            kind, rest = rest, Piece("", rest.end, rest.end)
    return _Header(_names(found, line), kind, rest, Style.GOOGLE, line.left)


def _names(found: re.Match[str], line: Line) -> tuple[Piece, ...]:
    start, names = found.start("names"), found["names"]
    if names.isidentifier():
        return (_piece(line, start, start + len(names)),)
    return tuple(_piece(line, start + x.start(), start + x.end()) for x in _NAME.finditer(names))


def _group(found: re.Match[str], name: str, line: Line) -> Piece | None:
    return _piece(line, found.start(name), found.end(name)) if found[name] is not None else None


def _piece(line: Line, start: int, end: int) -> Piece:
    return Piece(line.text[start:end], line.left + start, line.left + end)


def _stripped(piece: Piece, size: int) -> Piece:
    text = piece.text[size:].lstrip()
    return Piece(text, piece.end - len(text), piece.end)


def _finished(header: _Header, pieces: list[Piece], block: Block, end: int) -> Iterator[Entry]:
    kind = header.type
    if header.style is Style.NUMPY and kind is not None and not pieces and _SENTENCE.search(kind.text):
        pieces, kind = [kind], None
    text_span: Span = (pieces[0].start, pieces[-1].end) if pieces else (header.rest.end, header.rest.end)
    for name in header.names:
        yield Entry(
            name=name.text,
            type=(kind.text.strip() or None) if kind is not None else None,
            description=_joined(pieces),
            span=(header.start, max(end, header.rest.end)),
            section=block.head.title,
            style=header.style,
            name_span=(name.start, name.end),
            text_span=text_span,
            type_span=(kind.start, kind.end) if kind is not None else None,
            shared=len(header.names) > 1,
        )
