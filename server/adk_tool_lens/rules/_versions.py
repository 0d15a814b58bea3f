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


def _numbers(version: str) -> tuple[int, ...]:
    found = [int(number) for number in re.findall(r"\d+", version)[:3]]
    return (*found, *([0] * (3 - len(found))))
