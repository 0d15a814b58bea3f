"""Whether a model that reads a docstring learns anything about a parameter or about the result."""

from __future__ import annotations

import re
from functools import lru_cache

from adk_tool_lens.docstrings.reader import read

_RESULT = re.compile(
    r"(?im)(?:^|[.!?:;]\s+|\n\s*|\b(?:and|or|it|which|that|tool|function)\s+)"
    r"(?:will\s+)?(?:return|yield|give|respond|produce|output)s?\b(?!\s*[:=]?\s*$)"
    r"|\b(?:a|an|the)\s+(?:\w+\s+){0,2}?(?:dict|dictionary|list|string|object|json|tuple|mapping)\b[^.\n]{0,40}?"
    r"\b(?:with|of|containing|contains|describing|holding|including)\b"
    r"|\b(?:is|are|be)\s+returned\b|\breturn(?:ed)?\s+value\b|\bthe\s+result\s+(?:is|has|contains)\b"
)


def mentions(text: str, name: str) -> bool:
    """Whether the docstring of a function tells something about a parameter.

    An entry counts when it has a description. In prose the name counts as it can be recognised: in
    code marks or quotes, as `name:` or "the name parameter"; a name of four letters or more, or one
    with an underscore, also as a word.
    """
    plain = name.lstrip("*")
    if plain not in text:
        return False
    docstring = read(text, (plain,))
    if any(entry.name == plain and entry.description for entry in docstring.entries):
        return True
    prose = text
    for start, end in sorted((entry.span for entry in docstring.entries), reverse=True):
        if docstring.entry(plain) is not None and prose[start:end].find(plain) >= 0:
            prose = prose[:start] + prose[end:]
    return _pattern(plain).search(prose) is not None


def describes_result(text: str) -> bool:
    """Whether the docstring of a function tells something about what it returns."""
    docstring = read(text)
    return bool(docstring.returns) or _RESULT.search(f"{docstring.summary}\n{docstring.body}") is not None


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    word = re.escape(name)
    marked = rf"(?P<m>[`'\"*]{{1,2}})\*{{0,2}}{word}(?:\s*[=:][^`'\"\n]*)?(?P=m)"
    labelled = rf"(?:^|\n|[-*+•(,;]\s*)\s*\*{{0,2}}{word}\s*(?:\([^)\n]*\)\s*)?[:：=–—]\s*\S"
    noun = "parameter|argument|param|arg"
    called = rf"\b(?:the|a|an|this|{noun})\s+{word}\b|\b{word}\s+(?:{noun})\b"
    patterns = [marked, labelled, called]
    if "_" in name or len(name) >= 4:
        patterns.append(rf"(?<![\w.]){word}(?!\w)")
    return re.compile("|".join(patterns))
