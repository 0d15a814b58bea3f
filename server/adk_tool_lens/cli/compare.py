"""`adk-tool-lens compare`: what the model is told differently under two environments."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from adk_tool_lens.cli.paint import Paint, wants_colour
from adk_tool_lens.cli.problem import UsageError
from adk_tool_lens.cli.run import Target, emit, project_of, targets
from adk_tool_lens.cli.toolrows import Rows, tool_rows, where
from adk_tool_lens.declaration.model import Provider
from adk_tool_lens.ide.contract import Change, Kind, changes

STYLES = {Kind.BREAKING: "bold red", Kind.COMPATIBLE: "bold yellow", Kind.WORDING: "bold blue"}


@dataclass(frozen=True)
class Side:
    """One of the two environments."""

    python: str | None
    backend: str | None
    provider: Provider
    adk: str | None = None

    @property
    def label(self) -> str:
        """What it is called in the output."""
        form = "" if self.provider is Provider.ADK else f", for {self.provider.value}"
        return f"google-adk {self.adk or '(none)'}, {self.backend}{form}"


@dataclass(frozen=True)
class Difference:
    """One tool that the model is told differently of."""

    old: dict[str, Any] | None
    new: dict[str, Any] | None
    changes: tuple[Change, ...]

    @property
    def row(self) -> dict[str, Any]:
        """The side that there is, the later one first."""
        return self.new or self.old or {}


def run(arguments: argparse.Namespace) -> int:
    """Prints the differences; exit status 0 when there are none, else 1."""
    sides = _sides(arguments)
    found = targets(arguments.paths)
    (old, before), (new, after) = (_rows(arguments, side, found) for side in sides)
    different = list(differences(before, after))
    if arguments.output_format == "json":
        emit(
            json.dumps([_to_json(each, old, new) for each in different], ensure_ascii=False, indent=2) + "\n"
        )
    else:
        paint = Paint(wants_colour(arguments.color))
        emit(_text(different, old, new, (before, after), paint))
    return 1 if different else 0


def _sides(arguments: argparse.Namespace) -> tuple[Side, Side]:
    """The two environments: what is given once counts for both.

    Raises:
        UsageError: they do not differ, or an option is given more than twice.
    """
    pythons = _two("--python", arguments.python, None)
    backends = _two("--backend", arguments.backend, None)
    providers = _two("--provider", arguments.provider, "adk")
    sides = [Side(p, b, Provider(form)) for p, b, form in zip(pythons, backends, providers, strict=True)]
    if sides[0] == sides[1]:
        raise UsageError(
            "both sides are the same. Give --python, --backend or --provider twice, the old one first."
        )
    return sides[0], sides[1]


def _two(option: str, given: list[Any] | None, default: Any) -> tuple[Any, Any]:
    if not given:
        return default, default
    if len(given) > 2:
        raise UsageError(f"{option}: is given {len(given)} times. There are two sides, the old one first.")
    return given[0], given[-1]


def _rows(arguments: argparse.Namespace, side: Side, found: list[Target]) -> tuple[Side, Rows]:
    own = argparse.Namespace(**{**vars(arguments), "python": side.python, "backend": side.backend})
    project = project_of(own, found)
    try:
        rows = tool_rows(project, found, side.provider)
        facts = project.facts
        return Side(side.python, facts.backend.value, side.provider, facts.adk), rows
    finally:
        project.close()


def differences(old: Rows, new: Rows) -> Iterator[Difference]:
    """The tools that differ, in the order of the new side; what only the old one has comes last."""
    before, after = _keyed(old), _keyed(new)
    for key in [*after, *(key for key in before if key not in after)]:
        left, right = before.get(key), after.get(key)
        if left is None or right is None or _told(left) != _told(right):
            yield Difference(left, right, tuple(_changes(left, right)))


def _keyed(rows: Rows) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Rows by file and qualified name; the n-th of one name is the n-th on the other side."""
    keyed: dict[tuple[str, str, int], dict[str, Any]] = {}
    for row in rows:
        number = 0
        while (row["path"], row["qualname"], number) in keyed:
            number += 1
        keyed[row["path"], row["qualname"], number] = row
    return keyed


def _told(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["declaration"], row["error"]


def _changes(old: dict[str, Any] | None, new: dict[str, Any] | None) -> Iterator[Change]:
    before, after = (old or {}), (new or {})
    was, now = before.get("error"), after.get("error")
    if now is not None:
        text = f"google-adk raises {now['type']}: {now['message']}"
        kind = Kind.WORDING if was is not None else Kind.BREAKING
        yield Change(kind, "declaration", text)
    elif was is not None and after.get("declaration") is not None:
        yield Change(Kind.COMPATIBLE, "declaration", f"google-adk no longer raises {was['type']}")
    else:
        yield from changes(before.get("declaration"), after.get("declaration"))


def _to_json(each: Difference, old: Side, new: Side) -> dict[str, Any]:
    row = each.row
    return {
        "path": row["path"],
        "name": row["name"],
        "qualname": row["qualname"],
        "line": row["line"],
        "changes": [{"kind": c.kind.value, "where": c.where, "message": c.message} for c in each.changes],
        "old": _side_to_json(each.old, old),
        "new": _side_to_json(each.new, new),
    }


def _side_to_json(row: dict[str, Any] | None, side: Side) -> dict[str, Any] | None:
    if row is None:
        return None
    kept = ("adk_version", "backend", "declaration", "error", "approximate", "tokens")
    return {**{key: row[key] for key in kept}, "provider": side.provider.value}


def _text(different: list[Difference], old: Side, new: Side, rows: tuple[Rows, Rows], paint: Paint) -> str:
    head = f"{paint(f'--- {old.label}', 'red')}\n{paint(f'+++ {new.label}', 'green')}\n"
    if not different:
        return f"{head}\nThe model is told the same of all {len(rows[1])} tools.\n"
    return head + "".join(_block(each, paint) for each in different) + _closing(different, rows)


def _block(each: Difference, paint: Paint) -> str:
    row = each.row
    lines = ["", f"{paint(row['name'], 'bold')}  {where(row)}"]
    for change in each.changes or (Change(Kind.WORDING, "", "the same, written differently"),):
        part = f" ({change.where})" if change.where else ""
        lines.append(f"  {paint(change.kind.value, STYLES[change.kind])}: {change.message}{part}")
    for side in filter(None, (each.old, each.new)):
        lines += [f"  approximate because {reason}" for reason in side["approximate"]]
    lines += _diff(each, paint)
    return "\n".join(lines) + "\n"


def _diff(each: Difference, paint: Paint) -> Iterator[str]:
    styles = {"+": "green", "-": "red", "@": "cyan"}
    for line in list(unified_diff(_lines(each.old), _lines(each.new), lineterm="", n=2))[2:]:
        yield "  " + paint(line, styles[line[0]]) if line[0] in styles else "  " + line


def _lines(row: dict[str, Any] | None) -> list[str]:
    """The declaration with a key a line and its texts as they are read, so that a diff shows words."""
    if row is None:
        return []
    if row["error"]:
        return [f"{row['error']['type']}: {row['error']['message']}"]
    text = json.dumps(row["declaration"], ensure_ascii=False, indent=2, sort_keys=True)
    return text.replace("\\n", "\n").split("\n")


def _closing(different: list[Difference], rows: tuple[Rows, Rows]) -> str:
    tokens = " to ".join(str(sum(row["tokens"] for row in side)) for side in rows)
    return f"\n{len(different)} of {len(rows[1])} tools are told differently; tokens from about {tokens}.\n"
