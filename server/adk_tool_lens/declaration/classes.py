"""Writes skeletons of classes into a stub: as types with bases and fields, or as hosts of methods."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import expressions, hints, signatures, syntax, values
from adk_tool_lens.declaration.frames import Frame, OpaqueError, order_of
from adk_tool_lens.discovery.evaluate import bases, class_member, evaluate
from adk_tool_lens.discovery.facts import external_bases
from adk_tool_lens.discovery.find import FUNCTION_TOOLS, wrapped_function
from adk_tool_lens.discovery.module import FunctionNode
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    External,
    Function,
    Instance,
    Scope,
)

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

_HOOKS = frozenset(
    {
        "__get_pydantic_core_schema__",
        "__get_pydantic_json_schema__",
        "__modify_schema__",
        "__new__",
        "_generate_next_value_",
    }
)
"""Methods that may change a class's schema when they run."""
_SCHEMA_DECORATORS = ("dataclasses.dataclass", "pydantic.dataclasses.dataclass")
_PLAIN_BASES = frozenset({"builtins.object", "abc.ABC"})


def _class(frame: Frame) -> Class:
    assert isinstance(frame.scope.node, ast.ClassDef)  # noqa: S101
    around = frame.scope.parent or Scope(frame.scope.module, frame.scope.block)
    return Class(frame.scope.node, around)


def begin(w: Writer, frame: Frame) -> None:
    """A class frame as a host of methods: its docstring and the project's bases, for theirs."""
    cls = _class(frame)
    frame.needed[cls.node.name] = None
    if frame.parent is not None:
        frame.parent.needed.setdefault(cls.node.name, None)
    for statement in syntax.docstring(cls.node):
        frame.add((-1, 0, 0), statement)
    for base in list(bases(cls, w.world))[1:]:
        if isinstance(base, Class) and base.scope.node is None and frame.shell is not None:
            assert isinstance(frame.shell, ast.ClassDef)  # noqa: S101
            frame.shell.bases.append(values.class_expression(w, base, frame.module, typed=False))


def make_typed(w: Writer, frame: Frame) -> None:
    """Gives a class frame its bases, keywords, decorators and fields, once."""
    if frame.typed:
        return
    frame.typed = True
    cls = _class(frame)
    shell = frame.shell
    assert isinstance(shell, ast.ClassDef)  # noqa: S101
    assert frame.parent is not None  # noqa: S101
    syntax.set_type_params(shell, signatures.type_params(w, cls.node, frame))
    shell.bases = _bases(w, cls, frame.parent)
    shell.keywords = _keywords(w, cls, frame.parent)
    shell.decorator_list = _decorators(w, cls, frame.parent)
    matters = bool(shell.decorator_list) or any(
        name not in _PLAIN_BASES for name in external_bases(cls, w.world)
    )
    for node in cls.node.body:
        _field(w, node, cls, frame, matters=matters)


def _bases(w: Writer, cls: Class, parent: Frame) -> list[ast.expr]:
    copies = (_base(w, base, cls, parent) for base in cls.node.bases)
    return [copy for copy in copies if copy is not None]


def _base(w: Writer, base: ast.expr, cls: Class, parent: Frame) -> ast.expr | None:
    try:
        return hints.base(w, base, cls.scope, parent)
    except OpaqueError as opaque:
        text = ast.unparse(base)
        reason = f"the base class `{text}` of `{cls.node.name}` is left out: {opaque.reason}"
        w.approximate(reason, cls.scope, base)
        return None


def _keywords(w: Writer, cls: Class, parent: Frame) -> list[ast.keyword]:
    copies = (_keyword(w, keyword, cls, parent) for keyword in cls.node.keywords)
    return [copy for copy in copies if copy is not None]


def _keyword(w: Writer, keyword: ast.keyword, cls: Class, parent: Frame) -> ast.keyword | None:
    try:
        return ast.keyword(keyword.arg, expressions.expression(w, keyword.value, parent))
    except OpaqueError as opaque:
        reason = f"`{keyword.arg}=` of `{cls.node.name}` is left out: {opaque.reason}"
        w.approximate(reason, cls.scope, keyword.value)
        return None


def _decorators(w: Writer, cls: Class, parent: Frame) -> list[ast.expr]:
    copies = []
    for decorator in cls.node.decorator_list:
        callee = evaluate(decorator, cls.scope, w.world)
        name = callee.name if isinstance(callee, External) else ""
        if isinstance(callee, Called):
            name = callee.callee.name
        if name in _SCHEMA_DECORATORS:
            copies.append(expressions.expression(w, decorator, parent))
        elif not name.startswith(("enum.", "functools.", "typing.", "abc.")):
            text = ast.unparse(decorator)
            reason = f"what `@{text}` makes of `{cls.node.name}` is only known when the code runs"
            w.approximate(reason, cls.scope, decorator)
    return copies


def _field(w: Writer, node: ast.stmt, cls: Class, frame: Frame, *, matters: bool) -> None:
    order = order_of(cls.scope.module, cls.scope.block, node)
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=written, value=value):
            frame.needed[name] = None
            copy = hints.hint(w, written, cls.scope, frame)
            default = None if value is None else _value(w, name, value, cls, frame, matters=matters)
            target = syntax.target(name)
            frame.add(order, ast.AnnAssign(target=target, annotation=copy, value=default, simple=1))
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            default = _value(w, name, value, cls, frame, matters=matters)
            if default is not None:
                frame.needed[name] = None
                frame.add(order, ast.Assign([syntax.target(name)], default))
        case ast.ClassDef(name="Config"):
            values.host_frame(w, Class(node, frame.scope), typed=True)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            _method_of_type(w, node, name, cls, matters=matters)


def _value(  # noqa: PLR0913 - one field
    w: Writer, name: str, node: ast.expr, cls: Class, frame: Frame, *, matters: bool
) -> ast.expr | None:
    try:
        return expressions.expression(w, node, frame)
    except OpaqueError as opaque:
        if not matters:
            return None
        reason = f"`{cls.node.name}.{name}` is not known: {opaque.reason}"
        w.approximate(reason, cls.scope, node)
        return ast.Constant(f"<{ast.unparse(node)[:80]}>")


def _method_of_type(w: Writer, node: FunctionNode, name: str, cls: Class, *, matters: bool) -> None:
    if not matters:
        return
    plain = any(
        isinstance(decorator, ast.Call)
        and "validator" in ast.unparse(decorator.func)
        and any(k.arg == "mode" and ast.unparse(k.value) == "'plain'" for k in decorator.keywords)
        for decorator in node.decorator_list
    )
    if name in _HOOKS or plain:
        reason = f"`{cls.node.name}.{name}` may change the schema when it runs"
        w.approximate(reason, cls.scope, node)


def add_method(w: Writer, host: Frame, function: Function) -> None:
    """Puts a method's skeleton into its class."""
    name = function.node.name
    if f"{name}()" in host.needed:
        return
    host.needed[f"{name}()"] = None
    order = order_of(function.scope.module, function.scope.block, function.node)
    host.add(order, signatures.function(w, function, host))


def add_init(w: Writer, host: Frame) -> None:
    """The signature of `__init__`, for a class that is itself handed over as a tool."""
    cls = _class(host)
    member = class_member(cls, "__init__", w.world, Instance(cls, None, cls.scope))
    if isinstance(member, Bound) and member.function.owner is not None:
        owner = values.host_frame(w, member.function.owner, typed=True)
        add_method(w, owner, member.function)


def instance(w: Writer, value: Instance, into: Frame) -> ast.expr:
    """A callable object, or a subclass of `FunctionTool` around its function."""
    names = {name.rpartition(".")[2] for name in external_bases(value.cls, w.world)}
    if names & FUNCTION_TOOLS:
        return _wrapper(w, value, into)
    method = class_member(value.cls, "__call__", w.world, value)
    if not isinstance(method, Bound):
        raise OpaqueError(f"`{value.cls.node.name}` is not callable")
    owner = values.host_frame(w, method.function.owner or value.cls, typed=False)
    add_method(w, owner, method.function)
    return ast.Call(values.class_expression(w, value.cls, into, typed=False), [], [])


def _wrapper(w: Writer, value: Instance, into: Frame) -> ast.expr:
    """`class MyTool(FunctionTool)`: google-adk's class around the function that it is given."""
    if value.call is None:
        raise OpaqueError(f"`{value.cls.node.name}` is given no function")
    target = wrapped_function(value.call, value.scope, w.world)
    if target is None:
        raise OpaqueError(f"the function given to `{value.cls.node.name}` is not known")
    full = next(n for n in external_bases(value.cls, w.world) if n.rpartition(".")[2] in FUNCTION_TOOLS)
    init = class_member(value.cls, "__init__", w.world, value)
    if isinstance(init, Bound):
        reason = f"`{value.cls.node.name}.__init__` may change the tool when it runs"
        w.approximate(reason, value.scope, value.call)
    inner = values.write(w, target, into)
    return ast.Call(values.external(full, into), [], [ast.keyword("func", inner)])


def note_code(w: Writer, cls: Class, node: ast.AST, frame: Frame) -> None:
    """Says so when making an instance runs code of the project."""
    for name in ("__init__", "__post_init__", "model_post_init"):
        member = class_member(cls, name, w.world, Instance(cls, None, cls.scope))
        if isinstance(member, Bound):
            reason = f"`{cls.node.name}.{name}` runs when the instance is made"
            w.approximate(reason, frame.scope, node)
