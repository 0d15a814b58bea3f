"""Copies functions into a stub: signature and docstring, no body."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import expressions, hints, syntax
from adk_tool_lens.declaration.frames import Frame, OpaqueError
from adk_tool_lens.discovery.evaluate import evaluate
from adk_tool_lens.discovery.values import Called, External, Function, Scope

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

_STAND_INS: dict[str, object] = {"str": "", "int": 0, "float": 0.0, "bool": False}
_KEPT = frozenset({"staticmethod", "classmethod"})


def function(w: Writer, value: Function, frame: Frame) -> ast.stmt:
    """The skeleton of a function: decorators that are kept, signature, docstring."""
    node = value.node
    args = arguments(w, node.args, value.scope, frame)
    copy = syntax.function_def(type(node), node.name, args)
    copy.body = [*syntax.docstring(node), *_marker(node)]
    copy.decorator_list = _decorators(w, value, frame)
    if node.returns is not None:
        copy.returns = hints.hint(w, node.returns, value.scope, _annotation_frame(frame))
    syntax.set_type_params(copy, type_params(w, node, frame))
    return copy


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
                kept.append(syntax.name(name.rpartition(".")[2]))
            case Called(callee=External(name="functools.wraps"), call=call):
                kept.append(expressions.expression(w, call, frame))
    return kept


def type_params(w: Writer, node: ast.AST, frame: Frame) -> list[ast.AST]:
    """PEP 695 parameters with their bounds."""
    copies: list[ast.AST] = []
    for parameter in getattr(node, "type_params", ()):
        frame.needed.setdefault(parameter.name, None)
        bound = getattr(parameter, "bound", None)
        extra = {} if bound is None else {"bound": hints.hint(w, bound, frame.scope, frame)}
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
        return ast.arg(arg.arg, hints.hint(w, arg.annotation, scope, where))

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
        return expressions.expression(w, node, frame)
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
    return syntax.constant(_STAND_INS.get(name))


def lambda_(w: Writer, node: ast.Lambda, frame: Frame) -> ast.expr:
    """A lambda with its signature and nothing in it."""
    return ast.Lambda(args=arguments(w, node.args, frame.scope, frame), body=ast.Constant(None))
