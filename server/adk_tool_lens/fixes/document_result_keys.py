"""Describes the result by the keys of the dicts that the `return` statements give."""

from __future__ import annotations

import re

from adk_tool_lens.discovery.model import Returned
from adk_tool_lens.fixes.docstring_text import results
from adk_tool_lens.fixes.model import Case, Repair

_WORD = re.compile(r"[\w.:-]+")
"""Values that are names for something; sentences and parts of f-strings are not listed."""
MOST_VALUES = 5
"""Values of one key that are listed at most."""


def repair(case: Case) -> Repair | None:
    """The edits; None when the results are not all dicts with known keys."""
    tool = case.tool
    if tool is None or tool.is_generator:
        return None
    text = described(tool.body.returns)
    edits = results(case, text) if text else None
    if not edits:
        return None
    return Repair("Describe the result's keys in the docstring", edits, safe=False)


def described(returns: tuple[Returned, ...]) -> str:
    """Such as: A dict with `status` ("success" or "error") and with `items` or `error_message`."""
    given = [r for r in returns if r.kind != "none"]
    if not given or any(r.kind != "dict" or not r.keys for r in given):
        return ""
    shapes = list(dict.fromkeys(tuple(r.keys or ()) for r in given))
    shared = [key for key in shapes[0] if all(key in shape for shape in shapes)]
    first = _listed([_with_values(key, given) for key in shared])
    rest = [[f"`{key}`" for key in shape if key not in shared] for shape in shapes]
    ways = list(dict.fromkeys(_listed(way) for way in rest if way))
    if not ways:
        return f"A dict with {first}."
    sometimes = any(not way for way in rest)
    other = " or ".join(ways)
    if not first:
        return f"A dict with {other}." if not sometimes else f"A dict, sometimes with {other}."
    return f"A dict with {first}, {'sometimes with' if sometimes else 'and with'} {other}."


def _listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _with_values(key: str, given: list[Returned]) -> str:
    """A key with the constants it can have, when it never has anything else."""
    found = [_value(result, key) for result in given]
    texts = list(dict.fromkeys(f'"{value}"' for value in found if isinstance(value, str)))
    if all(isinstance(value, str) for value in found) and len(texts) <= MOST_VALUES:
        return f"`{key}` ({' or '.join(texts)})"
    return f"`{key}`"


def _value(result: Returned, key: str) -> object:
    keys = result.keys or ()
    if len(keys) != len(result.values):
        return None
    value = result.values[keys.index(key)]
    word = isinstance(value.literal, str) and _WORD.fullmatch(value.literal)
    return value.literal if word and repr(value.literal)[1:-1] == value.text.strip("\"'") else None
