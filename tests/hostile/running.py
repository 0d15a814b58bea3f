"""Runs a hostile file for real, with all that google-adk may do to it: what a preview must never do.

Started with an interpreter that has google-adk: `running.py FOLDER MODULE`. Prints one line of JSON: the
declaration of each tool by name, or the error, as google-adk gives it.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import typing
from typing import Any


def declared(tool: Any) -> Any:
    """The declaration of a tool, or what google-adk raised."""
    from google.adk.tools.base_tool import BaseTool
    from google.adk.tools.function_tool import FunctionTool

    try:
        asked = tool if isinstance(tool, BaseTool) else FunctionTool(tool)
        return asked._get_declaration().model_dump(exclude_none=True, mode="json")
    except Exception as error:
        return {"error": type(error).__name__}


def stir(value: Any) -> None:
    """Evaluates what is lazy about a value."""
    for act in (
        lambda: typing.get_type_hints(value, include_extras=True),
        lambda: isinstance(1, value),
        lambda: value.never,
        lambda: value.kind,
        lambda: value("nothing of it"),
        lambda: value[int],
        lambda: value.__value__,
        lambda: [(p.__bound__, p.__constraints__) for p in value.__type_params__],
        lambda: (value(), value().model_dump_json(), value.model_json_schema()),
        lambda: value().tool,
    ):
        with contextlib.suppress(Exception):
            act()


def main(folder: str, name: str) -> None:
    """Imports the module, asks for declarations and stirs everything it has."""
    sys.path.insert(0, folder)
    module: Any = importlib.import_module(name)
    tools = vars(module)["root_agent"].tools
    told = [declared(tool) for tool in tools]
    with contextlib.suppress(Exception):
        module.never = module.never
    dir(module)
    for value in list(vars(module).values()):
        if callable(value) or type(value).__name__ == "TypeAliasType":
            stir(value)
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
