"""The command line's grammar."""

from __future__ import annotations

import argparse
from typing import Any

from adk_tool_lens import __version__

FORMATS = ("full", "concise", "json", "sarif", "github", "gitlab", "junit")
PROVIDERS = ("adk", "gemini", "openai", "anthropic")
BACKENDS = ("gemini", "vertex")


def parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    top = argparse.ArgumentParser(
        prog="adk-tool-lens",
        description="Shows what the model is told about Google ADK tools; for Google ADK, not by Google.",
        epilog="Exit status: 0 nothing found, 1 findings or differences, 2 the command could not work.",
    )
    top.add_argument("--version", action="version", version=f"adk-tool-lens {__version__}")
    top.add_argument(
        "--print-completion",
        action=PrintCompletion,
        choices=("bash", "zsh", "tcsh"),
        help="print a completion script for a shell",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in (_check, _show, _compare, _lock, _verify, _rule, _config, _doctor, _server):
        add(commands)
    return top


class PrintCompletion(argparse.Action):
    """Prints a completion script; shtab is imported only then."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: Any) -> None:
        """Ends the command."""
        import shtab

        print(shtab.complete(parser, shell=rest[1]))  # noqa: T201 - data goes to stdout
        parser.exit(0)


def _command(commands: Any, name: str, summary: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(name, help=summary, description=summary)
    command.set_defaults(module=f"adk_tool_lens.cli.{name.replace('-', '_')}")
    return command


def _check(commands: Any) -> None:
    check = _command(commands, "check", "report what the model is told wrong or not at all")
    check.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="files and folders; - reads standard input"
    )
    repairs = check.add_argument_group("repairs")
    repairs.add_argument("--fix", action="store_true", help="apply the safe repairs to the files")
    repairs.add_argument(
        "--unsafe-fixes", action="store_true", help="with --fix or --diff: also those to look at afterwards"
    )
    repairs.add_argument("--diff", action="store_true", help="print what --fix would change, change nothing")
    output = check.add_argument_group("output")
    output.add_argument("--output-format", choices=FORMATS, default="full")
    output.add_argument("--output-file", metavar="FILE", help="write there instead of to standard output")
    output.add_argument("--statistics", action="store_true", help="count the findings of each rule")
    _color(output)
    output.add_argument("--exit-zero", action="store_true", help="exit with status 0 even with findings")
    output.add_argument("--show-files", action="store_true", help="list the files that are looked at and end")
    output.add_argument("--show-settings", action="store_true", help="print the settings that count and end")
    check.add_argument(
        "--locked", action="store_true", help="also fail when declarations differ from the lock"
    )
    _lock_file(check)
    check.add_argument("--stdin-filename", metavar="FILE", help="the name of what standard input holds")
    check.add_argument(
        "--add-ignore", action="store_true", help="add a suppression comment at each finding and end"
    )
    _selection(check)
    check.add_argument("--watch", action="store_true", help="check again whenever a file changes")
    _jobs(check)
    _common(check)


def _show(commands: Any) -> None:
    show = _command(commands, "show", "print the declarations that the model gets")
    show.add_argument("paths", nargs="+", metavar="PATH[::QUALNAME]")
    show.add_argument("--output-format", choices=("text", "json"), default="text")
    show.add_argument("--provider", choices=PROVIDERS, default="adk", help="in whose form")
    _color(show)
    _common(show)


def _compare(commands: Any) -> None:
    compare = _command(commands, "compare", "tell what the model is told differently under two environments")
    compare.add_argument("paths", nargs="+", metavar="PATH[::QUALNAME]")
    compare.add_argument("--output-format", choices=("text", "json"), default="text")
    sides = compare.add_argument_group("sides", "each option may be given twice: the old side, then the new")
    sides.add_argument("--python", action="append", metavar="INTERPRETER", help="whose google-adk counts")
    sides.add_argument("--backend", action="append", choices=BACKENDS)
    sides.add_argument("--provider", action="append", choices=PROVIDERS)
    _color(compare)
    _settings(compare)


def _lock(commands: Any) -> None:
    lock = _command(commands, "lock", "write the declarations down as agreed on, for `check --locked`")
    lock.add_argument("paths", nargs="*", default=["."], metavar="PATH")
    _lock_file(lock)
    _common(lock)


def _lock_file(command: argparse.ArgumentParser) -> None:
    command.add_argument("--lock-file", metavar="FILE", default="adk-tools.lock.json", help="%(default)s")


def _verify(commands: Any) -> None:
    verify = _command(commands, "verify", "compare previews with the live tools; this runs your code")
    verify.add_argument("paths", nargs="*", default=["."], metavar="PATH[::QUALNAME]")
    verify.add_argument(
        "--run-my-code",
        action="store_true",
        help="consent to importing the modules in the project's interpreter",
    )
    verify.add_argument("--output-format", choices=("text", "json"), default="text")
    verify.add_argument(
        "--timeout", type=float, default=60.0, metavar="SECONDS", help="for one module; %(default)s"
    )
    _color(verify)
    _common(verify)


def _rule(commands: Any) -> None:
    rule = _command(commands, "rule", "explain a rule, or list all")
    rule.add_argument("name", nargs="?", metavar="NAME")
    rule.add_argument("--all", action="store_true", help="list all rules")
    rule.add_argument("--output-format", choices=("text", "json"), default="text")
    _color(rule)


def _config(commands: Any) -> None:
    config = _command(commands, "config", "list all settings with their defaults")
    config.add_argument("--output-format", choices=("text", "json"), default="text")
    _color(config)


def _doctor(commands: Any) -> None:
    doctor = _command(commands, "doctor", "tell what the answers depend on, and why a file is or is not seen")
    doctor.add_argument("paths", nargs="*", default=["."], metavar="PATH")
    doctor.add_argument("--output-format", choices=("text", "json"), default="text")
    _color(doctor)
    _common(doctor)


def _server(commands: Any) -> None:
    server = _command(commands, "server", "run the language server")
    server.add_argument(
        "--stdio", action="store_true", help="talk over standard input and output (the default)"
    )
    server.set_defaults(module="adk_tool_lens.cli.serve")


def _jobs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--jobs", "-j", type=int, metavar="N", help="processes to work with; the machine decides by default"
    )


def _color(command: Any) -> None:
    command.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="auto: on terminals, unless NO_COLOR is set",
    )


def _common(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("environment")
    group.add_argument("--python", metavar="INTERPRETER", help="the interpreter whose google-adk counts")
    group.add_argument("--backend", choices=BACKENDS, help="results get a schema on Vertex only")
    _settings(group)


def _selection(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("rules", "names, groups or ALL, separated by commas; may be repeated")
    group.add_argument("--select", action="append", metavar="R,..", help="run these rules only")
    group.add_argument("--extend-select", action="append", metavar="R,..", help="run these rules, too")
    group.add_argument("--ignore", action="append", metavar="R,..", help="leave these rules out")


def _settings(group: Any) -> None:
    group.add_argument("--config", metavar="FILE", help="a pyproject.toml to read settings from")
    group.add_argument("--no-cache", action="store_true", help="neither read nor write cached declarations")
