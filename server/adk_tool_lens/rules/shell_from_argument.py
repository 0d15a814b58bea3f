'''A shell runs what the model chose.

## What it does
Reports a command for a shell (`os.system`, `subprocess.run(..., shell=True)`) that an argument of the tool is
part of.

## Why it matters
A shell runs whatever stands behind `;`, `&&` or `$(...)`: whoever can talk to the model, or writes a text
that it reads, runs commands on your machine.

## What it ignores
Commands given as a list without a shell, arguments quoted with `shlex.quote`, and arguments that the tool
compares with something or gives to a check first.

## Example
```python
import subprocess


def ping(host: str) -> dict:
    """Ping a host. Returns a dict with the status.

    Args:
        host: Name or address of the host.
    """
    code = subprocess.run(f"ping -c 1 {host}", shell=True).returncode
    return {"status": "success", "code": code}
```

## Use instead
```python
import subprocess


def ping(host: str) -> dict:
    """Ping a host. Returns a dict with the status.

    Args:
        host: Name or address of the host.
    """
    code = subprocess.run(["ping", "-c", "1", "--", host]).returncode
    return {"status": "success", "code": code}
```

## Fix
None: the command as a list only the author can tell.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import BodyCall
from adk_tool_lens.rules._flows import flows
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "safety"
_SHELLS = {
    *("os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"),
    "asyncio.create_subprocess_shell",
}
_WITH_SHELL = {f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen")}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    for flow in flows(view, 0, ("args", "cmd", "command")):
        if _is_shell(flow.call):
            yield Finding(
                "shell-from-argument",
                SEVERITY,
                f"A shell runs {flow.listed} of `{view.tool.name}`, so whoever talks to the model can run "
                "any command. Pass a list of arguments without a shell, and allow certain programs only.",
                flow.argument.expression.place,
                view.tool.name,
            )


def _is_shell(call: BodyCall) -> bool:
    if call.callee in _SHELLS:
        return True
    shell = next((a for a in call.arguments if a.keyword == "shell"), None)
    return call.callee in _WITH_SHELL and shell is not None and shell.literal is True
