"""Whether a model that reads a docstring learns anything about a parameter or about the result."""

from __future__ import annotations

import re
from functools import lru_cache

from adk_tool_lens.docstrings.reader import read

_RESULT = re.compile(
    r"(?im)(?:^[^\S\n]*|[.!?:;]\s+|\b(?:and|or|it|which|that|tool|function)\s+)"
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
    docstring = read(text)
    own = [entry for entry in docstring.entries if entry.name == plain]
    if any(entry.description for entry in own):
        return True
    spans = [span for entry in own for span in (entry.span, entry.type_field) if span]
    found = _pattern(plain).finditer(text)
    return any(not any(a <= x.end() <= b for a, b in spans) for x in found)


def describes_result(text: str) -> bool:
    """Whether the docstring of a function tells something about what it returns."""
    docstring = read(text)
    return bool(docstring.returns) or _RESULT.search(f"{docstring.summary}\n{docstring.body}") is not None


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    """Where prose speaks of a parameter; a match ends right after its name."""
    word = rf"(?<![\w.])\*{{0,2}}{re.escape(name)}"
    noun = "parameter|argument|param|arg"
    patterns = [
        rf"(?<=[`'\"“«*]){word}(?=(?:\s*=[^`'\"\n]*)?[`'\"”»*])",
        rf"(?:(?<=\n)|\A|[-*+•(,;.][ \t]+|[ \t])[ \t]*{word}(?=[ \t]*(?:\([^)\n]*\))?[ \t]*[:：=–—][ \t]*\S)",
        rf"(?:(?<=\n)|\A)[ \t]*{word}(?=(?:[ \t]{{2,}}|[ \t]*\t|[ \t]+--?[ \t]+)\S)",
        rf"\b(?:the|a|an|this|{noun})\s+{word}(?!\w)",
        rf"{word}(?=\s+(?:{noun})\b)",
    ]
    if "_" in name or len(name) >= 4:
        patterns.append(rf"{word}(?!\w)")
    return re.compile("|".join(patterns))
