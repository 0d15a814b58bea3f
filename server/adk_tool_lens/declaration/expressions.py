"""Copies expressions, signatures and assignments into a stub, by whitelist."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import classes
from adk_tool_lens.declaration.frames import Frame, OpaqueError
from adk_tool_lens.declaration.worker import is_allowed_module, is_allowed_name
from adk_tool_lens.discovery.evaluate import bases, class_member, evaluate
from adk_tool_lens.discovery.find import FUNCTION_TOOLS, wrapped_function
from adk_tool_lens.discovery.module import Binding
from adk_tool_lens.discovery.values import (
    Called,
    Class,
    Const,
    Dictionary,
    External,
    Function,
    Lambda,
    ModuleRef,
    Scope,
    Sequence,
    Value,
)

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

_RUN_TIME = frozenset("now utcnow today uuid1 uuid4 cwd home fromtimestamp time".split())
"""Methods of allowed libraries whose answer differs from run to run."""
_STAND_INS: dict[str, object] = {"str": "", "int": 0, "float": 0.0, "bool": False}
_EMPTY = frozenset({"list", "dict", "set", "tuple", "frozenset", "str", "int", "float", "bool"})
_KEPT = frozenset({"staticmethod", "classmethod"})


def no_arguments() -> ast.arguments:
    """The parameter list `()`."""
    return ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )


# ---------------------------------------------------------------- functions


def function(w: Writer, value: Function, frame: Frame) -> ast.stmt:
    """The skeleton of a function: decorators that are kept, signature, docstring."""
    node = value.node
    copy = type(node)(
        name=node.name,
        args=arguments(w, node.args, value.scope, frame),
        body=[*docstring(node), *_marker(node)],
        decorator_list=list(_decorators(w, value, frame)),
        returns=None
        if node.returns is None
        else annotation(w, node.returns, value.scope, _annotation_frame(frame)),
    )
    copy.type_params = type_params(w, node, frame)  # type: ignore[attr-defined, unused-ignore]
    return copy


def docstring(node: ast.AST) -> list[ast.stmt]:
    match node:
        case (
            ast.FunctionDef(body=[first, *_])
            | ast.AsyncFunctionDef(body=[first, *_])
            | ast.ClassDef(body=[first, *_])
        ):
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                if isinstance(first.value.value, str):
                    return [ast.Expr(ast.Constant(first.value.value))]
    return []


def _marker(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    """`yield` for a generator, `...` otherwise."""
    todo: list[ast.AST] = list(node.body)
    while todo:
        current = todo.pop()
        if isinstance(current, ast.Yield | ast.YieldFrom):
            return [ast.Expr(ast.Yield(None))]
        if not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(current))
    return [ast.Expr(ast.Constant(...))]


def _decorators(w: Writer, value: Function, frame: Frame) -> list[ast.expr]:
    kept: list[ast.expr] = []
    for decorator in value.node.decorator_list:
        callee = evaluate(decorator, value.scope, w.world)
        match callee:
            case External(name=name) if name.rpartition(".")[2] in _KEPT:
                kept.append(ast.Name(id=name.rpartition(".")[2], ctx=ast.Load()))
            case Called(callee=External(name="functools.wraps"), call=call):
                kept.append(expression(w, call, frame))
    return kept


def type_params(w: Writer, node: ast.AST, frame: Frame) -> list[ast.AST]:
    """PEP 695 parameters with their bounds."""
    copies: list[ast.AST] = []
    for parameter in getattr(node, "type_params", ()):
        frame.needed.setdefault(parameter.name, None)
        bound = getattr(parameter, "bound", None)
        extra = {} if bound is None else {"bound": annotation(w, bound, frame.scope, frame)}
        copies.append(type(parameter)(name=parameter.name, **extra))
    return copies


def _annotation_frame(frame: Frame) -> Frame:
    """Where annotations of functions are read: postponed ones see the module's names only."""
    return frame.module if frame.scope.module.postponed else frame


def arguments(w: Writer, node: ast.arguments, scope: Scope, frame: Frame) -> ast.arguments:
    """A parameter list with annotations and defaults."""

    def parameter(arg: ast.arg) -> ast.arg:
        if arg.annotation is None:
            return ast.arg(arg.arg)
        where = _annotation_frame(frame)
        return ast.arg(arg.arg, annotation(w, arg.annotation, scope, where))

    positional = [*node.posonlyargs, *node.args]
    with_default = positional[len(positional) - len(node.defaults) :]
    return ast.arguments(
        posonlyargs=[parameter(arg) for arg in node.posonlyargs],
        args=[parameter(arg) for arg in node.args],
        vararg=parameter(node.vararg) if node.vararg else None,
        kwonlyargs=[parameter(arg) for arg in node.kwonlyargs],
        kw_defaults=[
            None if default is None else _default(w, arg, default, scope, frame)
            for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)
        ],
        kwarg=parameter(node.kwarg) if node.kwarg else None,
        defaults=[
            _default(w, arg, default, scope, frame)
            for arg, default in zip(with_default, node.defaults, strict=True)
        ],
    )


def _default(w: Writer, arg: ast.arg, node: ast.expr, scope: Scope, frame: Frame) -> ast.expr:
    try:
        return expression(w, node, frame)
    except OpaqueError as opaque:
        text = ast.unparse(node)
        reason = f"the default of `{arg.arg}`, `{text[:80]}`, is not known: {opaque.reason}"
        w.approximate(reason, scope, node)
        return _stand_in(arg, text)


def _stand_in(arg: ast.arg, text: str) -> ast.expr:
    """What is shown for a default that cannot be known: of the annotated type where that is plain."""
    name = arg.annotation.id if isinstance(arg.annotation, ast.Name) else ""
    if name == "str":
        return ast.Constant(f"<{text[:80]}>")
    return ast.Constant(_STAND_INS.get(name))


def lambda_(w: Writer, node: ast.Lambda, frame: Frame) -> ast.expr:
    """A lambda with its signature and nothing in it."""
    return ast.Lambda(args=arguments(w, node.args, frame.scope, frame), body=ast.Constant(None))


# ---------------------------------------------------------------- annotations


def annotation(w: Writer, node: ast.expr, scope: Scope, frame: Frame) -> ast.expr:
    """An annotation; parts that cannot be part of a stub become `Any`, and the preview says so."""
    match node:
        case ast.Constant(value=str(text)):
            return _quoted(w, text, scope, frame)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return ast.BinOp(
                annotation(w, left, scope, frame), ast.BitOr(), annotation(w, right, scope, frame)
            )
        case ast.Subscript():
            return _subscript(w, node, scope, frame)
        case ast.List(elts=elts):
            return ast.List([annotation(w, part, scope, frame) for part in elts], ast.Load())
        case ast.Starred(value=value):
            return ast.Starred(annotation(w, value, scope, frame), ast.Load())
    try:
        return expression(w, node, frame)
    except OpaqueError as opaque:
        text = ast.unparse(node)
        w.approximate(f"the type `{text[:80]}` is not known: {opaque.reason}", scope, node)
        return w.external("typing.Any", frame)


def annotation_base(w: Writer, node: ast.expr, scope: Scope, frame: Frame) -> ast.expr:
    """A base class, with its type arguments.

    Raises:
        OpaqueError: it cannot be part of a stub.
    """
    if isinstance(node, ast.Subscript):
        expression(w, node.value, frame)
        return _subscript(w, node, scope, frame)
    return expression(w, node, frame)


def _quoted(w: Writer, text: str, scope: Scope, frame: Frame) -> ast.expr:
    """`x: "list[Node]"`: a text that typing reads as code, so it is read the same way here."""
    try:
        inner = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Constant(text)
    copy = annotation(w, inner, scope, frame.module)
    return ast.Constant(ast.unparse(ast.fix_missing_locations(ast.Expression(copy))))


def _subscript(w: Writer, node: ast.Subscript, scope: Scope, frame: Frame) -> ast.expr:
    base = annotation(w, node.value, scope, frame)
    callee = evaluate(node.value, frame.scope, w.world)
    form = callee.name.rpartition(".")[2] if isinstance(callee, External) else ""
    if form == "Literal":
        return ast.Subscript(base, expression(w, node.slice, frame), ast.Load())
    match node.slice:
        case ast.Tuple(elts=[first, *rest]) if form == "Annotated":
            parts = [annotation(w, first, scope, frame)]
            parts += [copy for part in rest for copy in _metadata(w, part, scope, frame)]
            if len(parts) == 1:
                return parts[0]
            return ast.Subscript(base, ast.Tuple(parts, ast.Load()), ast.Load())
        case ast.Tuple(elts=elts):
            inner = [annotation(w, part, scope, frame) for part in elts]
            return ast.Subscript(base, ast.Tuple(inner, ast.Load()), ast.Load())
    return ast.Subscript(base, annotation(w, node.slice, scope, frame), ast.Load())


def _metadata(w: Writer, node: ast.expr, scope: Scope, frame: Frame) -> list[ast.expr]:
    try:
        return [expression(w, node, frame)]
    except OpaqueError as opaque:
        text = ast.unparse(node)
        w.approximate(f"`{text[:80]}` is left out: {opaque.reason}", scope, node)
        return []


# ---------------------------------------------------------------- expressions


def expression(w: Writer, node: ast.expr, frame: Frame) -> ast.expr:
    """A copy of an expression.

    Raises:
        OpaqueError: it is not of the kinds that a stub may hold, and no constant either.
    """
    try:
        return _expression(w, node, frame)
    except OpaqueError:
        known = _literal(evaluate(node, frame.scope, w.world))
        if known is None:
            raise
        return known


def _literal(value: Value) -> ast.expr | None:
    """The literal for a value that is known from the text."""
    match value:
        case Const(value=constant):
            return ast.parse(repr(constant), mode="eval").body if constant is not ... else None
        case Sequence(items=items, gaps=(), kind=kind):
            parts = [_literal(item.value) for item in items]
            if all(part is not None for part in parts):
                elts = [part for part in parts if part is not None]
                if kind == "set":
                    return ast.Set(elts) if elts else None
                return ast.Tuple(elts, ast.Load()) if kind == "tuple" else ast.List(elts, ast.Load())
        case Dictionary(items=items, gaps=()):
            values = [_literal(item.value) for _, item in items]
            if all(v is not None for v in values) and all(isinstance(k, str | int) for k, _ in items):
                return ast.Dict(
                    [ast.Constant(k) for k, _ in items],  # type: ignore[arg-type]
                    [v for v in values if v is not None],
                )
    return None


def _expression(w: Writer, node: ast.expr, frame: Frame) -> ast.expr:  # noqa: C901 - one table
    match node:
        case ast.Constant():
            return ast.Constant(node.value)
        case ast.Name(id=name):
            w.need(name, frame)
            return ast.Name(id=name, ctx=ast.Load())
        case ast.Attribute():
            return _attribute(w, node, frame)
        case ast.Call():
            return _call(w, node, frame)
        case ast.Subscript(value=value, slice=index):
            return ast.Subscript(expression(w, value, frame), expression(w, index, frame), ast.Load())
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return type(node)([expression(w, part, frame) for part in elts], ast.Load())
        case ast.Set(elts=elts):
            return ast.Set([expression(w, part, frame) for part in elts])
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return ast.Dict(
                [expression(w, key, frame) for key in keys if key is not None],
                [expression(w, value, frame) for value in values],
            )
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=ast.Constant() as inner):
            return ast.UnaryOp(node.op, ast.Constant(inner.value))
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return ast.BinOp(expression(w, left, frame), ast.BitOr(), expression(w, right, frame))
        case ast.Lambda(args=args):
            return ast.Lambda(_names_only(args), ast.Constant(None))
    raise OpaqueError(f"`{ast.unparse(node)[:80]}` is worked out when the code runs")


def _names_only(args: ast.arguments) -> ast.arguments:
    copy = no_arguments()
    copy.args = [ast.arg(arg.arg) for arg in (*args.posonlyargs, *args.args)]
    return copy


def _is_enum(w: Writer, value: Value) -> bool:
    return isinstance(value, Class) and any(
        isinstance(base, External) and base.name.startswith("enum.") for base in bases(value, w.world)
    )


def _attribute(w: Writer, node: ast.Attribute, frame: Frame) -> ast.expr:
    base = evaluate(node.value, frame.scope, w.world)
    if node.attr in {"value", "name"} and isinstance(node.value, ast.Attribute):
        owner = evaluate(node.value.value, frame.scope, w.world)
        if _is_enum(w, owner):
            return ast.Attribute(expression(w, node.value, frame), node.attr, ast.Load())
    match base:
        case ModuleRef(module=module):
            return w.member(module, node.attr, frame)
        case External(name=name):
            return _external_attribute(w, node, name, frame)
        case Class():
            member = class_member(base, node.attr, w.world, base)
            if _is_enum(w, base) or isinstance(member, Class):
                copy = ast.Attribute(expression(w, node.value, frame), node.attr, ast.Load())
                if isinstance(member, Class):
                    w.host_frame(member, typed=True)
                return copy
    raise OpaqueError(f"`{ast.unparse(node)[:80]}` is only known when the code runs")


def _external_attribute(w: Writer, node: ast.Attribute, name: str, frame: Frame) -> ast.expr:
    """`datetime.date` after `import datetime`; a module reached through a package is imported anew."""
    if is_allowed_module(name):
        if not is_allowed_name(name, node.attr):
            raise OpaqueError(f"`{name}.{node.attr}` is not run for a preview")
        return w.external(f"{name}.{node.attr}", frame)
    if is_allowed_module(f"{name}.{node.attr}"):
        raise OpaqueError(f"`{name}.{node.attr}` is a module")
    return ast.Attribute(expression(w, node.value, frame), node.attr, ast.Load())


def _call(w: Writer, node: ast.Call, frame: Frame) -> ast.expr:
    callee = evaluate(node.func, frame.scope, w.world)
    match callee:
        case External(name="builtins.object") if not node.args:
            return _object(w, frame)
        case External(name=name):
            return _library_call(w, node, name, frame)
        case Class():
            classes.note_code(w, callee, node, frame)
            func = expression(w, node.func, frame)
            return ast.Call(func, *_call_arguments(w, node, frame))
        case Function() | Lambda():
            pass
    text = ast.unparse(node.func)
    raise OpaqueError(f"it calls `{text[:80]}`, which is not run for a preview")


def _object(w: Writer, frame: Frame) -> ast.expr:
    """`object()` as a marker: an instance of an empty class serves as well."""
    name = frame.module.fresh("object")
    shell = ast.ClassDef(name, [], [], [ast.Pass()], [])
    shell.type_params = []  # type: ignore[attr-defined, unused-ignore]
    frame.module.add((-1, 1, 0), shell)
    return ast.Call(ast.Name(id=name, ctx=ast.Load()), [], [])


def _library_call(w: Writer, node: ast.Call, name: str, frame: Frame) -> ast.expr:
    module, _, last = name.rpartition(".")
    if last in _RUN_TIME:
        raise OpaqueError(f"`{ast.unparse(node)[:80]}` differs from run to run")
    if module == "builtins" and not (last in _EMPTY and not node.args):
        raise OpaqueError(f"it calls `{last}`, which is not run for a preview")
    func = expression(w, node.func, frame)
    return ast.Call(func, *_call_arguments(w, node, frame))


def _call_arguments(w: Writer, node: ast.Call, frame: Frame) -> tuple[list[ast.expr], list[ast.keyword]]:
    positional = [_call_argument(w, None, arg, frame) for arg in node.args]
    keywords = [ast.keyword(k.arg, _call_argument(w, k.arg, k.value, frame)) for k in node.keywords]
    return positional, keywords


def _call_argument(w: Writer, name: str | None, node: ast.expr, frame: Frame) -> ast.expr:
    """One argument. A factory is only there to say that a default exists: it is never called for one."""
    if name in {"default_factory", "factory"}:
        return ast.Lambda(no_arguments(), ast.Constant(None))
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return ast.Constant(node.value)
    return expression(w, node, frame)


# ---------------------------------------------------------------- assignments


def assignment(w: Writer, name: str, binding: Binding, frame: Frame) -> ast.stmt:
    """`name = value`, with its annotation, or `type name = value`.

    Raises:
        OpaqueError: the value cannot be part of a stub.
    """
    assert binding.value is not None  # noqa: S101 - the caller looked
    target = ast.Name(id=name, ctx=ast.Store())
    node = binding.node
    if type(node).__name__ == "TypeAlias":
        copy = type(node)(name=target, type_params=type_params(w, node, frame))
        copy.value = annotation(w, binding.value, frame.scope, frame)  # type: ignore[attr-defined]
        return copy
    if _is_type_expression(binding.value):
        value = annotation(w, binding.value, frame.scope, frame)
    else:
        value = expression(w, binding.value, frame)
    return ast.Assign(targets=[target], value=value)


def _is_type_expression(node: ast.expr) -> bool:
    """Whether an assigned value can only be a type (`X = list[T]`, `X = A | B`)."""
    return isinstance(node, ast.Subscript) or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr))


# ---------------------------------------------------------------- tool objects


def called(w: Writer, value: Called, into: Frame) -> ast.expr:
    """`FunctionTool(f)`, `partial(f, x=1)`: the function and what changes its declaration."""
    full = value.callee.name
    last = full.rpartition(".")[2]
    if full == "functools.partial":
        return _partial(w, value, into)
    if last in FUNCTION_TOOLS:
        target = wrapped_function(value.call, value.scope, w.world)
        if target is None:
            raise OpaqueError(f"the function given to `{last}` is not known")
        inner = w.value(target, into)
        return ast.Call(w.external(full, into), [], [ast.keyword("func", inner)])
    raise OpaqueError(f"`{last}` makes its declaration when the code runs")


def _partial(w: Writer, value: Called, into: Frame) -> ast.expr:
    call, scope = value.call, value.scope
    if not call.args:
        raise OpaqueError("`partial` is given no function")
    target = w.value(evaluate(call.args[0], scope, w.world), into)
    frame = w.frame_of(scope)
    positional = [_partial_argument(w, arg, scope, frame) for arg in call.args[1:]]
    keywords = [
        ast.keyword(k.arg, _partial_argument(w, k.value, scope, frame)) for k in call.keywords if k.arg
    ]
    return ast.Call(w.external("functools.partial", into), [target, *positional], keywords)


def _partial_argument(w: Writer, node: ast.expr, scope: Scope, frame: Frame) -> ast.expr:
    try:
        return expression(w, node, frame)
    except OpaqueError as opaque:
        text = ast.unparse(node)
        w.approximate(f"the value `{text[:80]}` is not known: {opaque.reason}", scope, node)
        return ast.Constant(None)
