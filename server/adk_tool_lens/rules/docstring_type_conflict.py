'''The docstring gives a parameter another type than the schema.

## What it does
Reports an entry like `count (str): ...` for a parameter that is annotated `int`: none of the types in the
docstring is one that the annotation allows.

## Why it matters
The model reads both: the type in the docstring and the one in the schema. It has to follow the schema, but
what the text asks for cannot be sent, and providers that do not enforce the schema let the wrong type
through.

## What it ignores
Everything but the plain types of both sides (text, numbers, booleans, lists, dicts), descriptions like "str
(JSON)" where either could be meant, and enumerations, which are text and more.

## Example
```python
def get_page(number: int) -> dict:
    """Get a page of the catalogue.

    Args:
        number (str): Number of the page, from 1.

    Returns:
        A dict with `status` and `articles`.
    """
    return {"status": "success", "articles": []}
```

## Use instead
```python
def get_page(number: int) -> dict:
    """Get a page of the catalogue.

    Args:
        number (int): Number of the page, from 1.

    Returns:
        A dict with `status` and `articles`.
    """
    return {"status": "success", "articles": []}
```

## Fix
Writes the annotation's type into the docstring. Not safe: the annotation may be the one that is wrong.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.discovery.model import Parameter, TypeTree
from adk_tool_lens.docstrings.model import Entry
from adk_tool_lens.rules._docstring import in_docstring
from adk_tool_lens.rules.model import Finding, Fix, Related, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "description"
_TEXT, _WHOLE, _NUMBER, _BOOL, _LIST, _DICT = "text", "integer", "number", "boolean", "list", "dict"
_WRITTEN = {
    **dict.fromkeys(("str", "string", "text"), frozenset({_TEXT})),
    **dict.fromkeys(("int", "integer"), frozenset({_WHOLE, _NUMBER})),
    **dict.fromkeys(("float", "double"), frozenset({_NUMBER})),
    **dict.fromkeys(("number", "numeric", "num"), frozenset({_NUMBER, _WHOLE})),
    **dict.fromkeys(("bool", "boolean"), frozenset({_BOOL})),
    **dict.fromkeys(("list", "array", "sequence", "tuple", "set"), frozenset({_LIST})),
    **dict.fromkeys(("dict", "dictionary", "mapping", "object"), frozenset({_DICT})),
}
"""What kinds a word of a docstring may mean."""
_ANNOTATED = {
    "builtins.str": _TEXT,
    "builtins.int": _WHOLE,
    "builtins.float": _NUMBER,
    "builtins.bool": _BOOL,
    **dict.fromkeys(("builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset"), _LIST),
    "builtins.dict": _DICT,
}
_SPLIT = re.compile(r"\s*(?:\||,|/|\bor\b|\boder\b)\s*")
_NOISE = re.compile(r"\b(?:optional|required|none|default\b.*|defaults\b.*|an?)\b|null", re.IGNORECASE)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or view.tool.docstring is None or not view.description:
        return
    for parameter in view.parameters:
        entry = view.docstring.entry(parameter.name)
        if entry is None or not entry.type or not (entry.type_span or entry.type_field):
            continue
        written, annotated = _written(entry.type), _annotated(parameter)
        if written and annotated and not written & annotated:
            yield _finding(view, parameter, entry)


def _written(text: str) -> set[str]:
    """The kinds that a docstring's type may mean; none when a part of it is not a plain type."""
    inner = re.sub(r"^(?:typing\.)?Optional\[(.*)\]$", r"\1", text.strip().strip("`"))
    plain = re.sub(r"\[.*\]|\bof\b.*", "", inner)
    found: set[str] = set()
    for part in _SPLIT.split(_NOISE.sub("", plain)):
        word = part.strip(" `.:()'\"").rpartition(".")[2].lower()
        if not word:
            continue
        kinds = _WRITTEN.get(word)
        if kinds is None:
            return set()
        found |= kinds
    return found


def _annotated(parameter: Parameter) -> set[str]:
    members: tuple[TypeTree, ...] = parameter.type.alternatives if parameter.type is not None else ()
    kinds = {_ANNOTATED.get(member.name) for member in members}
    return set() if None in kinds else {kind for kind in kinds if kind is not None}


def _finding(view: ToolView, parameter: Parameter, entry: Entry) -> Finding:
    assert parameter.annotation is not None  # noqa: S101 - it has a type
    span = entry.type_span or entry.type_field
    assert span is not None  # noqa: S101 - the caller looked
    return Finding(
        "docstring-type-conflict",
        SEVERITY,
        f"The model reads that `{parameter.name}` of `{view.tool.name}` is `{entry.type}`, but its schema "
        f"says `{' '.join(parameter.annotation.text.split())}`. Make both the same.",
        in_docstring(view.tool, span),
        view.tool.name,
        (Fix("set-entry-type", (parameter.name,)),),
        (Related(parameter.annotation.place, "The schema comes from here."),),
    )
