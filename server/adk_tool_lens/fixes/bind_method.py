"""Takes a method from an object instead of its class: `tools=[Shop.find]` becomes `tools=[Shop().find]`.

Where the module has an object of the class already, that one is used.
"""

from __future__ import annotations

import ast

from adk_tool_lens.discovery.attributes import class_member
from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.discovery.values import Bound, Class, Instance
from adk_tool_lens.discovery.world import World, evaluate
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair
from adk_tool_lens.fixes.nodes import exactly, local_names, scope_at


def repair(case: Case) -> Repair | None:
    """The edits; None when there is no object and none can be created without arguments."""
    place = case.place
    module = case.module_of(place) if place is not None else None
    node = exactly(place, ast.Attribute) if place is not None else None
    if place is None or module is None or node is None:
        return None
    cls = evaluate(node.value, scope_at(module, place), case.world)
    if not isinstance(cls, Class):
        return None
    name = _object_of(cls, module, place, case.world)
    if name is None and not creatable(cls, case.world):
        return None
    text = name or f"{ast.unparse(node.value)}()"
    where = Place(place.path, place.block, place.block.span(node.value))
    return Repair(f"Pass {text}.{node.attr}, a bound method", (PlacedEdit(where, text),), safe=False)


def _object_of(cls: Class, module: Module, at: Place, world: World) -> str | None:
    """A module-level name, bound once and above, that holds an object of a class."""
    hidden = local_names(at)
    inside = bool(hidden)
    for name, pairs in module.bindings.items():
        if name in hidden or len(pairs) != 1 or pairs[0][1].guards:
            continue
        block, binding = pairs[0]
        above = module.starts[block] < module.starts[at.block] or inside
        if above and isinstance(binding.value, ast.Call):
            where = Place(module.path, block, block.span(binding.value))
            value = evaluate(binding.value, scope_at(module, where), world)
            if isinstance(value, Instance) and value.cls.node is cls.node:
                return name
    return None


def creatable(cls: Class, world: World) -> bool:
    """Whether `Class()` works, as far as its text tells."""
    if cls.node.keywords or cls.node.decorator_list:
        return False
    init = class_member(cls, "__init__", world, Instance(cls, None, cls.scope))
    if init is None:
        return not cls.node.bases
    if not isinstance(init, Bound):
        return False
    arguments = init.function.node.args
    required = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return required <= 1 and all(default is not None for default in arguments.kw_defaults)
