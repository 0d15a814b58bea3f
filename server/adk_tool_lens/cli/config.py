"""`adk-tool-lens config` and `check --show-settings`: what can be set, and what is."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adk_tool_lens.cli.paint import Paint, wants_colour
from adk_tool_lens.cli.run import Target, emit, folder_of, settings_of
from adk_tool_lens.ide.configuration import Configured
from adk_tool_lens.project.interpreters import Interpreter, choose
from adk_tool_lens.project.settings import BACKENDS, SEVERITIES, STYLES, TABLE, Settings
from adk_tool_lens.rules.catalogue import catalogue
from adk_tool_lens.rules.model import RuleSettings


@dataclass(frozen=True)
class Setting:
    """One key of the table in pyproject.toml."""

    name: str
    kind: str
    default: Any
    what: str

    @property
    def field(self) -> str:
        """The name of it in `Settings`."""
        return self.name.replace("-", "_")


SETTINGS = (
    Setting(
        "select", "list of rules, groups or ALL", None, "The only rules that run; all but those that are off."
    ),
    Setting("extend-select", "list of rules, groups or ALL", [], "Rules that run as well."),
    Setting("ignore", "list of rules, groups or ALL", [], "Rules that do not run."),
    Setting(
        "per-file-ignores",
        "table of patterns with lists of rules",
        {},
        "Rules that do not run in some files.",
    ),
    Setting(
        "severity", f"table of rules with {', '.join(SEVERITIES)}", {}, "How grave findings are, or off."
    ),
    Setting("backend", " or ".join(BACKENDS), BACKENDS[0], "The back end that declarations are built for."),
    Setting(
        "docstring-style",
        ", ".join(STYLES),
        None,
        "How repairs write docstrings; as most are.",
    ),
    Setting("exclude", "list of patterns as in .gitignore", [], "Files that are not looked at."),
    Setting("token-budget", "number", RuleSettings().token_budget, "Tokens that one declaration may take."),
    Setting("max-tools", "number", RuleSettings().max_tools, "Tools that one agent may have."),
    Setting(
        "adk-version",
        "requirement, such as >=1.19,<3",
        None,
        "The google-adk versions that the project supports; from its dependencies.",
    ),
    Setting(
        "python", "path", None, "The interpreter whose google-adk counts; the environment of the project."
    ),
)


def run(arguments: argparse.Namespace) -> int:
    """Prints all settings with their defaults."""
    if arguments.output_format == "json":
        data = [
            {"name": each.name, "kind": each.kind, "default": each.default, "description": each.what}
            for each in SETTINGS
        ]
        emit(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return 0
    paint = Paint(wants_colour(arguments.color))
    lines = [f"{paint(f'[{TABLE}]', 'bold')}  in pyproject.toml; editors have the same keys", ""]
    for each in SETTINGS:
        default = "" if each.default is None else f" = {json.dumps(each.default)}"
        lines += [f"{paint(each.name, 'bold cyan')}{default}", f"    {each.what} ({each.kind})"]
    emit("\n".join(lines) + "\n")
    return 0


def show_settings(arguments: argparse.Namespace, found: list[Target]) -> int:
    """Prints the settings that count for some files, and what follows from them.

    Raises:
        UsageError: something in the settings does not count.
    """
    done = settings_of(arguments, found)
    chosen = choose(folder_of(found), explicit=arguments.python or done.interpreter)
    facts = in_effect(done, chosen, arguments.backend)
    if arguments.output_format == "json":
        emit(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", arguments.output_file)
        return 0
    lines = [f"settings from {facts['file'] or 'no pyproject.toml'}"]
    lines += [
        f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in facts["settings"].items()
    ]
    lines.append(f"interpreter: {chosen.path} ({chosen.why})")
    lines.append(f"rules that run: {', '.join(facts['rules'])}")
    emit("\n".join(lines) + "\n", arguments.output_file)
    return 0


def in_effect(done: Configured, chosen: Interpreter, backend: str | None) -> dict[str, Any]:
    """The settings in effect as plain data."""
    values = {each.name: _value(each, done.settings) for each in SETTINGS}
    values["backend"] = backend or values["backend"]
    selection = done.selection
    rules = [
        name
        for name, rule in sorted(catalogue().items())
        if name in selection.on or (rule.on_by_default and name not in selection.off)
    ]
    return {
        "file": str(done.path) if done.path is not None and Path(done.path).is_file() else None,
        "settings": values,
        "interpreter": {"path": chosen.path, "why": chosen.why},
        "rules": rules,
    }


def _value(setting: Setting, settings: Settings) -> Any:
    value = getattr(settings, setting.field)
    if isinstance(setting.default, dict):
        return dict(value)
    if isinstance(value, tuple):
        return list(value)
    return setting.default if value is None else value
