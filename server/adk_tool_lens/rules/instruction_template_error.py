"""The instruction has braces that are meant as text but are looked up in the state.

## What it does
Reports a name in doubled braces, or behind a `$`, in an instruction when no text of the file mentions it as a
key: somebody meant to escape it.

## Why it matters
google-adk replaces `{name}` by the state's value on each turn and raises KeyError when there is none: the run
ends. Doubled braces are no escape: `{{name}}` is looked up as well. `{name?}` gives an empty text instead.
Up to 2.9 `${name}` is looked up, too; from 2.10 on it stays as written. Braces around anything that is no
name, such as JSON, stay untouched.

## What it ignores
Plain `{name}`, whose key another file may well set; instructions made by a function (no replacement happens
there) or put together when the code runs; names that stand as a text anywhere in the file; `{artifact.name}`;
names with a prefix such as `{user:name}`.

## Example
```python
from google.adk.agents import Agent

agent = Agent(name="a", model="gemini-2.5-flash", instruction="Answer as {{title}}: text.")
```

## Use instead
```python
from google.adk.agents import Agent

agent = Agent(name="a", model="gemini-2.5-flash", instruction="Answer as TITLE: text.")
```

## Fix
Adds a `?`. Not safe: the key may be set elsewhere, and should then not be missing in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.rules._entries import title
from adk_tool_lens.rules._instructions import place_of
from adk_tool_lens.rules._versions import Versions, at_least
from adk_tool_lens.rules.model import AgentView, Finding, Severity

SEVERITY = Severity.HINT
GROUP = "registration"
DIFFERS = (Versions(below="2.10"),)
_VARIABLE = re.compile(r"(?<!\{)\{+([^{}]*)\}+")


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    agent = view.agent
    if not agent.instruction or agent.keyword("instruction") is None:
        return
    seen: set[str] = set()
    for match in _VARIABLE.finditer(agent.instruction):
        name = match.group(1).strip()
        if not name.isidentifier() or name in seen or not _is_escape(match) or _stays(view, match):
            continue
        seen.add(name)
        place = place_of(agent, match.group(), match.start())
        if name in agent.texts or place is None:
            continue
        yield Finding(
            "instruction-template-error",
            SEVERITY,
            f"google-adk replaces `{{{name}}}` by the state's `{name}` and raises KeyError without one; "
            f"nothing in this file sets it for {title(agent)}. Write `{{{name}?}}`, or set it beforehand.",
            place,
        )


def _is_escape(match: re.Match[str]) -> bool:
    """`{{name}}`, `{"id": {name}}}` with doubled braces around it, or `${name}`."""
    text, start = match.group(), match.start()
    return text.startswith("{{") or text.endswith("}}") or match.string[:start].endswith("$")


def _stays(view: AgentView, match: re.Match[str]) -> bool:
    """From 2.10 on a `$`, a backslash or a brace before the brace keeps it as written."""
    start = match.start()
    return at_least(view.facts.adk, "2.10") and match.string[start - 1 : start] in {"$", "\\"} and start > 0
