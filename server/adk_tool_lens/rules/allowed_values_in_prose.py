'''The docstring lists the allowed values of a parameter that is typed as any string.

## What it does
Reports a `str` parameter whose entry says that it has to be one of some quoted values.

## Why it matters
A `Literal` or `Enum` becomes an `enum` in the schema (every version since 1.19): the model cannot choose
another value, and providers enforce it. A list in the prose is advice that the model may misread.

## What it ignores
Examples ("e.g.", "such as"), open lists ("...", "etc."), single values, and parameters that are more than a
string already.

## Example
```python
def get_weather(city: str, unit: str) -> dict:
    """Get the weather.

    Args:
        city: Name of the city in English.
        unit: Must be "celsius" or "fahrenheit".

    Returns:
        A dict with `status` and `temperature`.
    """
    return {"status": "success", "temperature": 21}
```

## Use instead
```python
from typing import Literal


def get_weather(city: str, unit: Literal["celsius", "fahrenheit"]) -> dict:
    """Get the weather.

    Args:
        city: Name of the city in English.
        unit: Unit of the temperature.

    Returns:
        A dict with `status` and `temperature`.
    """
    return {"status": "success", "temperature": 21}
```

## Fix
Types the parameter as a `Literal` of the values. Not safe: code that passes other values no longer
type-checks.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.docstrings.model import Entry
from adk_tool_lens.rules._docstring import in_docstring
from adk_tool_lens.rules.model import Finding, Fix, Related, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "description"
_VALUE = r"(?:\"[\w .:/+-]{1,40}\"|'[\w .:/+-]{1,40}'|`[\"']?[\w .:/+-]{1,40}[\"']?`)"
_LIST = re.compile(
    rf"{_VALUE}(?:\s*(?:,\s*(?:or|and|oder|ou|o)?|/|\||\bor\b|\band\b)\s*{_VALUE})+", re.IGNORECASE
)
_CLOSED = re.compile(
    r"\b(?:one of|either|must be|has to be|should be|can be|may be|allowed|valid|accepted|possible|supported|"
    r"permitted|options?|choices?|values?)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\bexamples?\b|\bsuch as\b|\blike\b|\betc\b|\.\.\.|…"
    r"|\bamong others\b|\bor any\b|\bincluding\b|\bother\b|\balso\b",
    re.IGNORECASE,
)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or view.tool.docstring is None or not view.description:
        return
    for parameter in view.parameters:
        entry = view.docstring.entry(parameter.name)
        if entry is None or not _is_plain_text(parameter):
            continue
        values = listed(entry.description)
        if len(values) >= 2:
            yield _finding(view, parameter, entry, values)


def listed(description: str) -> tuple[str, ...]:
    """The values that a description says are all there are."""
    text = re.sub(r"\be\.\s?g\.", "such as", description)
    for sentence in re.split(r"(?<=[a-z\"'`)])[.;](?=\s|$)|\n\s*\n", text):
        match = _LIST.search(sentence)
        if match is None or _OPEN.search(sentence) or not _is_closed(sentence, match):
            continue
        found = [value.strip("`\"'") for value in re.findall(_VALUE, match.group())]
        return tuple(dict.fromkeys(found))
    return ()


def _is_closed(sentence: str, match: re.Match[str]) -> bool:
    """Whether it says so, or the sentence consists of the list alone."""
    return _CLOSED.search(sentence, 0, match.start()) is not None or sentence.strip(" .:") == match.group()


def _is_plain_text(parameter: Parameter) -> bool:
    types = parameter.type.alternatives if parameter.type is not None else ()
    return bool(types) and all(each.name == "builtins.str" for each in types) and not parameter.metadata


def _finding(view: ToolView, parameter: Parameter, entry: Entry, values: tuple[str, ...]) -> Finding:
    assert parameter.annotation is not None  # noqa: S101 - it has a type
    literal = ", ".join(f'"{value}"' for value in values[:4]) + (", …" if len(values) > 4 else "")
    return Finding(
        "allowed-values-in-prose",
        SEVERITY,
        f"The values of `{parameter.name}` of `{view.tool.name}` are listed in prose only, so the model may "
        f"send others. Type it as `Literal[{literal}]`.",
        parameter.annotation.place,
        view.tool.name,
        (Fix("use-literal", (parameter.name, *values)),),
        (Related(in_docstring(view.tool, entry.span), "The values are listed here."),),
    )
