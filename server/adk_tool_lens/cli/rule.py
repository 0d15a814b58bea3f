"""`adk-tool-lens rule`: what a rule reports, why it matters and what to write instead."""

from __future__ import annotations

import argparse
import json
from difflib import get_close_matches
from typing import Any

from adk_tool_lens.cli.formats import summary_of
from adk_tool_lens.cli.formats.full import SEVERITY_STYLES
from adk_tool_lens.cli.paint import Paint, console, wants_colour
from adk_tool_lens.cli.problem import UsageError
from adk_tool_lens.cli.run import emit
from adk_tool_lens.rules.catalogue import Rule, catalogue


def run(arguments: argparse.Namespace) -> int:
    """Prints the page of one rule, or the list of all.

    Raises:
        UsageError: there is no such rule, or none was named.
    """
    if bool(arguments.name) == arguments.all:
        raise UsageError("rule: name one rule, or give --all for the list of all.")
    colour = wants_colour(arguments.color)
    rules = [catalogue()[name] for name in sorted(catalogue())] if arguments.all else [_find(arguments.name)]
    if arguments.output_format == "json":
        data: Any = [_to_json(rule) for rule in rules] if arguments.all else _to_json(rules[0])
        emit(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    else:
        emit(_list(rules, Paint(colour)) if arguments.all else _page(rules[0], colour))
    return 0


def _find(name: str) -> Rule:
    known = catalogue().get(name)
    if known is None:
        close = get_close_matches(name, catalogue(), 3)
        hint = f"Did you mean {' or '.join(close)}?" if close else "See `adk-tool-lens rule --all`."
        raise UsageError(f"rule {name}: there is no such rule. {hint}")
    return known


def _to_json(rule: Rule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "group": rule.group,
        "severity": rule.severity.value,
        "on_by_default": rule.on_by_default,
        "summary": summary_of(rule.name),
        "page": rule.page,
    }


def _list(rules: list[Rule], paint: Paint) -> str:
    wide = max(len(rule.name) for rule in rules)
    lines = []
    for rule in rules:
        severity = paint(f"{rule.severity.value:<7}", SEVERITY_STYLES[rule.severity])
        off = "" if rule.on_by_default else " (off by default)"
        lines.append(f"{rule.name:<{wide}}  {severity}  {rule.group:<12}  {summary_of(rule.name)}{off}\n")
    return "".join(lines)


def _page(rule: Rule, colour: bool) -> str:
    off = "" if rule.on_by_default else ", off by default"
    text = f"# {rule.name}\n\n*{rule.severity.value}, group {rule.group}{off}*\n\n{rule.page}"
    if not colour:
        return text
    from rich.markdown import Markdown

    out = console(colour)
    out.print(Markdown(text))
    return out.export_text(styles=True)
