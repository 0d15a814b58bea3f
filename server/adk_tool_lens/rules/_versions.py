"""Facts about google-adk versions that a declaration cannot tell: what happens when a tool is called."""

from __future__ import annotations

import re

POSITIONAL_ONLY_WORKS = "2.13"
"""Arguments for parameters before `/` are passed by position from here on; before, by keyword (TypeError)."""
CONTEXT_BY_TYPE = "1.28"
"""The context parameter is found by its annotation from here on; before, by the name `tool_context` alone."""
MODELS_IN_LISTS = "2.0"
"""The elements of a `list[Model]` argument are made into models from here on; before, they stay dicts."""


def at_least(version: str | None, wanted: str) -> bool:
    """Whether a version such as `2.13.0` is `wanted` or later; an unknown version counts as a late one."""
    return version is None or _numbers(version) >= _numbers(wanted)


FIELD_LOST = ("2.0.0", "2.1.0", "2.2.0", "2.5.0", "2.8.0", "2.9.0", "2.9.1", "2.9.2")
"""Versions that lose the `Field` of `Annotated[..., Field(...)]`: 2.0 to 2.9.2."""


def allows(requirement: str | None, versions: tuple[str, ...]) -> bool:
    """Whether a requirement such as `>=1.19,<3` allows one of some versions; an unclear one allows none."""
    if not requirement:
        return False
    parts = [
        re.fullmatch(r"(>=|<=|==|!=|~=|>|<)\s*([\d.]+)(\.\*)?", p.strip()) for p in requirement.split(",")
    ]
    rules = [(part[1], part[2], bool(part[3])) for part in parts if part is not None]
    return len(rules) == len(parts) and any(all(_fits(v, *rule) for rule in rules) for v in versions)


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


def _numbers(version: str) -> tuple[int, ...]:
    found = [int(number) for number in re.findall(r"\d+", version)[:3]]
    return (*found, *([0] * (3 - len(found))))
