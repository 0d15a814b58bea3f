"""Builds the stub of a tool: what stands for the user's code in the declaration worker.

A stub is a skeleton of the modules that a tool's signature touches: the function with its
annotations, defaults and docstring but no body; the classes, aliases and constants these name; the
functions a closure sits in; decorators as the wrappers they return. It is cut out of the syntax tree
by a whitelist (`Writer`), so that executing it runs nothing the user wrote, and keeps the order,
nesting and names of the source, so that Python and google-adk treat it as they treat the original.

Where a part cannot be known without running the code, the stub has a stand-in and the result carries
an `Approximation` that names the part.
"""

from __future__ import annotations

import ast
import copy
import keyword
from dataclasses import dataclass
from typing import TypeGuard

from adk_tool_lens.declaration import syntax, values
from adk_tool_lens.declaration.frames import LAST, Approximation, OpaqueError
from adk_tool_lens.declaration.model import TOOL_NAME, Stub, StubModule
from adk_tool_lens.declaration.order import Part, parts
from adk_tool_lens.declaration.writer import Writer
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.find import Found
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.discovery.values import Bound, Class, Function, Instance, Value


@dataclass(frozen=True)
class Built:
    """A stub, and in which parts it only approximates the original."""

    stub: Stub
    approximations: tuple[Approximation, ...]


@dataclass(frozen=True)
class NotBuilt:
    """No stub can stand for this tool; the reason is for people."""

    reason: str


def build(found: Found, world: World) -> Built | NotBuilt:
    """The stub of a tool. Never raises."""
    writer = Writer(world)
    try:
        frame = writer.module_frame(home(found.value))
        expression = values.write(writer, found.value, frame)
        frame.add(LAST, ast.Assign(targets=[syntax.target(TOOL_NAME)], value=expression))
        modules = tuple(_render(part) for part in _joined(parts(frame)))
    except OpaqueError as opaque:
        return NotBuilt(opaque.reason)
    except RecursionError:
        return NotBuilt("its types are nested too deeply")
    for module, frame in writer.modules.items():
        module.in_order(*frame.blocks)
    return Built(Stub(modules), tuple(dict.fromkeys(writer.approximations)))


def home(value: Value) -> Module:
    """The module whose stub binds the tool.

    Raises:
        OpaqueError: the value is no tool.
    """
    match value:
        case Bound(receiver=Instance(cls=cls)):
            return cls.scope.module
        case Bound(receiver=Class() as cls):
            return cls.scope.module
        case Instance(cls=cls) if value.call is None:
            return cls.scope.module
        case Function() | Class() | Instance():
            return value.scope.module
    scope = getattr(value, "scope", None)
    if scope is None:
        raise OpaqueError("it is no callable of this project")
    return scope.module  # type: ignore[no-any-return]


def _joined(cut: list[Part]) -> list[Part]:
    """Neighbouring parts of one module as one."""
    joined: list[Part] = []
    for part in cut:
        if joined and joined[-1].frame is part.frame:
            joined[-1].statements.extend(part.statements)
        else:
            joined.append(part)
    return [part for part in joined if part.statements]


def _render(part: Part) -> StubModule:
    module = part.frame.scope.module
    body = part.statements
    if module.postponed:
        body = [ast.ImportFrom("__future__", [ast.alias("annotations")], 0), *body]
    tree = ast.fix_missing_locations(ast.Module(body=body, type_ignores=[]))
    if not module.text.isascii():
        tree = _spelled(tree)
    return StubModule(module.name, ast.unparse(tree) + "\n")


def _spelled(tree: ast.Module) -> ast.Module:
    """The tree with its names in letters in which they can be written.

    Python reads `def f(𝒸lass): ...` as a parameter called `class`, which nobody can write in plain letters.
    """
    nodes = list(ast.walk(tree))
    if not any(_is_keyword(getattr(node, field, None)) for node in nodes for field in _NAMES):
        return tree
    tree = copy.deepcopy(tree)  # its nodes are those of the file
    for node in ast.walk(tree):
        for field in _NAMES:
            name = getattr(node, field, None)
            if _is_keyword(name):
                setattr(node, field, chr(_SANS_SERIF_A + ord(name[0]) - ord("a")) + name[1:])
    return tree


_NAMES = ("id", "name", "attr", "arg", "asname")
"""The fields of syntax nodes that hold a name."""
_SANS_SERIF_A = 0x1D5BA


def _is_keyword(name: object) -> TypeGuard[str]:
    return isinstance(name, str) and keyword.iskeyword(name) and name.islower()
