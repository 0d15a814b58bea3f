"""Runs one command. Exit status: 0 nothing found, 1 findings or differences, 2 the command could not work."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Sequence

from adk_tool_lens.cli.options import parser
from adk_tool_lens.cli.problem import UsageError, warn

__all__ = ["main", "parser"]


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        argv: The arguments without the program's name; None takes the process's.

    Returns:
        The exit status.
    """
    _speak_utf8()
    arguments = parser().parse_args(argv)
    try:
        return int(importlib.import_module(arguments.module).run(arguments))
    except UsageError as error:
        warn(str(error))
    except BrokenPipeError:
        sys.stderr.close()
    except KeyboardInterrupt:
        return 130
    except Exception:
        traceback.print_exc()
        warn("this is a fault in adk-tool-lens itself; please report it with the lines above.")
    return 2


def _speak_utf8() -> None:
    """JSON is UTF-8 whatever the console's code page is; what cannot be encoded never stops a command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            encoding = stream.encoding if stream.isatty() else "utf-8"
            reconfigure(encoding=encoding, errors="backslashreplace")
