"""Tools that an agent is given after it was made, elsewhere: in another file, or in a function.

    from shop.agent import root_agent

    root_agent.tools.append(find_order)

What the body that makes the agent does to it afterwards belongs to the agent itself (`agents.list_value`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from adk_tool_lens.discovery.agents import Creation, creation_of, described
from adk_tool_lens.discovery.containers import mutated
from adk_tool_lens.discovery.evaluate import World, evaluate, is_agent
from adk_tool_lens.discovery.functions import entered, parameters
from adk_tool_lens.discovery.inner import changes_in
from adk_tool_lens.discovery.model import Agent
from adk_tool_lens.discovery.module import (
    DefNode,
    FunctionNode,
    Module,
    Mutation,
    absolute,
    block_namespace,
    body_namespace,
)
from adk_tool_lens.discovery.reads import note
from adk_tool_lens.discovery.sites import calls_named, scope_of
from adk_tool_lens.discovery.values import Either, External, Function, Item, Scope, Sequence, Unknown, Value
from adk_tool_lens.source.blocks import Block, per_block

_WAYS = frozenset({"append", "extend", "insert", "set"})
_ENDING = ".tools"


@dataclass(frozen=True, eq=False)
class Addition:
    """What one statement gives an agent."""

    agent: Agent | None
    """Without its tools; None for an agent that only callers know."""
    sure: bool
    """Whether it runs whenever the module does."""
    value: Value


def additions(module: Module, world: World) -> Iterator[Addition]:
    """What the statements of a module add to the tools of agents."""
    givers = _givers(module, world)
    for block in module.blocks:
        for path, change in _changes(block):
            scope = scope_of(module, block, path)
            added = _added(change, scope, world)
            target = evaluate(_target(change), scope, world)
            for agent in _agents(target, path, change, scope, world):
                yield Addition(agent, not path and not change.guards, added)
        if any(name in block.text for name in givers):
            yield from _through_calls(module, block, givers, world)


def _through_calls(module: Module, block: Block, givers: frozenset[str], world: World) -> Iterator[Addition]:
    """What a function does to the agent that a call hands to it: `attach(root_agent, [find_order])`."""
    for name, calls in calls_named(block).items():
        for written in calls if name in givers else ():
            scope = scope_of(module, block, written.path)
            callee = evaluate(written.call.func, scope, world)
            match callee:
                case Function(node=node) if changes := _own_changes(node):
                    _, inner = entered(callee, written.call, scope, world)
                case _:
                    continue
            for change in changes:
                target = evaluate(_target(change), inner, world)
                for agent in _agents(target, (), change, inner, world):
                    yield Addition(
                        agent, not written.path and not change.guards, _added(change, inner, world)
                    )


def _givers(module: Module, world: World) -> frozenset[str]:
    """By what names the functions go in a module that change the tools of what they are given."""
    found = set(_own_givers(module))
    imports = [
        (bound, *binding.imported)
        for bound, pairs in module.bindings.items()
        for _, binding in pairs
        if binding.imported is not None
    ]
    for bound, written, member in imports:
        full = absolute(written, module)
        if f"{bound}(" in module.text and member in _givers_of(full, module, world):
            found.add(bound)
        if f"{bound}." in module.text:
            found |= _givers_of(f"{full}.{member}" if member else full, module, world)
    return frozenset(found)


def _givers_of(name: str, importer: Module, world: World) -> frozenset[str]:
    target = world.find(name, importer) if world.speaks(name, importer) else None
    if target is None or _ENDING not in target.text:
        return frozenset()
    note(target.key, "version", "", target)
    return _own_givers(target)


def _own_givers(module: Module) -> frozenset[str]:
    known: frozenset[str] | None = module.__dict__.get("_givers")
    if known is None:
        nodes = (path[-1] for block in module.blocks for path, _ in _changes(block) if path)
        known = frozenset(n.name for n in nodes if not isinstance(n, ast.ClassDef) and _own_changes(n))
        module.__dict__["_givers"] = known
    return known


def _own_changes(node: FunctionNode) -> list[Mutation]:
    """What a function does to the tools of its parameters."""
    names = {f"{row.arg}{_ENDING}" for row in parameters(node)}
    own = body_namespace(node).mutations
    return [change for name in names & own.keys() for change in own[name] if change.how in _WAYS]


@per_block
def _changes(block: Block) -> list[tuple[tuple[DefNode, ...], Mutation]]:
    """`x.tools.append(f)`, `x.tools += fs` and `x.tools = fs` in a block."""
    if _ENDING not in block.text or block.tree is None:
        return []
    rows: list[tuple[tuple[DefNode, ...], Mutation]]
    rows = [((), each) for some in block_namespace(block).mutations.values() for each in some]
    rows += [(each.path, each.change) for each in changes_in(block.tree, ways=_WAYS)]
    return [row for row in rows if row[1].name.endswith(_ENDING) and row[1].how in _WAYS]


def _target(change: Mutation) -> ast.expr:
    """The agent in `shop.root_agent.tools`."""
    first, *rest = change.name.removesuffix(_ENDING).split(".")
    node: ast.expr = ast.copy_location(ast.Name(id=first, ctx=ast.Load()), change.node)
    for name in rest:
        node = ast.copy_location(ast.Attribute(value=node, attr=name, ctx=ast.Load()), change.node)
    return node


def _added(change: Mutation, scope: Scope, world: World) -> Value:
    if change.how == "set":
        return evaluate(change.value, scope, world)
    return mutated(Sequence(()), [(scope, change)], world)


def _agents(
    target: Value, path: tuple[DefNode, ...], change: Mutation, scope: Scope, world: World
) -> Iterator[Agent | None]:
    name = change.name.removesuffix(_ENDING).rpartition(".")[2]
    for option in target.options if isinstance(target, Either) else (target,):
        if isinstance(option, Unknown):
            if path and _is_given_agent(path[-1], name, scope, world):
                yield None
            continue
        made = creation_of(Item(option, ast.Name(id=name, ctx=ast.Load()), scope))
        agent = None if made is None else described(Creation(made.call, made.scope, name), world)
        if agent is not None:
            yield agent


def _is_given_agent(node: DefNode, name: str, scope: Scope, world: World) -> bool:
    """Whether a name is a parameter that is annotated as an agent."""
    if isinstance(node, ast.ClassDef):
        return False
    annotation = next((row.annotation for row in parameters(node) if row.arg == name), None)
    if annotation is None:
        return False
    value = evaluate(annotation, scope.parent or Scope(scope.module, scope.block), world)
    return isinstance(value, External) and is_agent(value.name)
