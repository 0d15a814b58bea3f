"""Writes `server/RULES.md` from the rules' pages: `python -m adk_tool_lens.rules.generate`.

With `--check` nothing is written; the exit status is 1 when the file is out of date.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from adk_tool_lens.rules.catalogue import Rule, catalogue
from adk_tool_lens.rules.pages import page

PATH = Path(__file__).parents[2] / "RULES.md"
COMMAND = "python -m adk_tool_lens.rules.generate"
_GROUPS = {
    "description": "What the model reads",
    "schema": "What the model may send",
    "result": "What the model gets back",
    "registration": "How tools reach their agent",
    "callbacks": "What callbacks change",
    "safety": "What a call can do",
}
_HEAD = f"""# Rules

What `adk-tool-lens` reports, one section a rule. Errors fail at run time; warnings mean that the model is
told less or other than the author wrote; infos, that google-adk changes something silently; hints are advice.
This page is generated from the rules: change them and run `{COMMAND}`.
"""


def render() -> str:
    """The whole page."""
    return "\n".join([_HEAD, *_index(), *(_section(rule) for rule in _ordered())])


def _ordered() -> list[Rule]:
    order = list(_GROUPS)
    return sorted(catalogue().values(), key=lambda rule: (order.index(rule.group), rule.name))


def _index() -> Iterator[str]:
    for group, title in _GROUPS.items():
        rules = [rule for rule in _ordered() if rule.group == group]
        if rules:
            yield f"## {title}\n\n| rule (group `{group}`) | severity | |\n|---|---|---|"
            yield "\n".join(map(_row, rules)) + "\n"


def _row(rule: Rule) -> str:
    return f"| [{rule.name}](#{rule.name}) | {_severity(rule)} | {page(rule.page).summary} |"


def _severity(rule: Rule) -> str:
    return rule.severity.value if rule.on_by_default else f"{rule.severity.value}, off by default"


def _section(rule: Rule) -> str:
    text = page(rule.page)
    parts = [f"### {rule.name}\n", f"*{_severity(rule)}, group `{rule.group}`.* {text.summary}\n"]
    parts += [f"**{heading}**\n\n{body}\n" for heading, body in text.sections.items()]
    return "\n".join(parts)


def main() -> int:
    """Runs the command; the exit status."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Writes the page of all rules.")
    parser.add_argument("--check", action="store_true", help="only tell whether the page is up to date")
    wanted = render()
    if parser.parse_args().check:
        return int(not PATH.exists() or PATH.read_text(encoding="utf-8") != wanted)
    PATH.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
