'''A file is opened or removed under a name that the model chose.

## What it does
Reports a path for reading, writing or removing that an argument of the tool is part of, when nothing keeps it
inside a folder.

## Why it matters
`../../.ssh/id_rsa` is a path, too, and so is `/etc/passwd` behind any folder that `os.path.join` puts before
it: whoever can talk to the model reads and writes what the process may.

## What it ignores
Arguments that the tool compares with something or gives to a check first, such as `is_relative_to`, and paths
that are made by a function out of sight.

## Example
```python
def read_note(name: str) -> dict:
    """Read a note. Returns a dict with its text.

    Args:
        name: File name of the note.
    """
    with open("notes/" + name) as file:
        return {"status": "success", "text": file.read(10_000)}
```

## Use instead
```python
from pathlib import Path

NOTES = Path("notes").resolve()


def read_note(name: str) -> dict:
    """Read a note. Returns a dict with its text.

    Args:
        name: File name of the note.
    """
    path = (NOTES / name).resolve()
    if not path.is_relative_to(NOTES):
        return {"status": "error", "error_message": "No such note."}
    with open(path) as file:
        return {"status": "success", "text": file.read(10_000)}
```

## Fix
None: which folder is meant only the author knows.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules._flows import flows, last
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "safety"
_OPENS = {
    *(
        "builtins.open",
        "io.open",
        "os.open",
        "os.remove",
        "os.unlink",
        "os.rmdir",
        "os.removedirs",
        "os.rename",
    ),
    *("os.makedirs", "os.mkdir", "shutil.rmtree", "shutil.copy", "shutil.copyfile", "shutil.copytree"),
    *("shutil.move", "aiofiles.open", "codecs.open"),
}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    seen: set[tuple[str, ...]] = set()
    for flow in flows(view, 0, ("file", "path")):
        if flow.call.callee not in _OPENS or flow.parameters in seen:
            continue
        seen.add(flow.parameters)
        yield Finding(
            "path-from-argument",
            SEVERITY,
            f"`{last(flow.call.callee)}` is given {flow.listed} of `{view.tool.name}` as a path, so the "
            "model can name any file. Resolve the path and check that it lies in the folder that is meant.",
            flow.argument.expression.place,
            view.tool.name,
        )
