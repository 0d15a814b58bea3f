"""Reads a rule's page: its module's docstring under fixed headings.

The same text is the page in `server/RULES.md`, what `adk-tool-lens rule NAME` prints and the hover of a
diagnostic's code. Its two blocks of code are run as tests: the example triggers the rule, the other does not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import cleandoc
from types import MappingProxyType

HEADINGS = (
    "What it does",
    "Why it matters",
    "What it ignores",
    "Example",
    "Use instead",
    "Fix",
)
"""In this order, each once."""

_HEADING = re.compile(r"^## (.+?)[ \t]*$", re.MULTILINE)
_CODE = re.compile(r"^```python(?P<info>[^\n]*)\n(?P<code>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_OPTION = re.compile(r"(\w+)=(\S+)")


class PageError(ValueError):
    """A page is not laid out as it should be; the message says where and how."""


@dataclass(frozen=True)
class Example:
    """A block of code of a page.

    Its first line may say where it holds: ```` ```python adk=2.13.0 backend=vertex ````.
    """

    code: str
    adk: str | None = None
    backend: str | None = None


@dataclass(frozen=True)
class Page:
    """A rule's page: the summary and the text under each heading."""

    summary: str
    sections: Mapping[str, str]

    @property
    def example(self) -> Example:
        """The code that triggers the rule."""
        return _example(self.sections["Example"])

    @property
    def instead(self) -> Example:
        """The code that does not."""
        return _example(self.sections["Use instead"])


def page(text: str) -> Page:
    """A page from its text.

    Raises:
        PageError: a heading is missing, twice, unknown or out of order, a section is empty, or an example
            has no code.
    """
    parts = _HEADING.split(cleandoc(text))
    summary = " ".join(parts[0].split())
    found = tuple(parts[1::2])
    if found != HEADINGS:
        raise PageError(f"the headings are {', '.join(found)}; they have to be {', '.join(HEADINGS)}")
    sections = {name: body.strip() for name, body in zip(found, parts[2::2], strict=True)}
    empty = [name for name, body in sections.items() if not body]
    if not summary or empty:
        raise PageError(f"nothing is said under {', '.join(empty) or 'the title'}")
    made = Page(summary, MappingProxyType(sections))
    _ = made.example, made.instead
    return made


def _example(text: str) -> Example:
    match = _CODE.search(text)
    if match is None:
        raise PageError("an example has no block that begins with ```python")
    options = dict(_OPTION.findall(match["info"]))
    return Example(match["code"], options.get("adk"), options.get("backend"))
