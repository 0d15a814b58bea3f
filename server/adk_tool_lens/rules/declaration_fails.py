'''google-adk cannot build the declaration of the tool.

## What it does
Reports a tool for which the project's google-adk raises when it builds the declaration, with its error.

## Why it matters
Nothing fails while the module is imported: the first request with this tool does, and the whole turn of
the agent with it.

## What it ignores
Tools that can only be approximated, because then the live one may do better.

## Example
```python
class Client:
    pass


def fetch(path: str, client: Client) -> dict:
    """Fetch a path. Returns a dict with the content.

    Args:
        path: Path below the root.
        client: The client to use.
    """
    return {}
```

## Use instead
```python
def fetch(path: str) -> dict:
    """Fetch a path. Returns a dict with the content.

    Args:
        path: Path below the root.
    """
    return {}
```

## Fix
None: which type is meant only the author knows.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.declaration.model import Refused
from adk_tool_lens.discovery.model import Parameter
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    refused = view.answer
    if not isinstance(refused, Refused) or view.approximations:
        return
    parameter = culprit(view, refused)
    message = " ".join(refused.message.split())
    where = f" because of `{parameter.name}`" if parameter else ""
    yield Finding(
        "declaration-fails",
        SEVERITY,
        f"{view.facts.judged_by} cannot declare `{view.tool.name}`{where}, so every request with it fails. "
        f"It raises {refused.type}: {_first_words(message)}",
        _place(view, parameter),
        view.tool.name,
    )


def culprit(view: ToolView, refused: Refused) -> Parameter | None:
    """The parameter that an error of google-adk or pydantic is about, when the error tells."""
    quoted = re.findall(r"[`'\"]?([A-Za-z_][\w.]*)[`'\"]?", refused.message)
    named = [p for p in view.tool.parameters if not p.receiver and p.name in _named(refused.message)]
    if len(named) == 1:
        return named[0]
    typed = [
        p
        for p in view.tool.parameters
        if p.annotation is not None and _type_words(p) & {word.rpartition(".")[2] for word in quoted}
    ]
    return typed[-1] if typed else None


def _first_words(message: str) -> str:
    """The beginning of an error, up to the end of a sentence where one is near."""
    head = message[:300]
    if len(message) > len(head):
        sentence = head.rfind(". ")
        head = head[: sentence + 1] if sentence > 0 else f"{head.rsplit(' ', 1)[0]} …"
    return head if head.endswith((".", "!", "?")) else f"{head}."


def _named(message: str) -> set[str]:
    patterns = (r"[Pp]arameter:? ['\"`]?(\w+)", r"[Ff]ield ['\"`](\w+)['\"`]", r"^(\w+): ")
    return {name for pattern in patterns for name in re.findall(pattern, message)}


def _type_words(parameter: Parameter) -> set[str]:
    assert parameter.annotation is not None  # noqa: S101 - the caller looked
    plain = {"str", "int", "float", "bool", "dict", "list", "None", "Optional", "Any", "class", "type"}
    return set(re.findall(r"\w+", parameter.annotation.text)) - plain


def _place(view: ToolView, parameter: Parameter | None) -> Place:
    if parameter is None:
        return view.tool.place
    return parameter.annotation.place if parameter.annotation else parameter.place
