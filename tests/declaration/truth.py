"""Says what google-adk really declares: imports modules and asks for their tools. Run by its interpreter.

Reads a JSON object a line, `{"folder", "module", "expressions"}`, imports the module from the folder and
answers with `{"failed": null | "why the module cannot be imported", "answers": [...]}`: for every
expression what the model is told under both back ends, or the exception that google-adk raised.
Standard library and google-adk only; nothing of adk-tool-lens is used.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
import typing
import warnings
from typing import Any

SWITCHES = ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE")


def declared(module: Any, expression: str, backend: str) -> dict[str, Any]:
    """The declaration of what an expression of the module makes."""
    from google.adk.tools.base_tool import BaseTool
    from google.adk.tools.function_tool import FunctionTool

    for switch in SWITCHES:
        os.environ[switch] = "1" if backend == "vertex" else "0"
    try:
        value = eval(expression, vars(module))
        tool = value if isinstance(value, BaseTool) else FunctionTool(func=value)
        declaration = tool._get_declaration()
        shown = None if declaration is None else declaration.model_dump(exclude_none=True, mode="json")
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)[:300]}
    return {"declaration": shown}


def answered(request: dict[str, Any]) -> dict[str, Any]:
    """Imports a module, asks for its tools and forgets it again."""
    folder = request["folder"]
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    try:
        module = importlib.import_module(request["module"])
        answers = [
            {backend: declared(module, expression, backend) for backend in ("gemini", "vertex")}
            for expression in request["expressions"]
        ]
    except BaseException as error:
        return {"failed": f"{type(error).__name__}: {error}"[:500], "answers": []}
    else:
        return {"failed": None, "answers": answers}
    finally:
        sys.path.remove(folder)
        forget(folder)


def forget(folder: str) -> None:
    """Takes the modules of a folder out of the process, and what libraries keep of them."""
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(folder):
            del sys.modules[name]
    for clear in getattr(typing, "_cleanups", ()):
        clear()
    function_tool: Any = sys.modules.get("google.adk.tools.function_tool")
    clear = getattr(getattr(function_tool, "_build_declaration_cached", None), "cache_clear", None)
    if clear is not None:
        clear()


def main() -> None:
    """Answers until the input ends."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    sys.dont_write_bytecode = True
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(answered(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
