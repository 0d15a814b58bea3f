"""Copies tool objects into a stub: `FunctionTool(f)`, `partial(f, x=1)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import agents, classes, decorating, dressing, syntax, values
from adk_tool_lens.declaration.frames import LAST, Frame, OpaqueError
from adk_tool_lens.declaration.hashing import is_unhashable
from adk_tool_lens.discovery.attributes import method_scope
from adk_tool_lens.discovery.evaluate import class_member, evaluate
from adk_tool_lens.discovery.facts import external_bases
from adk_tool_lens.discovery.find import FUNCTION_TOOLS, wrapped_function
from adk_tool_lens.discovery.module import FunctionNode
from adk_tool_lens.discovery.values import Bound, Called, Const, Function, Instance, Scope

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer


_READ = ("func", "_ignore_params", "_get_declaration", "_spec")
"""What `FunctionTool._get_declaration` reads of itself (google-adk 1.18 to 2.13)."""


def called(w: Writer, value: Called, into: Frame) -> ast.expr:
    """`FunctionTool(f)`, `partial(f, x=1)`: the function and what changes its declaration."""
    full = value.callee.name
    last = full.rpartition(".")[2]
    if full == "functools.partial":
        return _partial(w, value, into)
    if last in FUNCTION_TOOLS:
        return _function_tool(w, full, value.call, value.scope, into)
    if last == "AgentTool":
        agents.note_changes(w, value.call, value.scope, ("agent", "_get_declaration"))
        return agents.agent_tool(w, value, into)
    raise OpaqueError(f"`{last}` makes its declaration when the code runs")


def _function_tool(w: Writer, full: str, call: ast.Call, scope: Scope, into: Frame) -> ast.expr:
    """google-adk's class around the function that it is given."""
    last = full.rpartition(".")[2]
    target = wrapped_function(call, scope, w.world)
    if target is None:
        raise OpaqueError(f"the function given to `{last}` is not known")
    agents.note_changes(w, call, scope, _READ)
    if isinstance(target, Function) and any(target is given for given in scope.arguments.values()):
        # `@FunctionTool` over a function: what it is given is what the decorators below make of it.
        target, _ = decorating.decorated(w, target, below=decorating.maker(w, target, call))
    inner = values.write(w, target, into)
    return ast.Call(values.external(full, into), [], [ast.keyword("func", inner)])


def _partial(w: Writer, value: Called, into: Frame) -> ast.expr:
    call, scope = value.call, value.scope
    if not call.args:
        raise OpaqueError("`partial` is given no function")
    target = values.write(w, evaluate(call.args[0], scope, w.world), into)
    positional = [_partial_argument(w, arg, scope, into) for arg in call.args[1:]]
    keywords = [
        ast.keyword(k.arg, _partial_argument(w, k.value, scope, into)) for k in call.keywords if k.arg
    ]
    return ast.Call(values.external("functools.partial", into), [target, *positional], keywords)


def _partial_argument(w: Writer, node: ast.expr, scope: Scope, into: Frame) -> ast.expr:
    try:
        return values.given(w, node, scope, into)
    except OpaqueError as opaque:
        text = ast.unparse(node)
        w.approximate(f"the value `{text[:80]}` is not known: {opaque.reason}", scope, node)
        return ast.Constant(None)


def instance(w: Writer, value: Instance, into: Frame) -> ast.expr:
    """A callable object, or a subclass of `FunctionTool` around its function."""
    names = {name.rpartition(".")[2] for name in external_bases(value.cls, w.world)}
    if names & FUNCTION_TOOLS:
        return _wrapper(w, value, into)
    method = class_member(value.cls, "__call__", w.world, value)
    if not isinstance(method, Bound):
        raise OpaqueError(f"`{value.cls.node.name}` is not callable")
    owner = values.host_frame(w, method.function.owner or value.cls, typed=False)
    classes.add_method(w, owner, method.function, "__call__")
    values.note_changes(w, decorating.assigned(w, method.function), method.function, "__call__")
    _note_made_docstring(w, value)
    _take_hash(w, value)
    classes.add_inherited(w, value.cls, method.function)
    if value.call is not None:
        agents.note_changes(
            w, value.call, value.scope, ("__doc__", "__name__", "__signature__", "__wrapped__")
        )
    made = ast.Call(values.class_expression(w, value.cls, into, typed=False), [], [])
    return dressing.dressed(w, value, made, into)


def _take_hash(w: Writer, value: Instance) -> None:
    """Gives the host of `__call__` the `__hash__ = None` that the class itself has."""
    host = values.host_frame(w, value.cls, typed=False)
    if "__hash__" not in host.needed and is_unhashable(value.cls, w.world):
        host.needed["__hash__"] = None
        host.add(LAST, ast.Assign([syntax.target("__hash__")], ast.Constant(None)))


def _note_made_docstring(w: Writer, value: Instance) -> None:
    """A named tuple without a docstring is given one."""
    made = any(name.endswith(".NamedTuple") for name in external_bases(value.cls, w.world))
    if made and not syntax.docstring(value.cls.node):
        reason = f"the docstring of `{value.cls.node.name}` is made when the code runs"
        w.approximate(reason, value.scope, value.call)


def _wrapper(w: Writer, value: Instance, into: Frame) -> ast.expr:
    """`class MyTool(FunctionTool)`: google-adk's class around the function that it is given."""
    if value.call is None:
        raise OpaqueError(f"`{value.cls.node.name}` is given no function")
    _note_overrides(w, value)
    agents.note_changes(w, value.call, value.scope, _READ)
    full = next(n for n in external_bases(value.cls, w.world) if n.rpartition(".")[2] in FUNCTION_TOOLS)
    init = class_member(value.cls, "__init__", w.world, value)
    if not isinstance(init, Bound):
        return _function_tool(w, full, value.call, value.scope, into)
    scope = method_scope(init.function.owner or value.cls, init.function.node, value, w.world)
    call = _super_call(init.function.node)
    if call is None:
        raise OpaqueError(f"`{value.cls.node.name}.__init__` makes the tool when it runs")
    if _does_more(init.function.node):
        reason = f"`{value.cls.node.name}.__init__` may change the tool when it runs"
        w.approximate(reason, value.scope, value.call)
    return _function_tool(w, full, call, scope, into)


def _note_overrides(w: Writer, value: Instance) -> None:
    """Says so when a subclass of `FunctionTool` replaces what the declaration is made with."""
    for name in (*_READ, "__new__", "__getattribute__", "_api_variant"):
        member = class_member(value.cls, name, w.world, value)
        if member is not None and not isinstance(member, Const):
            w.approximate(f"`{value.cls.node.name}.{name}` decides when it runs", value.scope, value.call)


def _super_call(node: FunctionNode) -> ast.Call | None:
    """`super().__init__(...)` in the body of an `__init__`."""
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Call(), attr="__init__")) as call):
                return call
    return None


def _does_more(node: FunctionNode) -> bool:
    """Whether an `__init__` does anything beside calling its base's and keeping values of its own."""
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Constant() | ast.Call(func=ast.Attribute(attr="__init__"))):
                continue
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=attr)]):
                if attr in {"name", "description", "func"} or attr.startswith("_ignore"):
                    return True
            case ast.AnnAssign(target=ast.Attribute()) | ast.Pass():
                continue
            case _:
                return True
    return False
