"""Makes names of the source mean in a stub what they mean in the user's module."""

from __future__ import annotations

import ast
import builtins
import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import expressions, syntax, values
from adk_tool_lens.declaration.frames import IMPORTS, Frame, OpaqueError, order_of
from adk_tool_lens.declaration.sites import Site
from adk_tool_lens.declaration.worker import is_allowed_module, is_allowed_name
from adk_tool_lens.discovery.evaluate import module_member, reachable
from adk_tool_lens.discovery.module import Binding, Module, absolute
from adk_tool_lens.discovery.positions import bound_above, bound_before
from adk_tool_lens.discovery.values import Class, Function, ModuleRef, Scope

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

Pairs = list[tuple[Scope, Binding]]


def need(site: Site, node: ast.Name) -> None:
    """Makes a name of the source mean in a frame what it means there.

    A name that nothing binds at run time is left alone, so that Python's own NameError comes out.

    Raises:
        OpaqueError: what the name stands for cannot be part of a stub.
    """
    if node.id in site.own:
        return
    if site.frame.is_class and _need_here(site, node, site.frame):
        # `date: date | None = None`: which of the two it is depends on what has run by then.
        with contextlib.suppress(OpaqueError):
            _need_around(site, node)
    elif not _need_around(site, node) and _is_other_builtin(node.id):
        raise OpaqueError(f"the built-in `{node.id}` is not run for a preview")


def _need_around(site: Site, node: ast.Name) -> bool:
    current: Frame | None = site.frame
    while current is not None:
        if not current.is_class and _need_here(site, node, current):
            return True
        current = current.parent
    return False


def is_unbound(site: Site, node: ast.Name) -> bool:
    """Whether nothing binds a name at run time, so that reading it is a NameError."""
    current: Frame | None = site.frame
    while current is not None and node.id not in site.own:
        if node.id in current.parameters or node.id in current.scope.arguments:
            return False
        pairs = [] if current.is_class and current is not site.frame else _pairs(site, node, current)
        if pairs:
            return not reachable(pairs, site.w.world)
        if current.parent is None:
            return not current.scope.module.stars and not hasattr(builtins, node.id)
        current = current.parent
    return False


def _is_other_builtin(name: str) -> bool:
    return name not in values.PLAIN_BUILTINS and hasattr(builtins, name)


def need_member(w: Writer, name: str, frame: Frame) -> None:
    """Makes a module's frame have a name, with the meaning it has when the module has run.

    Raises:
        OpaqueError: what the name stands for cannot be part of a stub.
    """
    _need_here(Site.of(w, frame), syntax.name(name), frame)


def _need_here(site: Site, node: ast.Name, frame: Frame) -> bool:
    name = node.id
    if name in frame.parameters or name in frame.needed:
        return _known(frame, name)
    if frame.scope.node is not None and name in frame.scope.arguments:
        frame.parameters[name] = frame.scope.arguments[name]
        _add_parameter(frame, name)
        return True
    pairs = _pairs(site, node, frame)
    if not pairs:
        return frame.parent is None and _need_star(site.w, name, frame)
    live = reachable(pairs, site.w.world)
    key = frame.key(name, live[-1][1].node) if live else name
    if key in frame.needed:
        return _known(frame, key)
    if len(live) > 1:
        reason = f"which definition of `{name}` holds is decided when the code runs"
        site.w.approximate(reason, live[-1][0], live[-1][1].node)
    _bind_once(site.w, name, key, live, frame)
    return True


def _known(frame: Frame, key: str) -> bool:
    reason = frame.needed.get(key)
    if reason is not None:
        raise OpaqueError(reason)
    return True


def _bind_once(w: Writer, name: str, key: str, live: Pairs, frame: Frame) -> None:
    frame.needed[key] = None
    try:
        if live:
            _bind(w, name, *live[-1], frame)
    except OpaqueError as opaque:
        frame.needed[key] = opaque.reason
        raise


def _pairs(site: Site, node: ast.Name, frame: Frame) -> Pairs:
    """The bindings of a name in a frame, as far as they count where the name is read."""
    scope = frame.scope
    if frame.parent is None:
        module = scope.module
        pairs = module.bindings.get(node.id)
        _refuse_changed(module, node.id)
        if len(pairs) > 1 and site.scope.module is module:
            pairs = bound_before(pairs, site.scope, node) or pairs
        return [(Scope(module, block), binding) for block, binding in pairs]
    names = scope.names
    found: Sequence[Binding] = names.bindings.get(node.id, ()) if names is not None else ()
    if site.scope.node is scope.node:
        found = bound_above(found, node)
    return [(scope, binding) for binding in found]


def _refuse_changed(module: Module, name: str) -> None:
    """A list or number that statements change is no longer what it was bound to."""
    if any(change.how != "set" for _, change in module.mutations.get(name)):
        raise OpaqueError(f"`{name}` is changed when the code runs")


def _need_star(w: Writer, name: str, frame: Frame) -> bool:
    module = frame.scope.module
    for star in reversed(module.stars):
        written = absolute(star, module)
        target = w.world.find(written, module)
        if target is not None and module_member(target, name, w.world) is not None:
            frame.needed[name] = None
            _import_from(w, written, name, name, frame)
            return True
        if target is None and w.world.exports(written, name) and is_allowed_name(written, name):
            frame.needed[name] = None
            frame.add(IMPORTS, ast.ImportFrom(written, [ast.alias(name)], 0))
            return True
    return False


def _bind(w: Writer, name: str, scope: Scope, binding: Binding, frame: Frame) -> None:
    node = binding.node
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            del frame.needed[frame.key(name, node)]
            values.define(w, Function(node, scope), frame)
        case ast.ClassDef():
            values.host_frame(w, Class(node, scope), typed=True)
        case _ if binding.imported is not None:
            _import(w, name, binding, scope, frame)
        case _ if binding.value is not None:
            order = order_of(scope.module, scope.block, node)
            site = Site.of(w, frame, scope)
            frame.add(order, expressions.assignment(site, name, binding))
        case _:
            raise OpaqueError(f"`{name}` gets its value when the code runs")


def _import(w: Writer, name: str, binding: Binding, scope: Scope, frame: Frame) -> None:
    assert binding.imported is not None  # noqa: S101 - the caller looked
    written, member = binding.imported
    module = frame.scope.module
    full = absolute(written, module)
    order = order_of(scope.module, scope.block, binding.node) if frame.rebinds(name) else IMPORTS
    if member is None:
        if not is_allowed_module(full):
            raise OpaqueError(f"`{full}` is not run for a preview")
        alias = ast.alias(full, name if name != full else None)
        frame.add(order, ast.Import([alias]))
        return
    _import_from(w, full, member, name, frame, order)


def _import_from(  # noqa: PLR0913, PLR0917 - the parts of one statement
    w: Writer, full: str, member: str, name: str, frame: Frame, order: tuple[int, int, int] = IMPORTS
) -> None:
    asname = name if name != member else None
    if is_allowed_module(full) or full == "google":
        if full != "google" and not is_allowed_name(full, member):
            raise OpaqueError(f"`{full}.{member}` is not run for a preview")
        frame.add(order, ast.ImportFrom(full, [ast.alias(member, asname)], 0))
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
    need_member(w, member, target_frame)
    frame.add_import(target_frame, member, name, order)


def member(site: Site, module: Module, name: str) -> ast.expr:
    """An expression for `module.name`, of a module of the project, in a frame.

    Raises:
        OpaqueError: what it stands for cannot be part of a stub.
    """
    if module_member(module, name, site.w.world) is None:
        raise OpaqueError(f"`{module.name}` has no `{name}`")
    frame = site.frame.module
    known = frame.members.get((module.name, name))
    if known is None:
        known = frame.fresh(name)
        _import_from(site.w, module.name, name, known, frame)
        frame.members[module.name, name] = known
    return syntax.name(known)


def _add_parameter(frame: Frame, name: str) -> None:
    assert isinstance(frame.shell, ast.FunctionDef)  # noqa: S101 - classes have no arguments
    frame.shell.args.args.append(ast.arg(name))
