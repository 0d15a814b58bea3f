"""Makes names of the source mean in a stub what they mean in the user's module."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import expressions, syntax, values
from adk_tool_lens.declaration.frames import IMPORTS, Frame, OpaqueError, order_of
from adk_tool_lens.declaration.worker import is_allowed_module, is_allowed_name
from adk_tool_lens.discovery.evaluate import absolute, module_member, reachable
from adk_tool_lens.discovery.module import Binding, Module
from adk_tool_lens.discovery.values import Class, Function, ModuleRef, Scope

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer


def need(w: Writer, name: str, frame: Frame) -> None:
    """Makes a name of the source mean in a frame what it means there.

    A name that nothing binds at run time is left alone, so that Python's own NameError comes out.

    Raises:
        OpaqueError: what the name stands for cannot be part of a stub.
    """
    current: Frame | None = frame
    while current is not None:
        is_class = isinstance(current.scope.node, ast.ClassDef)
        if (not is_class or current is frame) and _need_here(w, name, current):
            return
        current = current.parent
    if name not in values.PLAIN_BUILTINS and hasattr(__builtins__, name):
        raise OpaqueError(f"the built-in `{name}` is not run for a preview")


def _need_here(w: Writer, name: str, frame: Frame) -> bool:
    if name in frame.needed:
        reason = frame.needed[name]
        if reason is not None:
            raise OpaqueError(reason)
        return True
    if name in frame.parameters:
        return True
    if frame.scope.node is not None and name in frame.scope.arguments:
        frame.parameters[name] = frame.scope.arguments[name]
        _add_parameter(frame, name)
        return True
    live = _live(w, name, frame)
    if live is None:
        return frame.parent is None and _need_star(w, name, frame)
    frame.needed[name] = None
    try:
        if live:
            _bind(w, name, *live[-1], frame)
    except OpaqueError as opaque:
        frame.needed[name] = opaque.reason
        raise
    return True


def _live(w: Writer, name: str, frame: Frame) -> list[tuple[Scope, Binding]] | None:
    """The bindings of a name in a frame that may hold; None when it is not bound there."""
    scope = frame.scope
    if frame.parent is None:
        pairs = [
            (Scope(scope.module, block), binding) for block, binding in scope.module.bindings.get(name, ())
        ]
    else:
        namespace = scope.names
        found = namespace.bindings.get(name, ()) if namespace is not None else ()
        pairs = [(scope, binding) for binding in found]
    if not pairs:
        return None
    live = reachable(pairs, w.world)
    if len(live) > 1:
        reason = f"which definition of `{name}` holds is decided when the code runs"
        w.approximate(reason, live[-1][0], live[-1][1].node)
    return live


def _need_star(w: Writer, name: str, frame: Frame) -> bool:
    module = frame.scope.module
    for star in reversed(module.stars):
        written = absolute(star, module)
        target = w.world.find(written, module)
        if target is not None and module_member(target, name, w.world) is not None:
            frame.needed[name] = None
            _import_from(w, written, name, name, frame)
            return True
        if target is None and is_allowed_module(written) and is_allowed_name(written, name):
            frame.needed[name] = None
            frame.add(IMPORTS, ast.ImportFrom(written, [ast.alias(name)], 0))
            return True
    return False


def _bind(w: Writer, name: str, scope: Scope, binding: Binding, frame: Frame) -> None:
    node = binding.node
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            del frame.needed[name]
            values.define(w, Function(node, scope), frame)
        case ast.ClassDef():
            cls = Class(node, scope)
            values.host_frame(w, cls, typed=True)
        case _ if binding.imported is not None:
            _import(w, name, binding.imported, frame)
        case _ if binding.value is not None:
            order = order_of(scope.module, scope.block, node)
            frame.add(order, expressions.assignment(w, name, binding, frame))
        case _:
            raise OpaqueError(f"`{name}` gets its value when the code runs")


def _import(w: Writer, name: str, what: tuple[str, str | None], frame: Frame) -> None:
    written, member = what
    module = frame.scope.module
    full = absolute(written, module)
    if member is None:
        if is_allowed_module(full):
            alias = ast.alias(full, name if name != full else None)
            frame.add(IMPORTS, ast.Import([alias]))
        return
    _import_from(w, full, member, name, frame)


def _import_from(w: Writer, full: str, member: str, name: str, frame: Frame) -> None:
    asname = name if name != member else None
    if is_allowed_module(full) or full == "google":
        if full != "google" and not is_allowed_name(full, member):
            raise OpaqueError(f"`{full}.{member}` is not run for a preview")
        frame.add(IMPORTS, ast.ImportFrom(full, [ast.alias(member, asname)], 0))
        return
    target = w.world.find(full, frame.scope.module)
    if target is None:
        raise OpaqueError(f"`{member}` comes from `{full}`, whose source was not found")
    value = module_member(target, member, w.world)
    if value is None:
        raise OpaqueError(f"`{full}` has no `{member}`")
    if isinstance(value, ModuleRef):
        return
    target_frame = w.module_frame(target)
    need(w, member, target_frame)
    frame.add(IMPORTS, ast.ImportFrom(target.name, [ast.alias(member, asname)], 0))
    frame.module.uses.append(target_frame)


def member(w: Writer, module: Module, name: str, frame: Frame) -> ast.expr:
    """An expression for `module.name`, of a module of the project, in a frame.

    Raises:
        OpaqueError: what it stands for cannot be part of a stub.
    """
    value = module_member(module, name, w.world)
    if value is None:
        raise OpaqueError(f"`{module.name}` has no `{name}`")
    alias = frame.module.fresh(name)
    _import_from(w, module.name, name, alias, frame.module)
    return syntax.name(alias)


def _add_parameter(frame: Frame, name: str) -> None:
    assert isinstance(frame.shell, ast.FunctionDef)  # noqa: S101 - classes have no arguments
    frame.shell.args.args.append(ast.arg(name))
