"""Copies calls into a stub: of allowed libraries, and of classes of the project that run no code."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from adk_tool_lens.declaration import classes, expressions, syntax
from adk_tool_lens.declaration.frames import HELPERS, Frame, OpaqueError
from adk_tool_lens.discovery.values import Bound, Class, Either, External, Function, Lambda

if TYPE_CHECKING:
    from adk_tool_lens.declaration.sites import Site

_RUN_TIME = frozenset({"now", "utcnow", "today", "uuid1", "uuid4", "cwd", "home", "fromtimestamp", "time"})
"""Methods of allowed libraries whose answer differs from run to run."""
_PLAIN = frozenset({"list", "dict", "set", "tuple", "frozenset", "str", "int", "float", "bool"})
_LISTENERS = frozenset(
    {"AfterValidator", "BeforeValidator", "WrapValidator", "PlainValidator", "InstanceOf", "Discriminator"}
    | {
        "PlainSerializer",
        "WrapSerializer",
        "field_serializer",
        "Tag",
        "Doc",
        "wraps",
        "partial",
        "partialmethod",
    }
)
"""What may be given functions without a change of the schema by what they do."""
_FACTORIES = frozenset({"default_factory", "factory"})


def call(site: Site, node: ast.Call) -> ast.expr:
    """A copy of a call.

    Raises:
        OpaqueError: it runs code of the project or of a library that is not allowed.
    """
    callee = site.value(node.func)
    match callee:
        case External(name="builtins.object") if not node.args:
            return _object(site.frame)
        case External(name=name):
            return _library_call(site, node, name)
        case Class():
            classes.note_code(site, callee, node)
            func = expressions.expression(site, node.func)
            return ast.Call(func, *_arguments(site, node))
    text = ast.unparse(node.func)
    raise OpaqueError(f"it calls `{text[:80]}`, which is not run for a preview")


def _object(frame: Frame) -> ast.expr:
    """`object()` as a marker: an instance of an empty class serves as well."""
    name = frame.module.fresh("object")
    frame.module.add(HELPERS, syntax.class_def(name, [ast.Pass()]))
    return ast.Call(syntax.name(name), [], [])


def _library_call(site: Site, node: ast.Call, name: str) -> ast.expr:
    module, _, last = name.rpartition(".")
    if last in _RUN_TIME:
        raise OpaqueError(f"`{ast.unparse(node)[:80]}` differs from run to run")
    if module == "builtins" and not (last in _PLAIN and not node.args):
        raise OpaqueError(f"it calls `{last}`, which is not run for a preview")
    func = expressions.expression(site, node.func)
    if last not in _LISTENERS:
        for part in (*node.args, *(k.value for k in node.keywords if k.arg not in _FACTORIES)):
            _note_function(site, part, last)
    return ast.Call(func, *_arguments(site, node))


def _note_function(site: Site, node: ast.expr, callee: str) -> None:
    """Says so when a library may call a function of the project for the schema."""
    value = site.value(node) if isinstance(node, ast.Name | ast.Attribute | ast.Lambda) else None
    options = value.options if isinstance(value, Either) else (value,)
    if any(isinstance(option, Function | Lambda | Bound) for option in options):
        text = ast.unparse(node)
        site.approximate(f"`{text[:80]}`, given to `{callee}`, may change the schema when it runs", node)


def _arguments(site: Site, node: ast.Call) -> tuple[list[ast.expr], list[ast.keyword]]:
    positional = [_argument(site, None, arg) for arg in node.args]
    keywords = [ast.keyword(k.arg, _argument(site, k.arg, k.value)) for k in node.keywords]
    return positional, keywords


def _argument(site: Site, name: str | None, node: ast.expr) -> ast.expr:
    if name in _FACTORIES:
        return factory(site, node) or ast.Lambda(syntax.no_arguments(), ast.Constant(None))
    return expressions.expression(site, node)


def factory(site: Site, node: ast.expr) -> ast.expr | None:
    """A `default_factory` whose result is known: `list`, `lambda: []`, a model of the project."""
    match site.value(node):
        case External(name=name) if name.removeprefix("builtins.") in _PLAIN:
            return expressions.expression(site, node)
        case Lambda(node=inner):
            known = expressions.literal(site.value(inner.body))
            return None if known is None else ast.Lambda(syntax.no_arguments(), known)
        case Class() as cls:
            classes.note_code(site, cls, node)
            return expressions.expression(site, node)
    return None
