"""Where calls stand that may create agents, wrap functions or lead to either."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from adk_tool_lens.discovery.loops import Loop
from adk_tool_lens.discovery.module import DefNode, Module
from adk_tool_lens.discovery.values import Class, Instance, Scope, Value
from adk_tool_lens.source.blocks import Block, per_block

_LEAVES = frozenset(
    {ast.Name, ast.Constant, ast.Load, ast.Store, ast.Import, ast.ImportFrom, ast.Pass, ast.arg, ast.alias}
    | {str, int, type(None), *ast.operator.__subclasses__(), *ast.cmpop.__subclasses__()}
    | {*ast.boolop.__subclasses__(), *ast.unaryop.__subclasses__(), ast.Global, ast.Nonlocal}
)
"""What has no calls in it that matter."""


@dataclass(frozen=True, eq=False)
class Site:
    """A call with the scope it is read in, and the name its result is given."""

    call: ast.Call
    scope: Scope
    variable: str | None
    direct: bool
    """Whether its text looks like the making of an agent or a tool; else it may be a call of a factory."""
    loops: tuple[Loop, ...] = ()
    """The loops of comprehensions around it, from the outermost in."""


@dataclass(frozen=True, eq=False)
class Written:
    """A call as it is written, with the definitions around it."""

    call: ast.Call
    path: tuple[DefNode, ...]
    variable: str | None
    direct: bool
    loops: tuple[Loop, ...] = ()


def sites(module: Module) -> Iterator[Site]:
    """The calls of a module that matter, in the order they are written."""
    for block in module.blocks:
        for written in calls_of(block):
            scope = scope_of(module, block, written.path)
            yield Site(written.call, scope, written.variable, written.direct, written.loops)


def sites_in(node: DefNode, scope: Scope) -> Iterator[Site]:
    """The calls in a function or class whose own scope is given, as a call of it binds its parameters."""
    known: list[Written] | None = getattr(node, "_lens_calls", None)
    if known is None:
        known = [written for child in node.body for written in _walk(child)]
        node._lens_calls = known  # type: ignore[union-attr]
    for written in known:
        inner = nested(scope, written.path)
        yield Site(written.call, inner, written.variable, written.direct, written.loops)


@per_block
def calls_of(block: Block) -> list[Written]:
    """The calls of a block."""
    tree = block.tree if "(" in block.text else None
    return [] if tree is None else list(_walk(tree))


@per_block
def calls_named(block: Block) -> dict[str, list[Written]]:
    """The calls of a block that hand something over, by the name of what is called."""
    found: dict[str, list[Written]] = {}
    tree = block.tree if "(" in block.text else None
    for call, path, name, loops in _calls(tree) if tree is not None else ():
        called = called_name(call)
        if called is not None and (call.args or call.keywords):
            found.setdefault(called, []).append(Written(call, path, name, False, loops))
    for calls in found.values():  # `a(b()).c()` runs from the inside out
        calls.sort(key=lambda each: (each.call.end_lineno or 0, each.call.end_col_offset or 0))
    return found


def called_name(node: ast.expr) -> str | None:
    """The name behind a decorator or call: `tool` of `@registry.tool()` and of `tool("x")(f)`."""
    while isinstance(node, ast.Call):
        node = node.func
    return last_name(node)


def _walk(node: ast.AST) -> Iterator[Written]:
    for call, path, name, loops in _calls(node):
        direct = _is_direct(call)
        if direct or _may_be_factory(call):
            yield Written(call, path, name, direct, loops)


def _calls(
    node: ast.AST,
) -> Iterator[tuple[ast.Call, tuple[DefNode, ...], str | None, tuple[Loop, ...]]]:
    stack: list[tuple[ast.AST, tuple[DefNode, ...], str | None, tuple[Loop, ...]]] = [(node, (), None, ())]
    while stack:
        current, around, name, loops = stack.pop()
        if isinstance(current, ast.Call):
            yield current, around, name, loops
        inside = around
        if isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = (*around, current)
        elif isinstance(current, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            loops = (*loops, *((each.target, each.iter) for each in current.generators))
        target = _target(current)
        stack += [(child, inside, target, loops) for child in reversed(_children(current))]


def _children(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that may have calls in them."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [each for each in value if each.__class__ not in _LEAVES]
        elif isinstance(value, ast.AST) and value.__class__ not in _LEAVES:
            found.append(value)
    return found


def _target(node: ast.AST) -> str | None:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return None


def _is_direct(call: ast.Call) -> bool:
    name = last_name(call.func) or ""
    return name.endswith(("Agent", "Tool")) or looks_like_agent(call)


def looks_like_agent(call: ast.Call) -> bool:
    """Whether a call may make an agent by its text: `...Agent(...)`, `super().__init__()`, `tools=`."""
    name = last_name(call.func) or ""
    return (
        name.endswith("Agent")
        or name == "__init__"
        or any(argument.arg in {"tools", "sub_agents"} for argument in call.keywords)
    )


def last_name(node: ast.expr) -> str | None:
    """The name that `a.b.c` ends with."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def _may_be_factory(call: ast.Call) -> bool:
    """Whether a call hands something to a function with a name, or makes an object: `make_agent([f])`."""
    name = last_name(call.func) or ""
    return bool(call.args or call.keywords or name[:1].isupper()) and root_name(call.func) is not None


def root_name(node: ast.expr) -> str | None:
    """The name that `a.b.c` begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def scope_of(module: Module, block: Block, path: tuple[DefNode, ...]) -> Scope:
    """The scope inside nested definitions of a module."""
    return nested(Scope(module, block), path)


def nested(scope: Scope, path: tuple[DefNode, ...]) -> Scope:
    """The scope inside nested definitions; `self` stands for an instance of its class."""
    for node in path:
        parent = scope if scope.node is not None or scope.arguments else None
        arguments = {} if isinstance(node, ast.ClassDef) else _receiver(node, scope)
        scope = Scope(scope.module, scope.block, node, parent, arguments)
    return scope


def _receiver(node: DefNode, scope: Scope) -> dict[str, Value]:
    """`self` in a method of a class."""
    if not isinstance(scope.node, ast.ClassDef) or isinstance(node, ast.ClassDef):
        return {}
    arguments = [*node.args.posonlyargs, *node.args.args]
    if not arguments or any(ast.unparse(d) == "staticmethod" for d in node.decorator_list):
        return {}
    around = scope.parent or Scope(scope.module, scope.block)
    cls = Class(scope.node, around)
    by_class = any(ast.unparse(d) == "classmethod" for d in node.decorator_list)
    return {arguments[0].arg: cls if by_class else Instance(cls, None, around)}
