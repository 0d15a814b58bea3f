"""Copies functions into a stub: signature and docstring, no body."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adk_tool_lens.declaration import expressions, hints, syntax, values
from adk_tool_lens.declaration.frames import Frame, OpaqueError
from adk_tool_lens.declaration.sites import Site
from adk_tool_lens.discovery.evaluate import evaluate
from adk_tool_lens.discovery.module import FunctionNode, Mutation
from adk_tool_lens.discovery.values import Called, External, Function, Scope

if TYPE_CHECKING:
    from adk_tool_lens.declaration.writer import Writer

_STAND_INS: dict[str, object] = {"str": "", "int": 0, "float": 0.0, "bool": False}
_KEPT = frozenset({"staticmethod", "classmethod"})


def function(w: Writer, value: Function, frame: Frame) -> FunctionNode:
    """The skeleton of a function: decorators that are kept, signature, docstring."""
    node = value.node
    site, parameters = type_params(Site.of(w, frame, value.scope), node)
    copy = syntax.function_def(type(node), node.name, syntax.no_arguments())
    syntax.set_type_params(copy, parameters)
    copy.args = arguments(site, node.args)
    copy.body = [*syntax.docstring(node), *_marker(node)]
    copy.decorator_list = _decorators(site, node)
    if node.returns is not None:
        copy.returns = hints.hint(_annotation_site(site), node.returns)
    return copy


def _marker(node: FunctionNode) -> list[ast.stmt]:
    """`yield` for a generator, `...` otherwise."""
    todo: list[ast.AST] = list(node.body)
    while todo:
        current = todo.pop()
        if isinstance(current, ast.Yield | ast.YieldFrom):
            return [ast.Expr(ast.Yield(None))]
        if not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(current))
    return [ast.Expr(ast.Constant(...))]


def _decorators(site: Site, node: FunctionNode) -> list[ast.expr]:
    kept: list[ast.expr] = []
    for decorator in node.decorator_list:
        match site.value(decorator):
            case External(name=name) if name.rpartition(".")[2] in _KEPT:
                kept.append(syntax.name(name.rpartition(".")[2]))
            case Called(callee=External(name="functools.wraps")) if isinstance(decorator, ast.Call):
                kept.append(expressions.expression(site, decorator))
            case External(name="functools.lru_cache" | "functools.cache") if not site.frame.is_class:
                kept.append(expressions.expression(site, decorator))
            case Called(callee=External(name="functools.lru_cache")) if (
                isinstance(decorator, ast.Call) and not site.frame.is_class
            ):
                # How many results are cached says nothing to the model.
                kept.append(ast.Call(expressions.expression(site, decorator.func), [], []))
    return [*_updates(site, node), *kept]


def _updates(site: Site, node: FunctionNode) -> Iterator[ast.expr]:
    """`update_wrapper(wrapper, f)` beside a wrapper does what `@wraps(f)` over it does."""
    names = site.scope.names
    for change in names.mutations.get(f"{node.name}.__wrapped__", ()) if names else ():
        if is_update(change, site.scope, site.w) and isinstance(change.value, ast.Call):
            copy = expressions.expression(site, change.value.args[1])
            yield ast.Call(values.external("functools.wraps", site.frame), [copy], [])


def is_update(change: Mutation, scope: Scope, w: Writer) -> bool:
    """Whether a change is `functools.update_wrapper(wrapper, f)` in a function, done in any case."""
    match change.value:
        case ast.Call(func=func, args=[_, _], keywords=[]) if change.how == "update_wrapper":
            callee = evaluate(func, scope, w.world)
            known = isinstance(callee, External) and callee.name == "functools.update_wrapper"
            return known and not change.guards and scope.names is not None
    return False


def type_params(site: Site, node: ast.AST) -> tuple[Site, list[ast.AST]]:
    """PEP 695 parameters with their bounds and defaults, and the site where they are bound."""
    parameters: list[Any] = list(getattr(node, "type_params", ()))
    inside = replace(site, own=site.own.union(parameter.name for parameter in parameters))
    copies: list[ast.AST] = []
    for parameter in parameters:
        extra = {
            part: hints.hint(inside, getattr(parameter, part))
            for part in ("bound", "default_value")
            if getattr(parameter, part, None) is not None
        }
        copies.append(type(parameter)(name=parameter.name, **extra))
    return inside, copies


def _annotation_site(site: Site) -> Site:
    """Where annotations of functions are read: postponed ones see the module's names, in the end."""
    return site.late if site.scope.module.postponed else site


def arguments(site: Site, node: ast.arguments) -> ast.arguments:
    """A parameter list with annotations and defaults."""
    read = _annotation_site(site)

    def parameter(arg: ast.arg) -> ast.arg:
        return ast.arg(arg.arg, None if arg.annotation is None else hints.hint(read, arg.annotation))

    positional = [*node.posonlyargs, *node.args]
    with_default = positional[len(positional) - len(node.defaults) :]
    return ast.arguments(
        posonlyargs=[parameter(arg) for arg in node.posonlyargs],
        args=[parameter(arg) for arg in node.args],
        vararg=_collecting(site, parameter, node.vararg),
        kwonlyargs=[parameter(arg) for arg in node.kwonlyargs],
        kw_defaults=[
            None if default is None else _default(site, arg, default)
            for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True)
        ],
        kwarg=_collecting(site, parameter, node.kwarg),
        defaults=[
            _default(site, arg, default) for arg, default in zip(with_default, node.defaults, strict=True)
        ],
    )


def _collecting(site: Site, copy: Callable[[ast.arg], ast.arg], arg: ast.arg | None) -> ast.arg | None:
    """`*args` or `**kwargs`; `P.args` and `P.kwargs` of a ParamSpec say nothing to the model."""
    match arg:
        case None:
            return None
        case ast.arg(annotation=ast.Attribute(value=ast.Name() as base, attr="args" | "kwargs")):
            value = site.value(base)
            callee = value.callee.name if isinstance(value, Called) else ""
            if base.id in site.own or callee.endswith(".ParamSpec"):
                return ast.arg(arg.arg)
    return copy(arg)


def _default(site: Site, arg: ast.arg, node: ast.expr) -> ast.expr:
    try:
        return expressions.expression(site, node)
    except OpaqueError as opaque:
        text = ast.unparse(node)
        site.approximate(f"the default of `{arg.arg}`, `{text[:80]}`, is not known: {opaque.reason}", node)
        return _stand_in(arg, text)


def _stand_in(arg: ast.arg, text: str) -> ast.expr:
    """What is shown for a default that cannot be known: of the annotated type where that is plain."""
    name = arg.annotation.id if isinstance(arg.annotation, ast.Name) else ""
    if name == "str":
        return ast.Constant(f"<{text[:80]}>")
    return syntax.constant(_STAND_INS.get(name))


def lambda_(w: Writer, node: ast.Lambda, frame: Frame) -> ast.expr:
    """A lambda with its signature and nothing in it."""
    site = replace(Site.of(w, frame), texts=frame.module)
    return ast.Lambda(args=arguments(site, node.args), body=ast.Constant(None))
