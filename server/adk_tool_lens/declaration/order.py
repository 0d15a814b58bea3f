"""Cuts the modules of a stub into parts that can be executed one after the other.

Without import cycles there is one part a module, the modules it imports from first. In a cycle the parts
follow Python: a module starts, stops where it imports another that has not run yet, and goes on when that
one is done; a name that its module has not bound yet is imported as soon as it has been.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from adk_tool_lens.declaration.frames import LAST, Frame


@dataclass
class Part:
    """Statements of one module that run without a stop."""

    frame: Frame
    statements: list[ast.stmt] = field(default_factory=list)


@dataclass
class _Run:
    """Modules as they run."""

    parts: list[Part] = field(default_factory=list)
    begun: set[Frame] = field(default_factory=set)
    bound: dict[Frame, set[str]] = field(default_factory=dict)
    waiting: list[tuple[Frame, ast.stmt, Frame, str]] = field(default_factory=list)
    """Imports of names that were not there yet."""

    def add(self, frame: Frame, statement: ast.stmt) -> None:
        if not self.parts or self.parts[-1].frame is not frame:
            self.parts.append(Part(frame))
        self.parts[-1].statements.append(statement)
        self.bound[frame].update(_bound(statement))

    def has(self, frame: Frame, name: str) -> bool:
        return name in self.bound.get(frame, ())


def parts(last: Frame) -> list[Part]:
    """The parts of all modules that a module needs; the tool is bound by the last one."""
    for child in _closure(last):
        _fill(child)
    return min((_simulated(first, last) for first in _starts(last)), key=lambda run: run[0])[1]


def _starts(last: Frame) -> list[Frame]:
    """Where Python may have begun: anywhere, when the module is part of a cycle."""
    around = [frame for frame in _closure(last) if frame is not last and last in _closure(frame)]
    return [last, *around]


def _closure(frame: Frame) -> list[Frame]:
    """A module and all that it imports from, directly or not."""
    found = [frame]
    for one in found:
        found += [used for used, _ in one.imports.values() if used not in found]
    return found


def _simulated(first: Frame, last: Frame) -> tuple[tuple[int, int], list[Part]]:
    """The parts when a given module runs first, and how many imports had to wait, those of classes first."""
    run = _Run()
    _execute(first, run)
    _execute(last, run)
    classes = sum(_is_for_a_class(frame, statement) for frame, statement, _, _ in run.waiting)
    waited = classes, len(run.waiting)
    for frame, statement, _, _ in run.waiting:
        run.add(frame, statement)
    run.parts.append(Part(last, [statement for order, statement in last.ordered() if order >= LAST]))
    return waited, run.parts


def _is_for_a_class(frame: Frame, statement: ast.stmt) -> bool:
    """Whether what an import binds is in the body of a class, which reads it when it is made."""
    bound = set(_bound(statement))
    return any(
        isinstance(part, ast.Name) and part.id in bound
        for _, each in frame.ordered()
        if isinstance(each, ast.ClassDef)
        for part in ast.walk(each)
    )


def _execute(frame: Frame, run: _Run) -> None:
    if frame in run.begun:
        return
    run.begun.add(frame)
    run.bound[frame] = set()
    for order, statement in frame.ordered():
        if order >= LAST:
            break
        source = frame.imports.get(statement)
        if source is not None:
            _execute(source[0], run)
            if not run.has(*source):
                run.waiting.append((frame, statement, *source))
                continue
        run.add(frame, statement)


def _bound(statement: ast.stmt) -> Iterable[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name for alias in names]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case _ if type(statement).__name__ == "TypeAlias":
            return [statement.name.id]  # type: ignore[attr-defined, unused-ignore]
    return ()


def _fill(frame: Frame) -> None:
    for child in frame.children.values():
        _fill(child)
        if child.shell is not None:
            child.shell.body = child.body()
