"""Writes the comments of a fixture from what its rule finds now: `python -m rules.mark FIXTURE ...`.

Read what it wrote: it shows what is found, not what ought to be. The conditions only tell the tested versions
apart; put the real limits in.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path

from adk_tool_lens.declaration.client import DeclarationClient
from rules.carets import code
from rules.checking import CheckText, Hit, checker
from rules.test_carets import VERSIONS

Range = tuple[int, int, int | None, str]
_CONDITIONS = {
    ("1.39.1", "2.9.0", "2.13.0"): [""],
    ("1.39.1",): [" [adk <2.0]"],
    ("2.9.0",): [" [adk 2.0-2.9.2]"],
    ("2.13.0",): [" [adk >=2.10]"],
    ("1.39.1", "2.9.0"): [" [adk <2.10]"],
    ("2.9.0", "2.13.0"): [" [adk >=2.0]"],
    ("1.39.1", "2.13.0"): [" [adk <2.0]", " [adk >=2.10]"],
}


def marked_text(text: str, rule: str, check_text: CheckText) -> str:
    """The text with new comments for the findings of a rule."""
    lines = code(text).split("\n")
    found: dict[Range, list[str]] = defaultdict(list)
    for version in VERSIONS:
        for hit in check_text("\n".join(lines), version, rule=rule):
            found[_range(hit)].append(version)
    for where in sorted(found, key=lambda key: key[:2], reverse=True):
        comments = [_comment(where, rule, condition) for condition in _CONDITIONS[tuple(found[where])]]
        lines[where[0] + 1 : where[0] + 1] = comments
    return "\n".join(lines)


def _range(hit: Hit) -> Range:
    same = hit.end[0] == hit.start[0]
    return (*hit.start, hit.end[1] if same else None, hit.severity.value)


def _comment(where: Range, rule: str, condition: str) -> str:
    _, start, end, severity = where
    carets = "^" * (end - start) if end is not None else "^>"
    head = "#:" + " " * start if start < 2 else "#" + " " * (start - 1)
    tail = condition[:-1] + f", {severity}]" if condition else f" [{severity}]"
    return f"{head}{carets} {rule}{tail}"


def main() -> None:
    """Marks each file that is named."""
    clients: dict[str, DeclarationClient] = {}
    envs = Path(os.environ["ADK_TOOL_LENS_TEST_ENVS"])

    def client_for(version: str) -> DeclarationClient:
        return clients.setdefault(version, DeclarationClient(envs / f"adk-{version}/bin/python"))

    for name in sys.argv[1:]:
        path = Path(name)
        text = path.read_text(encoding="utf-8")
        path.write_text(marked_text(text, path.stem.replace("_", "-"), checker(client_for)), encoding="utf-8")
    for client in clients.values():
        client.close()


if __name__ == "__main__":
    main()
