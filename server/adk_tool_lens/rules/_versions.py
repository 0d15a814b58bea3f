"""Facts about google-adk versions that a declaration cannot tell: what happens when a tool is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

POSITIONAL_ONLY_WORKS = "2.13"
"""Arguments for parameters before `/` are passed by position from here on; before, by keyword (TypeError)."""
CONTEXT_BY_TYPE = "1.28"
"""The context parameter is found by its annotation from here on; before, by the name `tool_context` alone."""
MODELS_IN_LISTS = "2.0"
"""The elements of a `list[Model]` argument are made into models from here on; before, they stay dicts."""


def at_least(version: str | None, wanted: str) -> bool:
    """Whether a version such as `2.13.0` is `wanted` or later; an unknown version counts as a late one."""
    return version is None or _numbers(version) >= _numbers(wanted)


@dataclass(frozen=True)
class Versions:
    """A range of google-adk versions: from `since` on, below `below`."""

    since: str = ""
    below: str = ""

    def __str__(self) -> str:
        """As a person says it."""
        if not self.since:
            return f"before {self.below}"
        return f"from {self.since} on" + (f" and before {self.below}" if self.below else "")

    def has(self, version: str) -> bool:
        """Whether a version is one of them."""
        inside = not self.since or _numbers(version) >= _numbers(self.since)
        return inside and (not self.below or _numbers(version) < _numbers(self.below))

    def allowed(self, requirement: str | None) -> str | None:
        """One of them that a requirement such as `>=1.19,<3` allows; None for none or an unclear one."""
        bounds = re.findall(r"\d+(?:\.\d+)*", requirement or "")
        tried = [self.since or "1.0", *bounds, *(".".join(map(str, _next(bound))) for bound in bounds)]
        return next((v for v in tried if self.has(v) and allows(requirement, v)), None)


def _next(version: str) -> Iterator[int]:
    *head, last = _numbers(version)
    yield from (*head, last + 1)


def allows(requirement: str | None, version: str) -> bool:
    """Whether a requirement such as `>=1.19,<3` allows a version; an unclear one allows none."""
    if not requirement:
        return False
    parts = [
        re.fullmatch(r"(>=|<=|==|!=|~=|>|<)\s*([\d.]+)(\.\*)?", p.strip()) for p in requirement.split(",")
    ]
    rules = [(part[1], part[2], bool(part[3])) for part in parts if part is not None]
    return len(rules) == len(parts) and all(_fits(version, *rule) for rule in rules)


def _fits(version: str, operator: str, wanted: str, prefix: bool) -> bool:
    have, limit = _numbers(version), _numbers(wanted)
    length = len(wanted.split("."))
    match operator:
        case ">=":
            return have >= limit
        case ">":
            return have > limit
        case "<=":
            return have <= limit
        case "<":
            return have < limit
        case "~=":
            return have >= limit and have[: max(length - 1, 1)] == limit[: max(length - 1, 1)]
    same = have[:length] == limit[:length] if prefix else have == limit
    return same if operator == "==" else not same


@lru_cache(maxsize=256)
def _numbers(version: str) -> tuple[int, ...]:
    found = [int(number) for number in re.findall(r"\d+", version)[:3]]
    return (*found, *([0] * (3 - len(found))))
