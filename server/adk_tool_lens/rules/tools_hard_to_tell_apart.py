'''Two tools of one agent are described alike.

## What it does
Reports a tool whose description says nearly the same as that of another tool of the same agent, while
neither says when not to use it.

## Why it matters
The model chooses between tools by their names and descriptions. Where these do not tell them apart it
guesses, and tries the wrong one first.

## What it ignores
Pairs of which one names the other or says when it does not fit ("instead", "not for", "only when",
"unlike"), pairs whose descriptions differ in a word that their names have, too ("create", "delete"), and
very short descriptions.

## Example
```python
def search_articles(query: str) -> dict:
    """Search the knowledge base for documents that match the words of a query.

    Args:
        query: Words to look for.

    Returns:
        A dict with `status` and `documents`.
    """
    return {"status": "success", "documents": []}


def lookup_documents(query: str) -> dict:
    """Search the knowledge base for documents that match the words of the query.

    Args:
        query: Words to look for.

    Returns:
        A dict with `status` and `documents`.
    """
    return {"status": "success", "documents": []}
```

## Use instead
```python
def search_articles(query: str) -> dict:
    """Search the knowledge base for documents that match the words of a query.

    Use `lookup_documents` instead when the number of a document is known.

    Args:
        query: Words to look for.

    Returns:
        A dict with `status` and `documents`.
    """
    return {"status": "success", "documents": []}


def lookup_documents(number: str) -> dict:
    """Get one document of the knowledge base by its number.

    Args:
        number: Number of the document, e.g. "KB-17".

    Returns:
        A dict with `status` and `document`.
    """
    return {"status": "success", "document": ""}
```

## Fix
None: what makes them different only the author knows.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.docstrings.reader import read
from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "description"
_ALIKE = 0.85
"""Words in common out of all words of both."""
_FEWEST = 4
_SMALL = frozenset(
    {"a", "an", "the", "of", "for", "to", "in", "on", "by", "and", "or", "with", "that", "this", "it"}
)
_APART = re.compile(
    r"\b(?:instead|unlike|rather than|not for|do not use|don't use|never use|only (?:when|if|for)|prefer"
    r"|as opposed)\b",
    re.IGNORECASE,
)


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    known = [
        (entry, tool, _words(tool)) for entry, tool in view.tools if tool is not None and tool.description
    ]
    for index, (entry, tool, words) in enumerate(known):
        for _, other, others in known[:index]:
            if tool.tool.name != other.tool.name and _alike(words, others) and not _told_apart(tool, other):
                yield Finding(
                    "tools-hard-to-tell-apart",
                    SEVERITY,
                    f"The model can hardly tell `{tool.tool.name}` from `{other.tool.name}`: their "
                    "descriptions say nearly the same. Say in one of them when to use the other.",
                    entry.place,
                    tool.tool.name,
                    related=(
                        Related(tool.tool.place, f"`{tool.tool.name}` is defined here."),
                        Related(other.tool.place, f"`{other.tool.name}` is defined here."),
                    ),
                )
                break


def _words(view: ToolView) -> frozenset[str]:
    """The words of the prose, small words aside."""
    docstring = read(view.description)
    text = f"{docstring.summary} {docstring.body}".lower()
    return frozenset(re.findall(r"[^\W_]+", text)) - _SMALL


def _alike(words: frozenset[str], others: frozenset[str]) -> bool:
    if min(len(words), len(others)) < _FEWEST:
        return False
    return len(words & others) / len(words | others) >= _ALIKE


def _told_apart(tool: ToolView, other: ToolView) -> bool:
    texts = (tool.description, other.description)
    if any(_APART.search(text) for text in texts):
        return True
    if other.tool.name in tool.description or tool.tool.name in other.description:
        return True
    apart = set(re.findall(r"[a-z]+", tool.tool.name.lower())) ^ set(
        re.findall(r"[a-z]+", other.tool.name.lower())
    )
    return bool(apart & (_words(tool) ^ _words(other)))
