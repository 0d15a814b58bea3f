"""Imports a project's modules for real and says what google-adk makes of their tools.

This is what `adk-tool-lens verify --run-my-code` starts with the project's interpreter, after the person has
agreed; nothing else does. Stand-alone: standard library and google-adk only. A line of JSON asks for one
module, a line of JSON answers; what the modules print goes to standard error.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_ENTERED: list[str] = []
"""The folders that modules were imported from, the last one first on the path."""
_VERTEX = ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE")


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The live declarations of one module, or why it cannot be imported.

    Args:
        request: `root` to import from, `module`, `backend`, and `tools` as `{"qualname", "name"}`.
    """
    _enter(request["root"])
    for name in _VERTEX:
        os.environ[name] = "1" if request["backend"] == "vertex" else "0"
    try:
        module = importlib.import_module(request["module"])
    except BaseException as error:
        return {"problem": f"{type(error).__name__}: {error}"}
    held = list(_held(module))
    return {"tools": [_declared(module, tool, held) for tool in request["tools"]]}


def _enter(root: str) -> None:
    """Effect: modules are imported from this folder, and none of another one takes the place of its own."""
    if _ENTERED[-1:] == [root]:
        return
    for name, module in list(sys.modules.items()):
        if _folder(name, module) in _ENTERED and _own(root, name):
            del sys.modules[name]
    _ENTERED.append(root)
    sys.path.insert(0, root)
    importlib.invalidate_caches()


def _folder(name: str, module: Any) -> str | None:
    """The folder that a module was imported from."""
    file = getattr(module, "__file__", None)
    if not isinstance(file, str):
        return None
    levels = name.count(".") + int(Path(file).name == "__init__.py")
    parents = Path(file).parents
    return str(parents[levels]) if levels < len(parents) else None


def _own(root: str, name: str) -> bool:
    """Whether a folder has a module or package of the first name in a dotted one."""
    top = Path(root) / name.partition(".")[0]
    return top.is_dir() or top.with_name(f"{top.name}.py").is_file()


def _held(module: Any) -> Iterator[Any]:
    """What the agents among a module's names hold as tools."""
    from google.adk.agents import BaseAgent

    for value in list(vars(module).values()):
        if isinstance(value, BaseAgent):
            yield from getattr(value, "tools", None) or ()


def _declared(module: Any, wanted: dict[str, str], held: list[Any]) -> dict[str, Any]:
    tool = _find(module, wanted, held)
    if tool is None:
        return {"missing": True}
    try:
        from google.adk.tools import BaseTool, FunctionTool

        made = tool if isinstance(tool, BaseTool) else FunctionTool(tool)
        declaration = made._get_declaration()
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}
    dumped = None if declaration is None else declaration.model_dump(exclude_none=True, mode="json")
    return {"declaration": dumped}


def _find(module: Any, wanted: dict[str, str], held: list[Any]) -> Any:
    """The object that an agent holds, as it is wrapped there; else what the name in the module stands for."""
    from google.adk.agents import BaseAgent
    from google.adk.tools.agent_tool import AgentTool

    qualname = wanted["qualname"]
    for each in held:
        if isinstance(each, AgentTool) and each.name == wanted["name"]:
            return each
        function = getattr(each, "func", each)
        if getattr(function, "__qualname__", type(function).__qualname__) == qualname:
            return each
    value = module
    for part in qualname.split("."):
        value = getattr(value, part, None)
    if isinstance(value, BaseAgent):
        return AgentTool(agent=value)
    return value if value is not module else None


@contextlib.contextmanager
def _own_output() -> Iterator[Any]:
    """The real standard output; from now on, what anything else prints goes to standard error."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with own:
        yield own


def main() -> None:
    """Answers line by line until the input ends."""
    with _own_output() as out:
        for line in sys.stdin:
            out.write(json.dumps(answer(json.loads(line)), default=str) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
