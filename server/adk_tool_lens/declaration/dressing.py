"""What the `__init__` of a callable object makes it look like: the function that it stands for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import syntax, values
from adk_tool_lens.declaration.frames import LAST, Frame
from adk_tool_lens.discovery.attributes import method_scope
from adk_tool_lens.discovery.evaluate import class_member, evaluate
from adk_tool_lens.discovery.module import FunctionNode, body_namespace
from adk_tool_lens.discovery.values import Bound, Const, External, Instance, Scope

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

_ATTRIBUTES = (
    "__doc__",
    "__name__",
    "__signature__",
    "__annotations__",
    "__wrapped__",
    "__dict__",
    "__class__",
)
_OF_CLASS = ("__name__", "__signature__", "__annotations__", "__wrapped__", "__getattr__", "__getattribute__")
"""What a class may say in place of its instances."""


def dressed(w: Writer, value: Instance, made: ast.expr, into: Frame) -> ast.expr:
    """The object after its `__init__`: `functools.update_wrapper(self, f)`, `self.__name__ = "x"`."""
    _note_class(w, value)
    init = class_member(value.cls, "__init__", w.world, value)
    if not isinstance(init, Bound) or not init.function.node.args.args:
        return made
    node = init.function.node
    scope = method_scope(init.function.owner or value.cls, node, value, w.world)
    for wrapped in _wrapped(node, scope, w):
        # `wraps(f)(made)` is what `update_wrapper(made, f)` does.
        wraps = into.module.fresh("wraps")
        function = values.write(w, evaluate(wrapped, scope, w.world), into)
        call = ast.Call(values.external("functools.wraps", into), [function], [])
        into.module.add(LAST, ast.Assign([syntax.target(wraps)], call))
        made = ast.Call(syntax.name(wraps), [made], [])
    return _with_attributes(w, node, scope, made, into)


def _note_class(w: Writer, value: Instance) -> None:
    """Says so when a class gives its instances another name or signature."""
    for name in _OF_CLASS:
        if class_member(value.cls, name, w.world, value) is not None:
            reason = f"`{value.cls.node.name}.{name}` may change what the object looks like"
            w.approximate(reason, value.scope, value.call)


def _wrapped(node: FunctionNode, scope: Scope, w: Writer) -> Iterator[ast.expr]:
    receiver = node.args.args[0].arg
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Call(func=func, args=[ast.Name(id=name), wrapped, *_])):
                callee = evaluate(func, scope, w.world) if name == receiver else None
                if isinstance(callee, External) and callee.name == "functools.update_wrapper":
                    yield wrapped


def _with_attributes(w: Writer, node: FunctionNode, scope: Scope, made: ast.expr, into: Frame) -> ast.expr:
    receiver = node.args.args[0].arg
    mutations = body_namespace(node).mutations
    found = [
        (attribute, change)
        for attribute in _ATTRIBUTES
        for change in mutations.get(f"{receiver}.{attribute}", ())
        if change.how != "update_wrapper"
    ]
    if not found:
        return made
    name = into.module.fresh("object")
    into.module.add(LAST, ast.Assign([syntax.target(name)], made))
    for attribute, change in found:
        known = evaluate(change.value, scope, w.world)
        if isinstance(known, Const) and attribute in {"__doc__", "__name__"} and not change.guards:
            target = ast.Attribute(syntax.name(name), attribute, ast.Store())
            into.module.add(LAST, ast.Assign([target], syntax.constant(known.value)))
        else:
            w.approximate(f"`{receiver}.{attribute}` is set when the code runs", scope, change.value)
    return syntax.name(name)
