"""Our own regular expressions on long texts made against them: none takes more than a moment."""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adk_tool_lens

LENGTH = 400
SECONDS = 0.2
"""What is cubic or worse takes longer for this length; what is quadratic is fast enough for docstrings."""
CHARACTERS = " \t\n.,:;-`'\"([{<>)a1_*#\\/=|"
KEPT_APART = {"adk_tool_lens.__main__"}


def _patterns(value: object) -> Iterator[re.Pattern[str] | re.Pattern[bytes]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _patterns(each)
    elif isinstance(value, tuple | list | frozenset | set):
        for each in value:
            yield from _patterns(each)


def all_patterns() -> dict[str, re.Pattern[str] | re.Pattern[bytes]]:
    """Every compiled expression of every module, by where it is first found."""
    found: dict[str, re.Pattern[str] | re.Pattern[bytes]] = {}
    seen: set[tuple[object, int]] = set()
    for info in pkgutil.walk_packages(adk_tool_lens.__path__, "adk_tool_lens."):
        if info.name in KEPT_APART:
            continue
        for name, value in vars(importlib.import_module(info.name)).items():
            for number, pattern in enumerate(_patterns(value)):
                if (pattern.pattern, pattern.flags) not in seen:
                    seen.add((pattern.pattern, pattern.flags))
                    found[f"{info.name}.{name}[{number}]"] = pattern
    return found


PATTERNS = all_patterns()
SOURCES = "\n".join(path.read_text("utf-8") for path in Path(adk_tool_lens.__path__[0]).rglob("*.py"))
SEARCHED = set(re.findall(r"(\w+)(?:\[[^\]\n]*\])?\.(?:search|finditer|findall|sub|split)\(", SOURCES))
"""The names of expressions that are looked for anywhere in a text, not only at a place."""


def _units(pattern: str) -> list[str]:
    """What a text against an expression is made of: its own words, and what it may repeat."""
    words = [word for word in re.findall(r"[A-Za-z]{2,}", pattern) if len(word) < 12]
    return [*CHARACTERS, *dict.fromkeys(words[:4])]


def texts(pattern: str) -> Iterator[str]:
    """Long texts: each unit again and again, and pairs of the units that often go wrong."""
    units = _units(pattern)
    for unit in units:
        yield unit * (LENGTH // len(unit)) + "\n!"
    for one, other in itertools.product(units, " \n"):
        yield one + other * LENGTH + "\n!"


@pytest.mark.parametrize("name", PATTERNS)
def test_no_text_makes_an_expression_slow(name: str) -> None:
    pattern = PATTERNS[name]
    source = pattern.pattern
    searches = name.rpartition("[")[0].rpartition(".")[2] in SEARCHED
    for text in texts(source if isinstance(source, str) else source.decode("latin-1")):
        began = time.process_time()
        look: Any = pattern.search if searches else pattern.match
        look(text.encode() if isinstance(source, bytes) else text)
        assert time.process_time() - began < SECONDS, text[:30]
