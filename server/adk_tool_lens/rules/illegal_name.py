'''The name of a tool or parameter is one that the model's provider refuses.

## What it does
Reports names of tools outside of what the provider allows, and such names of parameters.

## Why it matters
google-adk sends names as they are (every version seen, 1.18 to 2.13). Gemini, OpenAI and Anthropic
allow at most 64 characters for a tool, from ASCII letters, digits, `_` and `-` (Gemini also `.` and
`:`), and the whole request fails otherwise. Gemini and Anthropic allow parameters the same with `_`
only (Gemini) or `_ . -` (Anthropic).

## What it ignores
Providers with other rules, as far as the agent's model tells; `<lambda>` (lambda-tool).

## Example
```python
def größe(artikel: str) -> dict:
    """Get the size of an article.

    Args:
        artikel: Eight digit article number.

    Returns:
        A dict with `size` in centimetres.
    """
    return {"size": 12}
```

## Use instead
```python
def get_size(artikel: str) -> dict:
    """Get the size of an article.

    Args:
        artikel: Eight digit article number.

    Returns:
        A dict with `size` in centimetres.
    """
    return {"size": 12}
```

## Fix
None: a new name has to be chosen.
'''

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from adk_tool_lens.rules._parameters import is_hidden
from adk_tool_lens.rules._providers import providers
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.ERROR
GROUP = "schema"
_TOOLS = {
    "gemini": re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}"),
    "vertex_ai": re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}"),
    "openai": re.compile(r"[A-Za-z0-9_-]{1,64}"),
    "azure": re.compile(r"[A-Za-z0-9_-]{1,64}"),
    "anthropic": re.compile(r"[A-Za-z0-9_-]{1,64}"),
}
_PARAMETERS = {
    "gemini": re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}"),
    "vertex_ai": re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}"),
    "anthropic": re.compile(r"[A-Za-z0-9_.-]{1,64}"),
}
_CALLED = {
    "gemini": "Gemini",
    "vertex_ai": "Vertex AI",
    "openai": "OpenAI",
    "azure": "Azure OpenAI",
    "anthropic": "Anthropic",
}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None:
        return
    name = str(view.declaration.get("name") or "")
    who = _refusing(view, name, _TOOLS)
    if name and who and name != "<lambda>":
        yield _of_tool(view, name, who)
    if not is_hidden(view):
        yield from _of_parameters(view)


def _refusing(view: ToolView, name: str, allowed: Mapping[str, re.Pattern[str]]) -> str:
    """The provider that refuses a name; empty when none does."""
    for provider in sorted(providers(view) & set(allowed)):
        if not allowed[provider].fullmatch(name):
            return _CALLED[provider]
    return ""


def _wrong(name: str) -> str:
    if len(name) > 64:
        return f"has {len(name)} characters, 64 are allowed"
    odd = sorted({character for character in name if not re.fullmatch(r"[A-Za-z0-9_]", character)})
    return f"has characters that are not allowed ({', '.join(map(repr, odd))})" if odd else "is not allowed"


def _of_tool(view: ToolView, name: str, who: str) -> Finding:
    return Finding(
        "illegal-name",
        SEVERITY,
        f"The tool name `{name}` {_wrong(name)}: {who} refuses every request with it. "
        "Use up to 64 of the letters a to z, digits and `_`.",
        view.tool.place,
        view.tool.name,
    )


def _of_parameters(view: ToolView) -> Iterator[Finding]:
    for parameter in view.parameters:
        who = _refusing(view, parameter.name, _PARAMETERS)
        if who:
            yield Finding(
                "illegal-name",
                Severity.WARNING,
                f"The parameter name `{parameter.name}` of `{view.tool.name}` {_wrong(parameter.name)} by "
                f"{who}. "
                "Use up to 64 of the letters a to z, digits and `_`.",
                parameter.place,
                view.tool.name,
            )
