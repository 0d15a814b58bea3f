"""`adk-tools.lock.json`: the declarations that were agreed on, in a form that can be read in review."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from adk_tool_lens.ide.contract import Change, Kind, changes

NAME = "adk-tools.lock.json"
FORMAT = 1


class LockfileError(ValueError):
    """A lock cannot be read; the message says why and what to do."""


@dataclass(frozen=True)
class LockedTool:
    """One tool as it was agreed on."""

    path: str
    """Relative to the lock, with slashes."""
    qualname: str
    agents: tuple[str, ...] = ()
    declaration: Mapping[str, Any] | None = field(default=None, hash=False)
    error: Mapping[str, str] | None = field(default=None, hash=False)
    approximate: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """What a tool is found again by."""
        return self.path, self.qualname

    @property
    def name(self) -> str:
        """The name that the model calls it by."""
        declared = (self.declaration or {}).get("name")
        return str(declared or self.qualname.rpartition(".")[2])


@dataclass(frozen=True)
class Lock:
    """All that was agreed on, and the environment it was made in."""

    tools: tuple[LockedTool, ...]
    adk: str | None = None
    backend: str = "gemini"


@dataclass(frozen=True)
class ToolChange:
    """What became of one tool; one of the sides is None when it came or went."""

    old: LockedTool | None
    new: LockedTool | None
    changes: tuple[Change, ...]

    @property
    def kind(self) -> Kind:
        """The gravest of the changes."""
        kinds = {change.kind for change in self.changes}
        return next(kind for kind in Kind if kind in kinds)


def to_text(lock: Lock) -> str:
    """The lock as JSON: tools by path and name, one key a line, nothing of the machine."""
    tools = [_tool_to_json(tool) for tool in sorted(lock.tools, key=lambda tool: tool.key)]
    data = {"version": FORMAT, "google_adk": lock.adk, "backend": lock.backend, "tools": tools}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _tool_to_json(tool: LockedTool) -> dict[str, Any]:
    data: dict[str, Any] = {"path": tool.path, "qualname": tool.qualname, "agents": sorted(tool.agents)}
    data["declaration"] = tool.declaration
    if tool.error is not None:
        data["error"] = tool.error
    if tool.approximate:
        data["approximate"] = list(tool.approximate)
    return data


def from_text(text: str) -> Lock:
    """Reads a lock.

    Raises:
        LockfileError: it is no lock, or one of a newer format.
    """
    try:
        data = json.loads(text)
        version, listed = data["version"], data["tools"]
        adk, backend = data.get("google_adk"), str(data.get("backend") or "gemini")
        tools = tuple(map(_tool_from_json, listed)) if version == FORMAT else ()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LockfileError(f"is no lock of declarations ({type(error).__name__}: {error})") from error
    if version != FORMAT:
        raise LockfileError(f"has format {version!r}, this version reads format {FORMAT}")
    return Lock(tools, adk, backend)


def _tool_from_json(data: Mapping[str, Any]) -> LockedTool:
    declaration, error = data["declaration"], data.get("error")
    if not isinstance(declaration, dict | None) or not isinstance(error, dict | None):
        raise TypeError("a declaration has to be an object or null")
    return LockedTool(
        str(data["path"]),
        str(data["qualname"]),
        tuple(map(str, data.get("agents") or ())),
        declaration,
        error,
        tuple(map(str, data.get("approximate") or ())),
    )


def compare(old: Iterable[LockedTool], new: Iterable[LockedTool]) -> list[ToolChange]:
    """What became of each tool; a tool that only moved to another file or name is one change."""
    before, after = {tool.key: tool for tool in old}, {tool.key: tool for tool in new}
    found = [_changed(before[key], after[key]) for key in sorted(before.keys() & after.keys())]
    gone = [before[key] for key in sorted(before.keys() - after.keys())]
    come = [after[key] for key in sorted(after.keys() - before.keys())]
    for tool in list(gone):
        successor = _successor(tool, come)
        if successor is not None:
            gone.remove(tool)
            come.remove(successor)
            found.append(_changed(tool, successor))
    found += [_removed(tool) for tool in gone]
    found += [_added(tool) for tool in come]
    return sorted((each for each in found if each.changes), key=_place)


def _place(change: ToolChange) -> tuple[str, str]:
    tool = change.new or change.old
    return tool.key if tool is not None else ("", "")


def _successor(tool: LockedTool, come: list[LockedTool]) -> LockedTool | None:
    """The new tool that a lost one has become: of the same name, or of the same file and all else equal."""
    for each in come:
        if each.name == tool.name:
            return each
    for each in come:
        if each.path == tool.path and _nameless(each) == _nameless(tool) is not None:
            return each
    return None


def _nameless(tool: LockedTool) -> dict[str, Any] | None:
    """A declaration without what follows from the function's name."""
    if not tool.declaration:
        return None
    rest = {key: value for key, value in tool.declaration.items() if key != "name"}
    schemas = ("parameters_json_schema", "response_json_schema")
    return {k: _untitled(v) if k in schemas else v for k, v in rest.items()}


def _untitled(schema: Any) -> Any:
    return {k: v for k, v in schema.items() if k != "title"} if isinstance(schema, dict) else schema


def _changed(old: LockedTool, new: LockedTool) -> ToolChange:
    found = list(changes(old.declaration, new.declaration))
    if new.error is not None and new.error != old.error:
        message = f"google-adk cannot build the declaration: {new.error['type']}: {new.error['message']}"
        found = [Change(Kind.BREAKING, "declaration", message)]
    elif old.error is not None and new.error is None and new.declaration is not None:
        found = [Change(Kind.COMPATIBLE, "declaration", "google-adk can build the declaration now")]
    elif not found and old.key != new.key:
        message = f"moved from {old.path}::{old.qualname}"
        found = [Change(Kind.COMPATIBLE, "declaration", message)]
    return ToolChange(old, new, tuple(found))


def _removed(tool: LockedTool) -> ToolChange:
    return ToolChange(tool, None, (Change(Kind.BREAKING, "tool", "the tool was removed"),))


def _added(tool: LockedTool) -> ToolChange:
    return ToolChange(None, tool, (Change(Kind.COMPATIBLE, "tool", "the tool is new"),))
