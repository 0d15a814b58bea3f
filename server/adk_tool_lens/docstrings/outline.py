"""From the text of a docstring to its blocks: prose, titled sections and fields.

Parsing never fails: a line that is none of these is prose. A line belongs to exactly one block, so
an outline is told line by line, by asking whether this line opens a new block.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from adk_tool_lens.docstrings.model import Kind, Style
from adk_tool_lens.docstrings.titles import Titles


class Line(NamedTuple):
    """One line; its visible text is at `[left, right)`, its indent `width` columns wide."""

    start: int
    left: int
    right: int
    width: int
    text: str


class Head(NamedTuple):
    """The line (two with an underline) that opens a block; `content` is where text on it starts."""

    style: Style
    kind: Kind
    title: str
    width: int
    content: int
    size: int = 1


class Block(NamedTuple):
    """A head and the half-open range of its lines, the head's included."""

    head: Head
    first: int
    end: int


PROSE = Head(Style.PLAIN, Kind.PROSE, "", -1, 0, 0)

_FIELD_KINDS = {
    **dict.fromkeys(
        ("param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam"),
        Kind.PARAMETERS,
    ),
    **dict.fromkeys(("type", "kwtype", "paramtype"), Kind.PARAMETERS),
    **dict.fromkeys(("return", "returns", "rtype"), Kind.RETURNS),
    **dict.fromkeys(("yield", "yields", "ytype"), Kind.YIELDS),
    **dict.fromkeys(("raise", "raises", "except", "exception", "throws"), Kind.RAISES),
}

_TAGS = "|".join(sorted(_FIELD_KINDS, key=len, reverse=True))

REST_FIELD = re.compile(
    rf":(?P<tag>{_TAGS})"
    r"(?:[ \t]+(?P<type>\S[^:]*?(?=[ \t]))??[ \t]*(?P<argument>[^\s:]+))?[ \t]*:[ \t]*"
)
"""`:param int x: text`, `:return: text`."""

EPYTEXT_FIELD = re.compile(
    rf"@(?P<tag>{_TAGS})(?![\w-])(?:[ \t]+\{{(?P<type>[^{{}}]*)\}})?"
    r"(?:(?<!return)(?<!returns)(?<!rtype)(?<!yield)(?<!yields)(?<!ytype)"
    r"[ \t]+(?P<argument>[\w*.\\]+))?"
    r"[ \t]*(?::|-(?=\s))?[ \t]*"
)
"""`@param x: text`, `@return: text`, and what javadoc writes: `@param x text`."""

ENTRY = re.compile(
    r"(?P<bullet>(?:[-*+•‣·]|\d+[.)])\s+)?"
    r"(?P<open>[`*\"']{0,3})"
    r"(?P<names>\\?\*{0,2}[^\W\d][\w.]*(?:\s*,\s*\\?\*{0,2}[^\W\d]\w*)*)"
    r"(?P<close>[`*\"']{0,3})"
    r"(?P<bracket>\s*[(（\[](?P<type>(?:[^()（）\[\]]|[(\[](?:[^()\[\]]|[(\[](?:[^()\[\]]|[(\[][^()\[\]]*[)\]])*[)\]])*[)\]])*)[)）\]])?"
    r"(?P<close2>[`*]{0,3})"
    r"(?P<sep>\s*[:：](?!:)\s*|\s+--?\s+|\s*(?:—|–|--)\s*|\s*$|(?P<wide>\s{2,}|\t+)(?=\S))"
)
"""`name: text` with all that may stand before, around and after the name."""

NUMPY_ENTRY = re.compile(
    r"(?P<open>[`*]{0,3})"
    r"(?P<names>\\?\*{0,2}[^\W\d]\w*(?:\s*,\s*(?:\\?\*{0,2}[^\W\d]\w*|\.\.\.))*)"
    r"(?P<close>[`*]{0,3})\s*(?::(?!:)\s*(?P<type>.*))?$"
)

_RULES = ("---", "===", "~~~")
_UNDERLINE = re.compile(r"-{3,}|={3,}|~{3,}")
_LONGEST = 50
_MARKS = "#*_ \t"
_NESTED = {Kind.RETURNS, Kind.YIELDS, Kind.RAISES, Kind.EXAMPLES}


def split_lines(text: str) -> list[Line]:
    """The lines of a docstring's value; the first one is given the margin of the others."""
    lines: list[Line] = []
    position, margin = 0, -1
    for raw in text.split("\n"):
        body = raw.strip()
        if body:
            indent = raw.find(body[0])
            left = position + indent
            width = len(raw[:indent].expandtabs()) if "\t" in raw else indent
            if position and (margin < 0 or width < margin):
                margin = width
            lines.append(Line(position, left, left + len(body), width, body))
        else:
            end = position + len(raw)
            lines.append(Line(position, end, end, 0, ""))
        position += len(raw) + 1
    lines[0] = lines[0]._replace(width=max(margin, 0))
    return lines


class _Scan(NamedTuple):
    """What deciding about a line needs: the lines, the parameters' names, the titles."""

    lines: Sequence[Line]
    params: Collection[str]
    titles: Titles


def outline(lines: Sequence[Line], params: Collection[str], titles: Titles) -> list[Block]:
    """The blocks of a docstring, in order, without the blank lines around them."""
    scan = _Scan(lines, params, titles)
    opened: list[tuple[Head, int]] = []
    head, base, gap, last, skip = PROSE, -1, True, -1, -1
    ends: list[int] = []
    for index, line in enumerate(lines):
        if not line.text:
            gap = True
            continue
        if index == skip:
            last, gap = index, False
            continue
        new = _opened_by(scan, index, head, base, gap) if opened else _any_head(scan, index, True) or PROSE
        if new is not None:
            if opened:
                ends.append(last + 1)
            opened.append((new, index))
            head, base = new, -1
            skip = index + 1 if new.size == 2 else -1
        elif base < 0:
            base = line.width
        last, gap = index, False
    ends.append(last + 1)
    return [Block(head, first, end) for (head, first), end in zip(opened, ends, strict=False)]


def _opened_by(scan: _Scan, index: int, head: Head, base: int, gap: bool) -> Head | None:
    """The head that this line opens; None if the line continues the block."""
    if head.kind is Kind.PROSE:
        return _any_head(scan, index, gap)
    match head.style:
        case Style.NUMPY:
            return _after_numpy(scan, index, head, base, gap)
        case Style.GOOGLE:
            return _after_google(scan, index, head, base, gap)
        case _:
            return _after_field(scan, index, head, gap)


def _after_google(scan: _Scan, index: int, head: Head, base: int, gap: bool) -> Head | None:
    line = scan.lines[index]
    if line.width > head.width:
        nested = head.kind is Kind.PARAMETERS and line.width <= base
        return _nested_head(scan, index, gap) if nested else None
    new = _any_head(scan, index, gap)
    entry = head.kind is Kind.PARAMETERS and _looks_like_entry(scan, line)
    if new is not None and not (entry and new.title in scan.params):
        return new
    if entry and (base < 0 or base <= head.width):
        return None
    if gap or base > head.width or (base < 0 and head.kind is Kind.PARAMETERS):
        return PROSE
    return None


def _nested_head(scan: _Scan, index: int, gap: bool) -> Head | None:
    """A `Returns:` that slid to the right, among the entries: no parameter is called so."""
    line = scan.lines[index]
    if not (line.text[0].isupper() or line.text.startswith(("**", "#"))):
        return None
    new = _heading(scan, index, gap)
    if new is None or new.kind not in _NESTED or new.title in scan.params:
        return None
    return new


def _after_numpy(scan: _Scan, index: int, head: Head, base: int, gap: bool) -> Head | None:
    line = scan.lines[index]
    new = _underlined(scan, index)
    if new is not None:
        return new
    if line.width > head.width:
        return None
    new = _any_head(scan, index, gap)
    if new is not None and new.title not in scan.params:
        return new
    ends = head.kind is Kind.PARAMETERS and gap and base >= 0 and line.width <= base
    return PROSE if ends and NUMPY_ENTRY.match(line.text) is None else None


def _after_field(scan: _Scan, index: int, head: Head, gap: bool) -> Head | None:
    line = scan.lines[index]
    new = _field(line) if line.width < head.width + 2 else None
    if new is not None or line.width > head.width:
        return new
    ends = gap and not _hangs_from_first(scan, line, head)
    return _heading(scan, index, gap) or (PROSE if ends else None)


def _hangs_from_first(scan: _Scan, line: Line, head: Head) -> bool:
    """Whether a line may hang from a field on the first line: that one's own indent is unknown.

    A clean text ends with its last word, so what is indented in it, hangs.
    """
    return line.width > 0 and head.content <= scan.lines[0].right and bool(scan.lines[-1].text)


def _looks_like_entry(scan: _Scan, line: Line) -> bool:
    found = ENTRY.match(line.text)
    if found is None:
        return match_field(line.text) is not None
    name = found["names"].lstrip("\\*")
    if name in scan.params:
        return True
    return found["sep"].strip() != "" and ("," not in name or not scan.params)


def _any_head(scan: _Scan, index: int, gap: bool) -> Head | None:
    line = scan.lines[index]
    if line.text[0] in ":@":
        return _field(line)
    return _underlined(scan, index) or _heading(scan, index, gap)


def match_field(text: str) -> re.Match[str] | None:
    """The field that a line starts with."""
    match text[:1]:
        case ":":
            return REST_FIELD.match(text)
        case "@":
            return EPYTEXT_FIELD.match(text)
        case _:
            return None


def _field(line: Line) -> Head | None:
    found = match_field(line.text)
    if found is None:
        return None
    style = Style.REST if line.text[0] == ":" else Style.EPYTEXT
    tag = found["tag"]
    return Head(style, _FIELD_KINDS[tag], tag, line.width, line.left + found.end())


def _underlined(scan: _Scan, index: int) -> Head | None:
    if index + 1 == len(scan.lines):
        return None
    line, below = scan.lines[index], scan.lines[index + 1]
    if below.text[:3] not in _RULES or _UNDERLINE.fullmatch(below.text) is None:
        return None
    if below.width != line.width and index:
        return None
    title = line.text.rstrip(":：").strip(_MARKS)
    kind = scan.titles.get(title.casefold())
    if kind is None and (index == 0 or len(title) > _LONGEST or not any(x.text for x in scan.lines[:index])):
        return None
    return Head(Style.NUMPY, kind or Kind.OTHER, title, line.width, below.right, 2)


def _heading(scan: _Scan, index: int, gap: bool) -> Head | None:
    """A title with a colon, in markdown, or alone on its line."""
    line = scan.lines[index]
    text = line.text
    stripped = text.strip(_MARKS) if text[0] in "#*_" else text
    cut = stripped.find(":")
    if cut < 0:
        cut = stripped.find("：")
    if cut > _LONGEST or (cut < 0 and len(stripped) > _LONGEST):
        return None
    title = (stripped[:cut] if cut >= 0 else stripped).rstrip(_MARKS)
    kind = scan.titles.get(title.casefold())
    if kind is None:
        return None
    at = text.find(title) + len(title)
    content = line.left + at
    after = ":： \t*_" if stripped is not text else ":： \t"
    while content < line.right and text[content - line.left] in after:
        content += 1
    inline = content < line.right
    head = Head(Style.GOOGLE, kind, title, line.width, content)
    if cut >= 0:
        return head if not inline or gap or not title[0].islower() else None
    if inline:
        return None
    if text[0] in "#*_":
        return head
    return head if gap and _heads_something(scan, index) else None


def _heads_something(scan: _Scan, index: int) -> bool:
    """Whether a lone word such as `Returns` stands over indented lines or entries."""
    line = scan.lines[index]
    below = next((other for other in scan.lines[index + 1 :] if other.text), None)
    return below is not None and (below.width > line.width or _looks_like_entry(scan, below))
