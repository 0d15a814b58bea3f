'''The model is sent a placeholder instead of a description.

## What it does
Reports what templates and editors leave in a docstring to be filled in: `TODO`, `_summary_`,
`[description]`, `Description of x`, `...` and their like, as the summary, as the text of an entry or at the
start of a line.

## Why it matters
The docstring is sent word by word (every version). A placeholder tells the model nothing, and a note to
yourself may be taken for an instruction.

## What it ignores
Such words inside of sentences, names of parameters (`todo: The item to add`), and code in backticks.

## Example
```python
def get_stock(sku: str) -> dict:
    """_summary_

    Args:
        sku: Eight digit article number.

    Returns:
        A dict with `status` and `count`.
    """
    return {"status": "success", "count": 3}
```

## Use instead
```python
def get_stock(sku: str) -> dict:
    """Get the number of pieces of an article that are in stock.

    Args:
        sku: Eight digit article number.

    Returns:
        A dict with `status` and `count`.
    """
    return {"status": "success", "count": 3}
```

## Fix
None: what belongs there only the author knows.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.rules._docstring import in_docstring
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "description"
_LINE = re.compile(
    r"^[ \t]*(?P<text>(?:TODO|FIXME|XXX|TBD)(?:\([^)\n]*\))?(?::.*?|[ \t]+[-–—].*?)?)[ \t]*$", re.MULTILINE
)
_NOTE = re.compile(r"(?:TODO|FIXME|XXX|TBD)(?:\([^)\n]*\))?(?::|\s+[-–—]|\s*$)")
_WHOLE = re.compile(
    r"""
      _(?:summary|description|type|extended_summary)_
    | [\[<{(](?:an?\s|the\s|your\s|insert\s|add\s|short\s|brief\s|one[- ]line\s)*
      (?:summary|description|docstring|explanation)(?:\s(?:here|of\s[\w\s]+))?[\]>})]
    | (?:todo|fixme|tbd|tba|xxx+|n/?a|none|placeholder|lorem\ ipsum)\b[.:]*
      (?:\s*(?:describe|description|document)\w*)?
    | (?:your|add|insert|enter|write)\s(?:an?\s|the\s|your\s)?(?:\w+\s)?
      (?:description|docstring|summary)(?:\shere)?
    | (?:description|docstring|summary)(?:\shere|\sgoes\shere)?
    | description\s(?:of|for)\s(?:the\s|this\s|a\s)?(?:function|tool|method|parameter|argument|return\svalue)
    | (?:\.\.\.|…|-|\?+)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if view.declaration is None or view.tool.docstring is None or not view.description.strip():
        return
    text = view.tool.docstring.value
    for start, end in sorted(set(_placeholders(view, text))):
        words = " ".join(text[start:end].split())[:60]
        yield Finding(
            "placeholder-description",
            SEVERITY,
            f"The model reads the placeholder `{words}` in the description of `{view.tool.name}`. Write "
            "what it should know instead.",
            in_docstring(view.tool, (start, end)),
            view.tool.name,
        )


def _placeholders(view: ToolView, text: str) -> Iterator[tuple[int, int]]:
    summary = view.docstring.summary
    start = text.find(summary) if summary else -1
    if start >= 0 and _is_placeholder(summary, view.tool.name):
        yield start, start + len(summary)
    spans = [entry.text_span for entry in view.docstring.entries if entry.text_span[0] < entry.text_span[1]]
    for begin, end in spans:
        if _is_placeholder(text[begin:end], ""):
            yield begin, end
    names = {entry.name_span[0] for entry in view.docstring.entries}
    for match in _LINE.finditer(text):
        if match.start("text") not in names:
            yield match.span("text")
    for begin, end in spans:
        if _NOTE.match(text, begin, end):
            yield begin, end


def _is_placeholder(text: str, name: str) -> bool:
    plain = text.strip().rstrip(".!:")
    if not plain:
        return text.strip() == "..."
    return _WHOLE.fullmatch(plain) is not None or ("_" in name and plain == name)
