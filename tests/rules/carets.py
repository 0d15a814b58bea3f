"""Expected findings as comments under the code.

    def get_stock(sku: Annotated[str, "Eight digits"]) -> dict:
    #                                 ^^^^^^^^^^^^^^ field-description-lost

The carets mark the range in the last line of code above. `#:` instead of `#` moves them two columns to
the left, for ranges that begin at the margin; a range that goes on in the next lines ends in `>`. Conditions
stand in brackets behind the rule's name, and all of them have to hold: `[adk 2.0-2.9.2]`, `[adk <2.12]`,
`[adk >=2.13]`, `[vertex]`, `[gemini]`; `[warning]` tells the severity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rules.checking import Hit

_MARK = re.compile(
    r"^\s*#(?P<left>:?)\s*(?P<carets>\^+)(?P<more>>?) (?P<rule>[a-z][a-z0-9-]+)(?: \[(?P<conditions>.*)\])?$"
)
_SEVERITIES = {"error", "warning", "info", "hint"}


@dataclass(frozen=True, order=True)
class Mark:
    """A range as the comments tell it: zero-based line, columns; the end is None when it is further down."""

    line: int
    start: int
    end: int | None


@dataclass(frozen=True)
class Expected:
    """A mark with what has to hold for it."""

    mark: Mark
    rule: str
    conditions: tuple[str, ...]

    def holds(self, adk: str, backend: str) -> bool:
        """Whether the finding is expected there."""
        return all(_holds(condition, adk, backend) for condition in self.conditions)

    @property
    def severity(self) -> str | None:
        """The severity, when the comment tells it."""
        return next((each for each in self.conditions if each in _SEVERITIES), None)


def code(text: str) -> str:
    """A text without the comments: they may stand in a docstring, whose text they are no part of."""
    return "\n".join(line for line in text.split("\n") if not _MARK.match(line))


def expected(text: str) -> Iterator[Expected]:
    """What the comments of a text expect; lines are counted without the comments."""
    number = -1
    for line in text.split("\n"):
        match = _MARK.match(line)
        if match is None:
            number += 1
            continue
        shift = 2 if match["left"] else 0
        start, end = match.start("carets") - shift, match.end("carets") - shift
        conditions = tuple(part.strip() for part in (match["conditions"] or "").split(",") if part.strip())
        yield Expected(Mark(number, start, None if match["more"] else end), match["rule"], conditions)


def marked(hit: Hit, like: list[Expected]) -> Mark:
    """A finding as a mark; its end is left out where it lies in a later line and the comments say so."""
    open_ended = {(each.mark.line, each.mark.start) for each in like if each.mark.end is None}
    if hit.start in open_ended and hit.end[0] > hit.start[0]:
        return Mark(*hit.start, None)
    return Mark(*hit.start, hit.end[1] if hit.end[0] == hit.start[0] else -1)


def _holds(condition: str, adk: str, backend: str) -> bool:
    if condition in _SEVERITIES:
        return True
    if condition in {"gemini", "vertex"}:
        return condition == backend
    match = re.fullmatch(r"adk (?:(>=|<)([\d.]+)|([\d.]+)-([\d.]+))", condition)
    assert match is not None, f"unknown condition {condition!r}"
    if match[1]:
        return (_number(adk) >= _number(match[2])) is (match[1] == ">=")
    return _number(match[3]) <= _number(adk) <= _number(match[4])


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
