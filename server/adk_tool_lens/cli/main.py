"""Parses the command line and runs one command. Exit status: 0 nothing found, 1 findings, 2 failure."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from adk_tool_lens import __version__
from adk_tool_lens.cli.problem import UsageError

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")


def parser() -> argparse.ArgumentParser:
    """The command line's grammar."""
    top = argparse.ArgumentParser(
        prog="adk-tool-lens",
        description="Shows what the model is told about your Google ADK tools. For Google ADK, not by Google.",
    )
    top.add_argument("--version", action="version", version=f"adk-tool-lens {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    check = commands.add_parser("check", help="report what the model is told wrong or not at all")
    check.add_argument("paths", nargs="*", default=["."], metavar="PATH")
    check.add_argument("--output-format", choices=FORMATS, default="full")
    _common(check)
    check.set_defaults(module="adk_tool_lens.cli.check")
    show = commands.add_parser("show", help="print the declarations that the model gets")
    show.add_argument("paths", nargs="+", metavar="PATH[::QUALNAME]")
    show.add_argument("--output-format", choices=("text", "json"), default="text")
    show.add_argument("--provider", choices=("adk", "gemini", "openai", "anthropic"), default="adk")
    _common(show)
    show.set_defaults(module="adk_tool_lens.cli.show")
    server = commands.add_parser("server", help="run the language server")
    server.add_argument(
        "--stdio", action="store_true", help="talk over standard input and output (the default)"
    )
    server.set_defaults(module="adk_tool_lens.cli.serve")
    return top


def _common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--python", metavar="INTERPRETER", help="the interpreter whose google-adk counts")
    command.add_argument("--backend", choices=("gemini", "vertex"), default="gemini")
    command.add_argument("--config", metavar="FILE", help="a pyproject.toml to read settings from")
    command.add_argument("--no-cache", action="store_true", help="neither read nor write cached declarations")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        argv: The arguments without the program's name; None takes the process's.

    Returns:
        The exit status.
    """
    arguments = parser().parse_args(argv)
    try:
        return int(importlib.import_module(arguments.module).run(arguments))
    except UsageError as error:
        print(f"adk-tool-lens: {error}", file=sys.stderr)  # noqa: T201 - this is the command line
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 2
    except KeyboardInterrupt:
        return 130
