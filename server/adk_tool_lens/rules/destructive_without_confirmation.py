'''A tool destroys or pays something, and nobody is asked.

## What it does
Reports a tool whose name says that it deletes, sends or pays and whose body really does (removes files, sends
`DELETE` statements or requests, sends mail, charges a card), registered without `require_confirmation`. Where
the name alone tells and the body calls something out of sight, it is a hint.

## Why it matters
The model decides when to call it, and decides wrongly now and then. With
`FunctionTool(f, require_confirmation=True)` google-adk asks the user before each call (from 1.14 on).

## What it ignores
Tools that ask by themselves (`request_confirmation`, a parameter such as `confirm` or `dry_run`), agents with
a `before_tool_callback`, long-running tools, which wait for somebody anyway, and tools that only change the
state of the session or a dict.

## Example
```python
import os

from google.adk.agents import Agent


def delete_file(name: str) -> dict:
    """Delete a file. Returns a dict with the name.

    Args:
        name: Name of the file.
    """
    if name not in {"a.txt", "b.txt"}:
        return {"status": "error", "error_message": "No such file."}
    os.remove(name)
    return {"status": "success", "deleted": name}


agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[delete_file])
```

## Use instead
```python
import os

from google.adk.agents import Agent
from google.adk.tools import FunctionTool


def delete_file(name: str) -> dict:
    """Delete a file. Returns a dict with the name.

    Args:
        name: Name of the file.
    """
    if name not in {"a.txt", "b.txt"}:
        return {"status": "error", "error_message": "No such file."}
    os.remove(name)
    return {"status": "success", "deleted": name}


tool = FunctionTool(delete_file, require_confirmation=True)
agent = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", tools=[tool])
```

## Fix
Writes `FunctionTool(f, require_confirmation=True)` where the tool is handed to an agent. Not safe: a person
has to be there to confirm.
'''

from __future__ import annotations

import re
from collections.abc import Iterator

from adk_tool_lens.discovery.model import BodyCall, Entry, EntryKind, Tool
from adk_tool_lens.rules._flows import last
from adk_tool_lens.rules.model import AgentView, Finding, Related, Severity

SEVERITY = Severity.WARNING
GROUP = "safety"
_DESTROYS = re.compile(
    r"(?:^|_)(?:delete|remove|drop|destroy|purge|wipe|erase|truncate|uninstall|terminate|kill|unlink|rm)(?:_|$)"
)
_SENDS = re.compile(r"(?:^|_)(?:send|pay|transfer|refund|charge|withdraw|wire)(?:_|$)")
_REMOVING = {
    *("os.remove", "os.unlink", "os.rmdir", "os.removedirs", "shutil.rmtree", "os.kill", "os.killpg"),
    *("requests.delete", "httpx.delete"),
}
_REMOVING_PARTS = re.compile(
    r"(?:requests|httpx|aiohttp|AsyncClient|ClientSession|Session)\b.*\.delete$|pathlib\.Path.*\.(?:unlink|rmdir)$"
    r"|google\.cloud\..*\.delete\w*$|boto3\..*\.(?:delete|terminate)\w*$|drop_(?:table|database|collection)$"
    r"|delete_(?:one|many|object|bucket|table|index|collection|instance|user|blob)$"
)
_SENDING_PARTS = re.compile(
    r"smtplib\..*\.(?:send_message|sendmail)$|stripe\..*\.(?:create|capture|refund)$|twilio\..*\.create$"
    r"|sendgrid\..*\.send$|(?:send_email|send_raw_email|publish|send_message|chat_postMessage)$"
)
_STATEMENT = re.compile(
    r"\s*(?:DELETE\s+FROM|DROP\s+(?:TABLE|DATABASE|INDEX|VIEW)|TRUNCATE)\b", re.IGNORECASE
)
_ASKS = re.compile(r"confirm|approv|dry_?run|force|acknowledg", re.IGNORECASE)
_OUTSIDE = re.compile(
    r"requests|httpx|aiohttp|execute|client|session|service|api|cursor|conn|db\b", re.IGNORECASE
)


def check_agent(view: AgentView) -> Iterator[Finding]:
    """See the module's docstring."""
    if any(callback.kind == "before_tool_callback" for callback in view.agent.callbacks):
        return
    if view.agent.keyword("before_tool_callback") is not None:
        return
    for entry in view.agent.entries:
        tool = entry.tool
        if entry.kind is not EntryKind.FUNCTION or tool is None or _is_confirmed(entry, tool):
            continue
        deed = _deed(tool)
        if deed is None and not (_DESTROYS.search(tool.name) and _calls_outside(tool)):
            continue
        what = f"calls `{last(deed.callee)}`" if deed is not None else "sounds as if it destroys something"
        yield Finding(
            "destructive-without-confirmation",
            SEVERITY if deed is not None else Severity.HINT,
            f"`{tool.name}` {what}, and the model may do so without asking anybody. Register it as "
            f"`FunctionTool({tool.name}, require_confirmation=True)`.",
            entry.place,
            tool.name,
            related=() if deed is None else (Related(deed.place, "what cannot be undone"),),
        )


def _is_confirmed(entry: Entry, tool: Tool) -> bool:
    given = entry.argument("require_confirmation") or entry.argument("**")
    if given is not None and given.literal is not False:
        return True
    if tool.wrapper is not None and not tool.wrapper.endswith(".FunctionTool"):
        return True
    if any(_ASKS.search(parameter.name) for parameter in tool.parameters):
        return True
    return any(_ASKS.search(last(call.callee)) for call in tool.body.calls)


def _deed(tool: Tool) -> BodyCall | None:
    """The call that does what the name says."""
    if _DESTROYS.search(tool.name):
        return next((call for call in tool.body.calls if _removes(call)), None)
    if _SENDS.search(tool.name):
        return next((call for call in tool.body.calls if _SENDING_PARTS.search(call.callee)), None)
    return None


def _removes(call: BodyCall) -> bool:
    if call.callee in _REMOVING or _REMOVING_PARTS.search(call.callee):
        return True
    return any(isinstance(a.literal, str) and _STATEMENT.match(a.literal) for a in call.arguments[:1])


def _calls_outside(tool: Tool) -> bool:
    return any(call.awaited or _OUTSIDE.search(call.callee) for call in tool.body.calls)
