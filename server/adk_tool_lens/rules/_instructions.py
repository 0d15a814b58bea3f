"""Finds parts of an agent's instruction in the file."""

from __future__ import annotations

import io
import tokenize

from adk_tool_lens.discovery.model import Agent
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.docstrings.literal import parse
from adk_tool_lens.source.text import Span


def place_of(agent: Agent, part: str, at: int) -> Place | None:
    """Where a part of the instruction's text is written; the whole instruction where that cannot be told.

    Args:
        agent: The agent.
        part: The text of the part.
        at: Its offset in `agent.instruction`.
    """
    given = agent.keyword("instruction")
    where = agent.instruction_place
    if where is not None and agent.instruction is not None:
        before = agent.instruction.count(part, 0, at)
        span = _nth(where, part, before)
        if span is not None:
            return Place(where.path, where.block, span)
    return where if where is not None else given.value.place if given is not None else None


def _nth(where: Place, part: str, number: int) -> Span | None:
    """The source of the occurrence `number` (from 0) of a text in a literal of one or more tokens."""
    offsets: list[int] = []
    value = ""
    for start, end in _tokens(where):
        literal = parse(where.block.text, start, end)
        if literal is None:
            return None
        value += literal.value
        offsets += literal.offsets[:-1]
    position = -1
    for _ in range(number + 1):
        position = value.find(part, position + 1)
        if position < 0:
            return None
    return Span(offsets[position], offsets[position + len(part) - 1] + 1)


def _tokens(where: Place) -> list[tuple[int, int]]:
    """The string tokens of a place, as offsets into its block."""
    text = where.block.text[where.span.start : where.span.end]
    if parse(where.block.text, where.span.start, where.span.end) is not None:
        return [(where.span.start, where.span.end)]
    shown = f"({text})"
    starts = [0]
    for line in io.StringIO(shown, newline=""):
        starts.append(starts[-1] + len(line))
    shift = where.span.start - 1
    try:
        found = [
            (starts[t.start[0] - 1] + t.start[1] + shift, starts[t.end[0] - 1] + t.end[1] + shift)
            for t in tokenize.generate_tokens(io.StringIO(shown, newline="").readline)
            if t.type == tokenize.STRING
        ]
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return []
    return found
