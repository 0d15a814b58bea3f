'''A request goes to whatever address the model chose.

## What it does
Reports a request whose host is an argument of the tool.

## Why it matters
The tool runs inside your network: `http://169.254.169.254/` (the cloud's metadata, with its keys) and
`http://localhost:...` are addresses, too, and a page can carry instructions for the model or take data away.

## What it ignores
Addresses with a fixed host, and arguments that the tool compares with something or gives to a check first.

## Example
```python
import requests


def read_page(url: str) -> dict:
    """Read a page. Returns a dict with its text.

    Args:
        url: Address of the page.
    """
    return {"status": "success", "text": requests.get(url, timeout=10).text[:5000]}
```

## Use instead
```python
import requests


def read_page(title: str) -> dict:
    """Read a page of the handbook. Returns a dict with its text.

    Args:
        title: Title of the page.
    """
    answer = requests.get(f"https://handbook.example.org/{title}", timeout=10)
    return {"status": "success", "text": answer.text[:5000]}
```

## Fix
None: which hosts are meant only the author knows.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.rules._flows import Flow, flows, last
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "safety"
_VERBS = {
    "get",
    "post",
    "put",
    "patch",
    "delete",
    "head",
    "request",
    "stream",
    "urlopen",
    "urlretrieve",
    "goto",
}
_CLIENTS = re.compile(r"requests|httpx|aiohttp|urllib\.request|urllib3|playwright|ClientSession|AsyncClient")


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    for flow in flows(view, None, ("url",)):
        name = last(flow.call.callee)
        if name not in _VERBS or not _CLIENTS.search(flow.call.callee) or not _is_address(flow, name):
            continue
        yield Finding(
            "url-from-argument",
            SEVERITY,
            f"The host of this request is {flow.listed} of `{view.tool.name}`, so the model can reach any "
            "address inside your network, too. Allow certain hosts only.",
            flow.argument.expression.place,
            view.tool.name,
        )


def _is_address(flow: Flow, verb: str) -> bool:
    """Whether the argument is the address, and its host is not fixed."""
    position = flow.call.arguments.index(flow.argument)
    if flow.argument.keyword is None and position != (1 if verb in {"request", "stream"} else 0):
        return False
    literal = flow.argument.literal
    if isinstance(literal, str) and literal:
        return re.fullmatch(r"(?:https?|ftp)://", literal) is not None
    text = flow.argument.expression.text
    return text.isidentifier() or text.startswith(("f'{", 'f"{'))
