r"""A file as a row of top-level blocks, each parsed on its own.

A block is one top-level statement with what follows it up to the next one:

    import os            block
                         (blank lines and comments belong to the block above)
    @decorator           block: decorators, header and body
    def f(x):
        ...

    if a:                block: `else`, `elif`, `except`, `finally` stay with their statement
        ...
    else:
        ...

Two invariants make typing fast and keep broken code readable:

* A block boundary carries no state, so blocks can be found again from any boundary, and a block
  whose text did not change need not be looked at: `split` reuses it (by identity).
* Splitting never fails. Where a bracket or a triple quote is left open, the rest of the file is
  split again at every line that can only be a new statement, from the first block that does not
  parse; what stands before and after the fault keeps its meaning.

`"".join(block.text for block in blocks) == text` always.
"""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from itertools import accumulate
from typing import TypeVar

from adk_tool_lens.source.edits import Edit, apply
from adk_tool_lens.source.text import SourceText, Span

T = TypeVar("T")
MAX_BLOCK = 2_000_000
"""Blocks of more code points are not parsed: a generated file must not stop the server."""
_TOO_DEEP = "it is nested deeper than Python's parser goes"

TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\r\n]*)
    | (?P<triple>\"\"\"|''')
    | (?P<string>"(?:[^"\\\r\n]|\\(?:\r\n|.|[\r\n]))*"?|'(?:[^'\\\r\n]|\\(?:\r\n|.|[\r\n]))*'?)
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<joined>\\(?:\r\n|\r|\n))
    | (?P<line>(?:\r\n|\r|\n))
    """,
    re.VERBOSE | re.DOTALL,
)
CLOSE_TRIPLE = {
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*"""', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*'''", re.DOTALL),
}
_CONTINUES = re.compile(r"(?:else|elif|except|finally)\b|[)\]}#\r\n \t\f\v]")
_SURE_STATEMENT = re.compile(
    r"(?:@[^\W\d]|(?:async[ \t]+def|def|class|import|from|if|for|while|with|try|return|raise)\b"
    r"|[^\W\d]\w*[ \t]*(?:=(?!=)|:|\(|\.|\[))"
)


class Block:
    """One top-level statement: its text and, made when first asked for, its syntax tree.

    Blocks are compared by identity: the same object stands for the same text through many versions
    of a file, wherever it moved to.
    """

    __slots__ = ("__dict__", "__weakref__", "text")

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"Block({self.text[:40]!r})"

    @cached_property
    def source(self) -> SourceText:
        """The block's text with its lines."""
        return SourceText(self.text)

    @cached_property
    def line_count(self) -> int:
        """How many line ends the block has."""
        return len(self.source.line_starts) - 1

    @cached_property
    def _read(self) -> tuple[ast.Module | None, str | None]:
        return parsed(self.text)

    @cached_property
    def tree(self) -> ast.Module | None:
        """The syntax tree, positions relative to the block; None when the text is no Python."""
        return self._read[0]

    @property
    def unread(self) -> str | None:
        """Why the text is not read although it may be complete Python, for people; else None."""
        return self._read[1]

    def span(self, node: ast.AST) -> Span:
        """Where a node of this block's tree stands, as offsets into the block."""
        source = self.source
        return Span(
            source.ast_offset(node.lineno, node.col_offset),  # type: ignore[attr-defined]
            source.ast_offset(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        )


def per_block(compute: Callable[[Block], T]) -> Callable[[Block], T]:
    """A function of a block's text whose answer is kept with the block, so that an edit costs one block.

    The answer is shared: nobody may change it.
    """
    key = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def kept(block: Block) -> T:
        answers = block.__dict__
        if key not in answers:
            answers[key] = compute(block)
        answer: T = answers[key]
        return answer

    return kept


def parse(text: str) -> ast.Module | None:
    """The syntax tree of a text, or None. Never raises, whatever the nesting or the bytes."""
    return parsed(text)[0]


def parsed(text: str) -> tuple[ast.Module | None, str | None]:
    """The syntax tree of a text, or why there is none where the text may be Python all the same."""
    if len(text) > MAX_BLOCK:
        size, most = len(text) / 1e6, MAX_BLOCK // 1_000_000
        return None, f"it has {size:.1f} million characters, more than {most} million"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text), None
    except (RecursionError, MemoryError, OverflowError):
        return None, _TOO_DEEP
    except SyntaxError as error:
        return None, _TOO_DEEP if error.msg.startswith("too many") else None
    except ValueError:
        return None, None


@dataclass(frozen=True)
class _Scan:
    """Where blocks begin, and whether the text ended in a state that reaches into what follows."""

    starts: tuple[int, ...]
    open_at_end: bool
    """Inside a bracket or a triple-quoted string."""
    cut_at_end: bool
    """As above, or within a line or after a decorator: the next line would belong to the last block."""


def _statement_starts(  # noqa: C901 - one automaton, clearer in one piece
    text: str, position: int, *, recover: bool
) -> Iterator[tuple[int, bool, bool]]:
    """Offsets of new blocks after `position` (itself a boundary), then the end with its state."""
    depth = 0
    decorated = text.startswith("@", position)
    ends_line = position == len(text)
    while match := TOKEN.search(text, position):
        position = match.end()
        kind = match.lastgroup
        ends_line = kind == "line" and position == len(text)
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "triple":
            closing = CLOSE_TRIPLE[match.group()].match(text, position)
            if closing and not (recover and _cuts_statement(closing.group())):
                position = closing.end()
            elif recover:
                position = match.end()
            else:
                yield len(text), True, True
                return
        elif kind == "line":
            starts = not (depth or decorated) and position < len(text)
            if starts and not _CONTINUES.match(text, position):
                decorated = text.startswith("@", position)
                yield position, False, False
            elif recover and depth and _SURE_STATEMENT.match(text, position):
                depth, decorated = 0, text.startswith("@", position)
                yield position, False, False
            elif decorated and not depth and re.match(r"[^\s@#]", text[position : position + 1]):
                decorated = False
    yield len(text), depth > 0, depth > 0 or decorated or not ends_line


def _cuts_statement(inside: str) -> bool:
    """Whether a triple-quoted string would swallow what can only be a statement of its own."""
    return any(_SURE_STATEMENT.match(inside, match.end()) for match in re.finditer(r"\r\n|\r|\n", inside))


def _scan(text: str, position: int, *, recover: bool = False) -> _Scan:
    *starts, (_, open_at_end, cut_at_end) = _statement_starts(text, position, recover=recover)
    return _Scan((position, *(start for start, *_ in starts)), open_at_end, cut_at_end)


class _Pool:
    """Blocks of an earlier version, each handed out once, in order."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._free: dict[str, list[Block]] = {}
        for block in reversed(blocks):
            self._free.setdefault(block.text, []).append(block)

    def take(self, text: str) -> Block:
        free = self._free.get(text)
        return free.pop() if free else Block(text)


def _cut(text: str, starts: Sequence[int], pool: _Pool) -> tuple[Block, ...]:
    ends = (*starts[1:], len(text))
    return tuple(pool.take(text[a:b]) for a, b in zip(starts, ends, strict=True) if a < b)


@dataclass(frozen=True)
class Row:
    """The blocks of one version of a text."""

    blocks: tuple[Block, ...]
    settled: bool
    """Whether every bracket and string is closed, so that each block can be found on its own."""

    @cached_property
    def starts(self) -> list[int]:
        """Where each block begins, in code points."""
        return [0, *accumulate(len(block.text) for block in self.blocks)][: len(self.blocks)]


def split(text: str, before: Sequence[Block] = ()) -> tuple[Block, ...]:
    """The blocks of a text, reusing those of `before` that have the same text."""
    return row_of(text, before).blocks


def row_of(text: str, before: Sequence[Block] = ()) -> Row:
    """The blocks of a text, reusing those of `before` that have the same text."""
    scan = _scan(text, 0)
    blocks = _cut(text, scan.starts, _Pool(before))
    if scan.open_at_end:
        return Row(_recovered(text, blocks, before), settled=False)
    return Row(blocks, settled=True)


def row_after(row: Row, edit: Edit) -> Row | None:
    """The blocks after an edit, found by looking at the touched blocks and the one before them.

    Returns:
        The row that `row_of` gives for the new text; None when only looking at all of it can tell.
    """
    if not row.settled or not row.blocks:
        return None
    first = max(0, bisect_right(row.starts, edit.start) - 2)
    last = bisect_right(row.starts, edit.end) - 1
    touched = row.blocks[first : last + 1]
    offset = row.starts[first]
    region = apply("".join(block.text for block in touched), [edit.moved(-offset)])
    scan = _scan(region, 0)
    at_end = last + 1 == len(row.blocks)
    if scan.open_at_end or (scan.cut_at_end and not at_end):
        return None
    if not region or (first == 0 and not at_end and _CONTINUES.match(region)):
        return None
    pieces = _cut(region, scan.starts, _Pool(touched))
    return Row((*row.blocks[:first], *pieces, *row.blocks[last + 1 :]), settled=True)


def _recovered(text: str, blocks: tuple[Block, ...], before: Sequence[Block]) -> tuple[Block, ...]:
    position = 0
    for index, block in enumerate(blocks):
        if block.tree is None:
            rest = _scan(text, position, recover=True)
            used = set(map(id, blocks[:index]))
            pool = _Pool([old for old in before if id(old) not in used])
            return (*blocks[:index], *_cut(text, rest.starts, pool))
        position += len(block.text)
    return blocks
