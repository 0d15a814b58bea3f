"""Lists and dicts that functions fill: what calls and decorators of such functions put into them.

    TOOLS = []

    def tool(f):
        TOOLS.append(f)
        return f

    @tool
    def find(order: str) -> dict: ...

    agent = Agent(tools=TOOLS)

and the same for an object's list (`@registry.tool()`, `registry.add(find)`). Calls count in the modules that
the one in question imports, and those that they import: other modules have not run when it does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from adk_tool_lens.discovery.containers import mutated
from adk_tool_lens.discovery.functions import decorator_call, entered, parameters
from adk_tool_lens.discovery.inner import CONTAINERS, InnerChange, changes_in
from adk_tool_lens.discovery.module import DefNode, FunctionNode, Module, Mutation, absolute, body_namespace
from adk_tool_lens.discovery.reads import note
from adk_tool_lens.discovery.sites import Written, called_name, calls_named, calls_of, scope_of, sites_in
from adk_tool_lens.discovery.values import (
    Bound,
    Class,
    Dictionary,
    Function,
    Instance,
    Item,
    Scope,
    Sequence,
    Unknown,
    Value,
)
from adk_tool_lens.discovery.world import World, evaluate
from adk_tool_lens.source.blocks import Block, per_block

MAX_MODULES = 200
"""Modules in which calls are looked for at most."""
MAX_LEVELS = 3
"""How many imports lead to them, and how many functions may call one another, at most."""


@dataclass(frozen=True, eq=False)
class Filler:
    """A function that adds to a container, and the statement that does."""

    node: FunctionNode
    name: str
    """By what it is called: its own name, or that of the function that gives it."""
    change: Mutation


Container = Sequence | Dictionary


# ---------------------------------------------------------------- which functions fill what


def _of_module(module: Module, name: str) -> tuple[Filler, ...]:
    """The functions of a module that add to what a module-level name holds."""
    return tuple(
        Filler(inner.node, _outermost(inner.path), inner.change)
        for inner in module.changed_inside(name)
        if not any(_binds(node, name) for node in inner.path)
    )


def _outermost(path: tuple[DefNode, ...]) -> str:
    """The function or method by whose name the innermost one is had."""
    return next(node.name for node in path if not isinstance(node, ast.ClassDef))


def _binds(node: DefNode, name: str) -> bool:
    if name in body_namespace(node).bindings:
        return not isinstance(node, ast.ClassDef)
    if isinstance(node, ast.ClassDef):
        return False
    rows = (*parameters(node), node.args.vararg, node.args.kwarg)
    return name in {row.arg for row in rows if row is not None}


def fillers_in(cls: Class, attr: str) -> tuple[Filler, ...]:
    """The methods of a class that add to an attribute of `self` or `cls` what they are given."""
    return tuple(
        Filler(inner.node, _outermost(inner.path), inner.change)
        for method in cls.node.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in _of_method(method)
        if inner.change.name in {f"{_receiver(method)}.{attr}", f"{cls.node.name}.{attr}"}
    )


def _of_method(method: FunctionNode) -> list[InnerChange]:
    known: list[InnerChange] | None = getattr(method, "_lens_changes", None)
    if known is None:
        holder = ast.Module(body=[method], type_ignores=[])
        known = [each for each in changes_in(holder) if _depends(each)]
        method._lens_changes = known  # type: ignore[union-attr]
    return known


def _receiver(method: FunctionNode) -> str:
    return method.args.args[0].arg if method.args.args else ""


def _depends(inner: InnerChange) -> bool:
    """Whether what is added comes from parameters; what does not is known without a call."""
    methods = [node for node in inner.path if not isinstance(node, ast.ClassDef)]
    if methods[0].name == "__init__":
        return False
    given = {row.arg for node in methods for row in parameters(node)} - {_receiver(methods[0])}
    return any(isinstance(part, ast.Name) and part.id in given for part in ast.walk(inner.change.value))


# ---------------------------------------------------------------- what they are called with


def filled(module: Module, name: str, value: Value, world: World) -> Value:
    """What a module-level name holds with what functions of its module are made to add."""
    if not isinstance(value, Container):
        return value
    fillers = _of_module(module, name)
    empty = not (value.items or value.gaps)
    return _with_calls(value, _Search(name, module, fillers, None, world)) if fillers or empty else value


def filled_attribute(
    value: Value, fillers: tuple[Filler, ...], receiver: Instance | Class, attr: str, world: World
) -> Value:
    """What an attribute holds with what methods are made to add."""
    if not fillers or not isinstance(value, Container):
        return value
    cls = receiver.cls if isinstance(receiver, Instance) else receiver
    return _with_calls(value, _Search(attr, cls.scope.module, fillers, receiver, world))


def _with_calls(value: Container, search: _Search) -> Value:
    world = search.world
    key = ("filled", search.module.key, search.name, search.fillers[:1])
    if key in world.busy:
        world.circles += 1
        return value
    world.busy.add(key)
    world.filled += 1
    try:
        runs = [run for each in _modules(search.module, world) for run in search.in_module(each)]
    finally:
        world.busy.discard(key)
    for scope, change, site in runs:
        value = _added(value, scope, change, site, world)
    if search.fillers and not runs and not value.items and not value.gaps:
        return _unfilled(value, search.fillers[0], search.name)
    return value


def _unfilled(value: Container, filler: Filler, name: str) -> Value:
    """An empty list that a function fills, by calls that are nowhere to be seen."""
    gap = Unknown(f"`{name}` is filled by `{filler.name}`, and no call of it was found in what is imported")
    return replace(value, gaps=(gap,))


@dataclass(frozen=True, eq=False)
class _At:
    """Where something is added: a decorator or an argument."""

    node: ast.expr
    scope: Scope
    conditional: bool


Run = tuple[Scope, Mutation, _At]


def _added(value: Container, scope: Scope, change: Mutation, site: _At, world: World) -> Container:
    def here(item: Item) -> Item:
        return Item(item.value, site.node, site.scope, site.conditional)

    if isinstance(value, Sequence):
        more = mutated(Sequence(()), [(scope, change)], world)
        assert isinstance(more, Sequence)  # noqa: S101 - for the type checker
        return replace(value, items=(*value.items, *map(here, more.items)), gaps=(*value.gaps, *more.gaps))
    pairs = mutated(Dictionary(()), [(scope, change)], world)
    assert isinstance(pairs, Dictionary)  # noqa: S101 - for the type checker
    items = tuple((key, here(item)) for key, item in pairs.items)
    return replace(value, items=(*value.items, *items), gaps=(*value.gaps, *pairs.gaps))


@dataclass(frozen=True, eq=False)
class _Search:
    """Looks for what adds to a container: calls of some functions, and statements of other modules."""

    name: str
    module: Module
    """Where the container is."""
    fillers: tuple[Filler, ...]
    receiver: Instance | Class | None
    """The object whose attribute it is."""
    world: World

    def in_module(self, module: Module) -> Iterator[Run]:
        """What a module adds."""
        if self.receiver is None and module is not self.module and self.name in module.text:
            yield from self._statements(module)
        names = self._names(module) if self.fillers else set()
        if not any(name in module.text for name in names):
            return
        for block in module.blocks:
            if any(name in block.text for name in names):
                yield from self._in_block(module, block, names)

    def _in_block(self, module: Module, block: Block, names: set[str]) -> Iterator[Run]:
        for node, path in _decorated(block):
            scope = scope_of(module, block, path)
            for decorator in node.decorator_list:
                if called_name(decorator) in names:
                    yield from self._decorates(decorator, node, scope)
        named = calls_named(block)
        for written in (each for name in sorted(names & named.keys()) for each in named[name]):
            yield from self._calls(written, scope_of(module, block, written.path))

    def _statements(self, module: Module) -> Iterator[Run]:
        """`TOOLS.append(f)` of a module that imports `TOOLS`, and `registry.TOOLS.append(f)`."""
        own = self.module.name
        for bound, pairs in list(module.bindings.items()):
            for _, binding in pairs:
                match binding.imported:
                    case (str(written), member) if member == self.name and absolute(written, module) == own:
                        yield from _changes_of(module, bound)
                    case (str(written), None) if absolute(written, module) == own:
                        yield from _changes_of(module, f"{written}.{self.name}")
                        yield from _changes_of(module, f"{bound}.{self.name}")
                    case (str(written), str(member)) if absolute(_submodule(written, member), module) == own:
                        yield from _changes_of(module, f"{bound}.{self.name}")

    def _names(self, module: Module) -> set[str]:
        """By what names the functions go in a module."""
        names = {filler.name for filler in self.fillers}
        owner = self.fillers[0]
        names |= _callers(module, names) if owner.name in module.text else set()
        return names | {
            bound
            for bound, pairs in module.bindings.items()
            for _, binding in pairs
            if binding.imported is not None and binding.imported[1] in names
        }

    def _decorates(self, decorator: ast.expr, node: FunctionNode, scope: Scope) -> Iterator[Run]:
        function = Function(node, scope)
        call = decorator_call(decorator, node)
        inner = Scope(scope.module, scope.block, None, scope, {node.name: function})
        site = _At(decorator, scope, _in_function(scope))
        yield from self._runs(evaluate(decorator, scope, self.world), call, inner, site)

    def _calls(self, written: Written, scope: Scope) -> Iterator[Run]:
        call = written.call
        given = call.args[-1] if call.args else call.keywords[-1].value
        site = _At(given, scope, _in_function(scope))
        yield from self._runs(evaluate(call.func, scope, self.world), call, scope, site)

    def _runs(self, callee: Value, call: ast.Call, scope: Scope, site: _At, level: int = 0) -> Iterator[Run]:
        """The statements that a call runs in the end, each with its scope."""
        if not isinstance(callee, Function | Bound):
            return
        node, inner = entered(callee, call, scope, self.world)
        own = [filler.change for filler in self.fillers if filler.node is node]
        yield from ((inner, change, site) for change in own if self._is_ours(change, inner))
        if not own and level < MAX_LEVELS:
            names = {filler.name for filler in self.fillers}
            for each in sites_in(node, inner):
                if called_name(each.call) in names:
                    target = evaluate(each.call.func, each.scope, self.world)
                    yield from self._runs(target, each.call, each.scope, site, level + 1)

    def _is_ours(self, change: Mutation, scope: Scope) -> bool:
        """Whether the container that a method changes is the one of the object in question."""
        if not isinstance(self.receiver, Instance) or self.receiver.call is None:
            return True
        name = ast.copy_location(ast.Name(id=change.name.partition(".")[0], ctx=ast.Load()), change.node)
        value = evaluate(name, scope, self.world)
        return not isinstance(value, Instance) or value.call in {None, self.receiver.call}


def _changes_of(module: Module, name: str) -> Iterator[Run]:
    for block, change in module.mutations.get(name):
        if change.how in CONTAINERS:
            scope = Scope(module, block)
            yield scope, change, _At(change.value, scope, bool(change.guards))


def _in_function(scope: Scope) -> bool:
    return scope.node is not None and not isinstance(scope.node, ast.ClassDef)


def _callers(module: Module, names: set[str]) -> set[str]:
    """The functions of a module that call others by some names."""
    return {
        around.name
        for block in module.blocks
        for written in calls_of(block)
        if written.path and called_name(written.call) in names
        for around in written.path
        if not isinstance(around, ast.ClassDef)
    }


@per_block
def _decorated(block: Block) -> list[tuple[FunctionNode, tuple[DefNode, ...]]]:
    """The decorated functions of a block with the definitions around them."""
    tree = block.tree if "@" in block.text else None
    return [] if tree is None else list(_decorated_in(tree, ()))


def _decorated_in(
    node: ast.AST, path: tuple[DefNode, ...]
) -> Iterator[tuple[FunctionNode, tuple[DefNode, ...]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and child.decorator_list:
            yield child, path
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _decorated_in(child, (*path, child))
        elif isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _decorated_in(child, path)


# ---------------------------------------------------------------- which modules have run


def _modules(module: Module, world: World) -> Iterator[Module]:
    """The module of a container, the one in question, and what these import."""
    seen: dict[Module, None] = {}
    todo: list[tuple[Module, int]] = [(module, 0)]
    todo += [(world.root, 0)] if world.root is not None else []
    while todo and len(seen) < MAX_MODULES:
        current, level = todo.pop(0)
        if current in seen:
            continue
        seen[current] = None
        note(current.key, "version", "", current)
        if level < MAX_LEVELS and not current.installed:
            for name in _imports(current):
                found = world.find(absolute(name, current), current)
                if found is not None and not found.installed:
                    todo.append((found, level + 1))
    return iter(seen)


def _imports(module: Module) -> Iterable[str]:
    """The modules that a module may import, as it writes them."""
    names: dict[str, None] = {}
    for pairs in module.bindings.values():
        for _, binding in pairs:
            if binding.imported is not None:
                written, member = binding.imported
                names[written] = None
                if member is not None:
                    names[_submodule(written, member)] = None
    return (*names, *module.stars)


def _submodule(written: str, member: str) -> str:
    """The module that `from written import member` gives, if it gives one."""
    return f"{written}{'' if written.endswith('.') else '.'}{member}"
