"""What names stand for: bindings, branches, imports and decorated functions."""

from __future__ import annotations

import ast
import builtins

from adk_tool_lens.discovery.conditions import guard_holds
from adk_tool_lens.discovery.containers import mutated
from adk_tool_lens.discovery.functions import decorator_call, parameters
from adk_tool_lens.discovery.module import Binding, FunctionNode, Module, absolute
from adk_tool_lens.discovery.positions import bound_above, bound_before, changed_between
from adk_tool_lens.discovery.reads import noting, repeat
from adk_tool_lens.discovery.registries import filled
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
    External,
    Function,
    Instance,
    Lambda,
    ModuleRef,
    Scope,
    Sequence,
    Unknown,
    Value,
)
from adk_tool_lens.discovery.world import World, either, evaluate

_BUILTINS = frozenset(dir(builtins))


def lookup(name: str, scope: Scope, world: World, node: ast.expr | None = None) -> Value:
    """What a name stands for where `scope` reads it."""
    current: Scope | None = scope
    while current is not None:
        if name in current.arguments:
            return current.arguments[name]
        is_read = not isinstance(current.node, ast.ClassDef) or current is scope
        if current.node is not None and is_read:  # a module's own names are read below
            found = _local(name, current, world, node, own=current is scope)
            if found is not None:
                return found
        if current.parent is None:
            break
        current = current.parent
    known = _member_at(name, scope, world, node) or module_member(scope.module, name, world)
    return known or _builtin(name, node, scope)


def _member_at(name: str, scope: Scope, world: World, node: ast.expr | None) -> Value | None:
    """What a module-level name stands for before it is bound again; None when it is not."""
    module = scope.module
    pairs = module.bindings.get(name)
    changes = module.mutations.get(name)
    if len(pairs) < 2 and not any(isinstance(change.node, ast.AugAssign) for _, change in changes):
        return None
    before = bound_before(pairs, scope, node)
    if before is None:
        return None
    value = chosen([(Scope(module, block), binding) for block, binding in before], name, world)
    if isinstance(value, Const):
        changes = changed_between(changes, before[-1], scope, node)
    return mutated(value, [(Scope(module, block), change) for block, change in changes], world)


def _builtin(name: str, node: ast.expr | None, scope: Scope) -> Value:
    if name in _BUILTINS:
        return External(f"builtins.{name}")
    return Unknown(f"`{name}` is not defined in this file", node, scope)


def _local(name: str, scope: Scope, world: World, node: ast.expr | None, *, own: bool) -> Value | None:
    """What a name stands for in a function's or class's body; read once, unless that led in a circle.

    `own` says that the body itself reads it, so that it matters where.
    """
    if own and scope.names is not None:
        bindings = scope.names.bindings.get(name, ())
        above = bound_above(bindings, node)
        if len(above) < len(bindings) and name not in scope.names.mutations:
            return chosen([(scope, binding) for binding in above], name, world)
    known = world.locals.get((scope, name))
    if known is not None:
        repeat(known[0])
        return known[1]
    circles = world.circles
    with noting() as reads:
        value = _read_local(name, scope, world, node)
    if value is not None and world.circles == circles:
        world.locals[scope, name] = (reads, value)
    return value


def _read_local(name: str, scope: Scope, world: World, node: ast.expr | None) -> Value | None:
    names = scope.names
    if names is not None and (bindings := names.bindings.get(name)):
        pairs = [(scope, binding) for binding in bindings]
        value = chosen(pairs, name, world)
        return mutated(value, [(scope, m) for m in names.mutations.get(name, ())], world)
    if isinstance(scope.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return _parameter(name, scope.node, scope, node)
    return None


def _parameter(
    name: str, function: FunctionNode | ast.Lambda, scope: Scope, node: ast.expr | None
) -> Value | None:
    if name in {p.arg for p in parameters(function)}:
        return Unknown(f"`{name}` is a parameter, so its value comes from the caller", node, scope)
    if name in {p.arg for p in (function.args.vararg, function.args.kwarg) if p}:
        return Unknown(f"`{name}` collects arguments of the caller", node, scope)
    return None


def module_member(module: Module, name: str, world: World) -> Value | None:
    """What a module-level name stands for at the end of the module; None when it has no such name.

    A value belongs to one version of the files, because it says in which scope to read on; so it is kept as
    long as the world lasts, and only plain data made from it is kept longer (`kept`).
    """
    for key in ((module,), (module, world.root)):
        known = world.members.get(key, {}).get(name)
        if known is not None:
            repeat(known[0])
            return known[1]
    before = world.filled
    with noting() as reads:
        value = _module_member(module, name, world)
    key = (module,) if world.filled == before else (module, world.root)
    world.members.setdefault(key, {})[name] = (reads, value)
    return value


def _module_member(module: Module, name: str, world: World) -> Value | None:
    pairs = module.bindings.get(name)
    if pairs:
        scoped = [(Scope(module, block), binding) for block, binding in pairs]
        value = chosen(scoped, name, world)
        changes = module.mutations.get(name)
        if changes and isinstance(value, Const):
            changes = changed_between(changes, pairs[-1], Scope(module), None)
        value = mutated(value, [(Scope(module, block), change) for block, change in changes], world)
        return filled(module, name, value, world)
    for star in reversed(module.stars):
        found = _from_star(absolute(star, module), name, module, world)
        if found is not None:
            return found
    return _submodule(module, name, world)


def _from_star(written: str, name: str, module: Module, world: World) -> Value | None:
    """What `from written import *` binds a name to."""
    target = world.find(written, module)
    if target is None:
        return External(f"{written}.{name}") if world.exports(written, name) else None
    return module_member(target, name, world) if target is not module else None


def _submodule(module: Module, name: str, world: World) -> Value | None:
    if not module.package:
        return None
    found = world.find(f"{module.name}.{name}", module)
    return ModuleRef(found) if found else None


def chosen(pairs: list[tuple[Scope, Binding]], name: str, world: World) -> Value:
    """The value of a name at the end of a body, from all its bindings."""
    live = reachable(pairs, world)
    if not live:
        return Unknown(f"`{name}` only exists for type checkers", None, None)
    return either(_bound_value(binding, scope, world) for scope, binding in live)


def reachable(pairs: list[tuple[Scope, Binding]], world: World) -> list[tuple[Scope, Binding]]:
    """The bindings that may hold at the end of a body: the last one sure to run, and later ones."""
    live: list[tuple[Scope, Binding]] = []
    for scope, binding in pairs:
        truths = [guard_holds(guard, scope, world) for guard in binding.guards]
        if any(known is False for known in truths):
            continue
        if all(known is True for known in truths):
            live = []
        live.append((scope, binding))
    return live


def _bound_value(binding: Binding, scope: Scope, world: World) -> Value:
    node = binding.node
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            owner = _owner(scope)
            return decorated(Function(node, scope, owner), world)
        case ast.ClassDef():
            return Class(node, scope, _owner(scope))
    if binding.imported is not None:
        return imported(binding.imported, scope.module, world)
    if binding.value is not None:
        return evaluate(binding.value, scope, world)
    if isinstance(node, ast.For | ast.AsyncFor) and isinstance(binding.target, ast.Name):
        return either_of_items(evaluate(node.iter, scope, world), node.iter, scope)
    return Unknown(f"`{binding.name}` gets its value when the code runs", node, scope)


def _owner(scope: Scope) -> Class | None:
    if isinstance(scope.node, ast.ClassDef) and scope.parent is not None:
        return Class(scope.node, scope.parent)
    return None


def either_of_items(value: Value, node: ast.expr, scope: Scope) -> Value:
    """What a loop variable stands for: one of the elements."""
    if isinstance(value, Sequence) and value.items:
        return either(item.value for item in value.items)
    return Unknown("it runs over values that only exist when the code runs", node, scope)


def imported(what: tuple[str, str | None], importer: Module, world: World) -> Value:
    """What an import gives: a project module's member, or something external by its full name."""
    written, member = what
    module_name = absolute(written, importer)
    module = world.find(module_name, importer)
    if module is None:
        full = f"{module_name}.{member}" if member else module_name
        if written.startswith("."):
            return Unknown(f"module `{module_name or written}` was not found", None, None)
        return External(full)
    if member is None:
        return ModuleRef(module)
    key = ("import", id(module), member)
    if key in world.busy:
        world.circles += 1
        return Unknown(f"`{member}` is part of an import cycle", None, None)
    world.busy.add(key)
    try:
        value = module_member(module, member, world)
    finally:
        world.busy.discard(key)
    return value or Unknown(f"`{module_name}` has no `{member}`", None, None)


def decorated(function: Function, world: World) -> Value:
    """A function under its decorators: itself, unless one of them makes a tool object of it.

    Models `@FunctionTool` and project decorators that end in `return FunctionTool(fn)`.
    """
    value: Value = function
    for decorator in reversed(function.node.decorator_list):
        made = decorate(decorator, value, function, world)
        if isinstance(made, Called | Instance):
            value = made
    return value


def decorate(decorator: ast.expr, value: Value, function: Function, world: World) -> Value | None:
    """What one decorator makes of a function; None when its source is not at hand."""
    from adk_tool_lens.discovery.calls import apply  # names are what calls are made of

    callee = evaluate(decorator, function.scope, world)
    call = decorator_call(decorator, function.node)
    call._lens_decorates = function  # type: ignore[attr-defined]
    scope = Scope(
        function.scope.module,
        function.scope.block,
        None,
        function.scope,
        {function.node.name: value},
    )
    match callee:
        case External(name=name) if name.startswith("google.adk.tools."):
            return Called(callee, call, scope)
        case Function() | Class() | Bound() | Instance() | Lambda():
            return apply(callee, call, scope, world)
        case Called(callee=External(name="functools.partial")):
            return apply(callee, call, scope, world)
    return None
