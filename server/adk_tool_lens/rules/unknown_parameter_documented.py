'''The docstring describes a parameter that the tool does not have.

## What it does
Reports an entry of the docstring's parameters whose name is none of the function's parameters.

## Why it matters
The docstring is sent as it is: the model reads of an argument that its schema does not have. When it sends
it all the same, google-adk drops it without a word (every version), and the value that the model chose is
lost. Most often a parameter was renamed and its entry was not.

## What it ignores
Functions with `**kwargs`, functions under decorators of unknown effect, the docstring of a class, and lines
that are entries of something else (keys of a dict, indented further than the other entries).

## Example
```python
def get_stock(sku: str) -> dict:
    """Get the stock of an article. The number `sku` has eight digits.

    Args:
        article_id: Eight digit article number.

    Returns:
        A dict with `status` and `count`.
    """
    return {"status": "success", "count": 3}
```

## Use instead
```python
def get_stock(sku: str) -> dict:
    """Get the stock of an article.

    Args:
        sku: Eight digit article number.

    Returns:
        A dict with `status` and `count`.
    """
    return {"status": "success", "count": 3}
```

## Fix
Renames the entry when one parameter has a similar name and no entry; else removes it. Not safe: which of
both is right only the author knows.
'''

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from adk_tool_lens.discovery.model import ParameterKind
from adk_tool_lens.docstrings.model import Entry, Style
from adk_tool_lens.rules._docstring import in_docstring
from adk_tool_lens.rules.model import Finding, Fix, Severity, Tag, ToolView

SEVERITY = Severity.WARNING
GROUP = "description"
_LOOSE = re.compile(r"input|required|optional|option|entr|eingabe|config|env", re.IGNORECASE)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    tool = view.tool
    if view.declaration is None or tool.docstring is None or tool.is_object or tool.layout is None:
        return
    if view.approximations or tool.decorators or tool.hidden_by:
        return
    if any(parameter.kind is ParameterKind.VAR_KEYWORD for parameter in tool.parameters):
        return
    names = {parameter.name for parameter in tool.parameters}
    entries = [
        entry for entry in view.docstring.entries if entry.name.isidentifier() and _is_about_parameters(entry)
    ]
    margins = {_column(tool.docstring.value, e) for e in entries if e.name in names}
    for entry in entries:
        column = _column(tool.docstring.value, entry)
        if entry.name not in names and (not margins or column in margins):
            yield _finding(view, entry)


def _is_about_parameters(entry: Entry) -> bool:
    """Whether the section is sure to be about parameters: under "Inputs" or "Optional" anything may stand."""
    return entry.style is not Style.GOOGLE or not _LOOSE.match(entry.section)


def _column(text: str, entry: Entry) -> int:
    return entry.span[0] - text.rfind("\n", 0, entry.span[0])


def _finding(view: ToolView, entry: Entry) -> Finding:
    undescribed = [p.name for p in view.parameters if view.docstring.entry(p.name) is None]
    similar = get_close_matches(entry.name, undescribed, 1)
    only = undescribed[0] if len(undescribed) == 1 else None
    guess = similar[0] if similar else only
    advice = f"Did you mean `{guess}`?" if similar else "Name the entry after a parameter, or remove it."
    fixes = (Fix("rename-entry", (entry.name, guess)),) if guess else ()
    return Finding(
        "unknown-parameter-documented",
        SEVERITY,
        f"The model reads about `{entry.name}`, but `{view.tool.name}` has no such parameter: a value that "
        f"it sends is dropped. {advice}",
        in_docstring(view.tool, entry.name_span),
        view.tool.name,
        (*fixes, Fix("remove-entry", (entry.name,))),
        tags=(Tag.UNNECESSARY,),
    )
