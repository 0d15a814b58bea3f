"""Reads a function's text into a `Tool`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from adk_tool_lens.discovery.body import body_of
from adk_tool_lens.discovery.evaluate import World, bases, class_member, evaluate, kept
from adk_tool_lens.discovery.flow import qualname
from adk_tool_lens.discovery.memo import identity
from adk_tool_lens.discovery.model import (
    DocstringText,
    Expression,
    Layout,
    Metadata,
    MetadataKind,
    Option,
    Parameter,
    ParameterKind,
    Tool,
)
from adk_tool_lens.discovery.module import FunctionNode, Place
from adk_tool_lens.discovery.openings import opening
from adk_tool_lens.discovery.replaced import bound_arguments, hiding_class, hiding_decorator
from adk_tool_lens.discovery.types import type_tree
from adk_tool_lens.discovery.values import (
    Bound,
    Called,
    Class,
    Const,
    External,
    Function,
    Instance,
    Lambda,
    Scope,
    Value,
)
from adk_tool_lens.source.text import Span

_FIELD = {"pydantic.Field", "pydantic.fields.Field"}
_DOC = {"typing_extensions.Doc", "annotated_doc.Doc", "typing.Doc"}
_ANNOTATED = {"typing.Annotated", "typing_extensions.Annotated"}


def tool_of(value: Value, world: World) -> Tool | None:
    """The facts of a callable; None when its text cannot be reached."""
    match value:
        case Function():
            return _function(value, world, receiver=False)
        case Bound(function=function):
            return _function(function, world, receiver=True)
        case Lambda():
            return _lambda(value, world)
        case Instance(cls=cls):
            return _callable_object(cls, value, world)
        case Class():
            return _class(value, world)
        case Called(callee=External(name="functools.partial"), call=call, scope=scope):
            return partial_of(call, scope, world) if call.args else None
    return None


def known_tool(value: Value, world: World) -> Tool | None:
    """What `tool_of` gives, kept while nothing that it reads changes; the body is read in this world."""
    tool = kept(world, ("tool", identity(value)), lambda: tool_of(value, world))
    return None if tool is None else replace(tool, read_body=body_of(value, world))


def name_place(node: FunctionNode | ast.ClassDef, scope: Scope) -> Place:
    """The name in `def name` or `class name`."""
    whole = scope.place(node)
    text = whole.block.text
    pattern = re.compile(r"(?:def|class)[ \t\f\\\r\n]+(\w+)")
    match = pattern.search(text, whole.span.start, whole.span.end)
    if match is None:
        return whole
    return Place(whole.path, whole.block, Span(*match.span(1)))


def _function(function: Function, world: World, *, receiver: bool) -> Tool:
    node, scope = function.node, function.scope
    return Tool(
        name=node.name,
        qualname=qualname(function),
        place=name_place(node, scope),
        whole=scope.place(node),
        parameters=tuple(_parameters(node.args, scope, world, receiver=receiver)),
        docstring=docstring(node, scope),
        returns=_expression(node.returns, scope),
        layout=layout(node, scope),
        result=type_tree(node.returns, scope, world),
        opening=opening(node, scope),
        is_async=isinstance(node, ast.AsyncFunctionDef),
        is_generator=_yields(node),
        annotations_are_texts=scope.module.postponed,
        decorators=tuple(_decorators(node, scope)),
        hidden_by=hiding_decorator(function, world),
        read_body=body_of(function, world),
    )


def partial_of(call: ast.Call, scope: Scope, world: World) -> Tool | None:
    """The facts of `partial(f, x=1)`: those of `f` with what is bound."""
    inner = tool_of(evaluate(call.args[0], scope, world), world)
    return (
        None if inner is None else replace(inner, bound=(*inner.bound, *bound_arguments(call, scope, world)))
    )


def _yields(node: FunctionNode) -> bool:
    todo: list[ast.AST] = list(node.body)
    while todo:
        current = todo.pop()
        if isinstance(current, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(current, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(current))
    return False


def _decorators(node: FunctionNode, scope: Scope) -> Iterator[Expression]:
    """Decorators with their `@`."""
    for decorator in node.decorator_list:
        where = scope.place(decorator)
        at = where.block.text.rfind("@", 0, where.span.start)
        yield Expression(ast.unparse(decorator), Place(where.path, where.block, Span(at, where.span.end)))


def _lambda(value: Lambda, world: World) -> Tool:
    where = value.scope.place(value.node)
    return Tool(
        name="<lambda>",
        qualname="<lambda>",
        place=where,
        whole=where,
        parameters=tuple(_parameters(value.node.args, value.scope, world, receiver=False)),
        docstring=None,
        returns=None,
        layout=None,
        read_body=body_of(value, world),
    )


def _callable_object(cls: Class, value: Instance, world: World) -> Tool | None:
    method = class_member(cls, "__call__", world, value)
    if not isinstance(method, Bound):
        return None
    inner = _function(method.function, world, receiver=True)
    own = docstring(cls.node, cls.scope)
    return replace(_renamed(inner, cls, own or inner.docstring), hidden_by=hiding_class(value))


def _renamed(inner: Tool, cls: Class, text: DocstringText | None) -> Tool:
    return Tool(
        name=cls.node.name,
        qualname=qualname(cls),
        place=name_place(cls.node, cls.scope),
        whole=cls.scope.place(cls.node),
        parameters=inner.parameters,
        docstring=text,
        returns=inner.returns,
        layout=inner.layout,
        result=inner.result,
        opening=inner.opening if text is None else None,
        is_object=True,
        is_async=inner.is_async,
        is_generator=inner.is_generator,
        annotations_are_texts=inner.annotations_are_texts,
        read_body=inner.read_body,
    )


def _class(cls: Class, world: World) -> Tool:
    own = docstring(cls.node, cls.scope)
    init = class_member(cls, "__init__", world, Instance(cls, None, cls.scope))
    parameters: tuple[Parameter, ...] = ()
    if isinstance(init, Bound):
        parameters = _function(init.function, world, receiver=True).parameters
    return Tool(
        name=cls.node.name,
        qualname=qualname(cls),
        place=name_place(cls.node, cls.scope),
        whole=cls.scope.place(cls.node),
        parameters=parameters,
        docstring=own,
        returns=None,
        layout=None,
    )


def external_bases(cls: Class, world: World) -> tuple[str, ...]:
    """Full names of the classes outside the project that a class derives from."""
    return tuple(base.name for base in bases(cls, world) if isinstance(base, External))


def docstring(node: FunctionNode | ast.ClassDef, scope: Scope) -> DocstringText | None:
    """The docstring as Python sees it: a plain string literal as first statement."""
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str(text)) as literal), *_]:
            return DocstringText(text, scope.place(literal))
    return None


def layout(node: FunctionNode, scope: Scope) -> Layout | None:
    """Where header and body of a function stand; None when the text is not as expected."""
    whole = scope.place(node)
    block = whole.block
    first = block.span(node.body[0])
    if isinstance(node.body[0], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        decorators = node.body[0].decorator_list
        if decorators:
            first = Span(block.text.rfind("@", 0, block.span(decorators[0]).start), first.end)
    header_end = _header_end(node, scope, first.start)
    if header_end is None:
        return None
    between = block.text[header_end : first.start]
    line_start = max(block.text.rfind("\n", 0, first.start), block.text.rfind("\r", 0, first.start))
    one_line = "\n" not in between and "\r" not in between
    indent = block.text[line_start + 1 : first.start]
    if one_line:
        own = block.text[: whole.span.start]
        column = own[max(own.rfind("\n"), own.rfind("\r")) + 1 :]
        indent = (column if column.isspace() else "") + _indent_unit(block.text)
    return Layout(header_end, first.start, indent, one_line)


def _indent_unit(text: str) -> str:
    match = re.search(r"^[ \t]+(?=\S)", text, re.MULTILINE)
    return match.group() if match else "    "


def _header_end(node: FunctionNode, scope: Scope, before: int) -> int | None:
    """The offset after the colon of `def f(...) -> T:`: the last colon before the body, comments aside."""
    whole = scope.place(node)
    block = whole.block
    ends = [part for part in (node.returns, *ast.walk(node.args)) if hasattr(part, "end_lineno")]
    start = max([whole.span.start, *(block.span(part).end for part in ends if part is not None)])
    text = block.text[start:before]
    masked = re.sub(r"#[^\r\n]*", lambda match: " " * len(match.group()), text)
    colon = masked.find(":")
    return None if colon < 0 else start + colon + 1


# ---------------------------------------------------------------- parameters


def _parameters(
    arguments: ast.arguments, scope: Scope, world: World, *, receiver: bool
) -> Iterator[Parameter]:
    rows = list(_rows(arguments))
    for index, (argument, kind, default) in enumerate(rows):
        yield _parameter(argument, kind, default, scope, world, receiver=receiver and index == 0)


def _rows(
    arguments: ast.arguments,
) -> Iterator[tuple[ast.arg, ParameterKind, ast.expr | None]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    defaults = [None] * missing + list(arguments.defaults)
    for index, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
        only = index < len(arguments.posonlyargs)
        yield argument, ParameterKind.POSITIONAL_ONLY if only else ParameterKind.NORMAL, default
    if arguments.vararg:
        yield arguments.vararg, ParameterKind.VAR_POSITIONAL, None
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield argument, ParameterKind.KEYWORD_ONLY, default
    if arguments.kwarg:
        yield arguments.kwarg, ParameterKind.VAR_KEYWORD, None


def _parameter(  # noqa: PLR0913 - one row of a signature
    argument: ast.arg,
    kind: ParameterKind,
    default: ast.expr | None,
    scope: Scope,
    world: World,
    *,
    receiver: bool,
) -> Parameter:
    where = scope.place(argument)
    name = Span(where.span.start, where.span.start + len(argument.arg))
    end = scope.place(default).span.end if default is not None else where.span.end
    annotation = unquoted(argument.annotation)
    metadata = tuple(_metadata(annotation, argument.annotation, scope, world))
    if default is not None:
        metadata += tuple(_default_metadata(default, scope, world))
    return Parameter(
        name=argument.arg,
        kind=kind,
        place=Place(where.path, where.block, name),
        whole=Place(where.path, where.block, Span(where.span.start, end)),
        annotation=_expression(argument.annotation, scope),
        default=_expression(default, scope),
        metadata=metadata,
        receiver=receiver,
        type=type_tree(argument.annotation, scope, world),
    )


def _expression(node: ast.expr | None, scope: Scope) -> Expression | None:
    if node is None:
        return None
    where = scope.place(node)
    return Expression(where.block.text[where.span.start : where.span.end], where)


def unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """An annotation with the quotes of `x: "T"` taken off; its positions are then not the file's."""
    match annotation:
        case ast.Constant(value=str(text)):
            try:
                return ast.parse(text.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return None
    return annotation


def external_name(node: ast.expr, scope: Scope, world: World) -> str | None:
    """The full name of what an expression refers to outside the project."""
    value = evaluate(node, scope, world)
    if isinstance(value, External):
        return value.name
    if isinstance(value, Class):
        return f"{value.scope.module.name}.{qualname(value)}"
    return None


def _metadata(
    annotation: ast.expr | None, written: ast.expr | None, scope: Scope, world: World
) -> Iterator[Metadata]:
    """What stands behind the type in `Annotated[T, ...]`; nothing for a quoted annotation."""
    if annotation is not written or not isinstance(annotation, ast.Subscript):
        return
    if not isinstance(annotation.slice, ast.Tuple):
        return
    if external_name(annotation.value, scope, world) not in _ANNOTATED:
        return
    for part in annotation.slice.elts[1:]:
        yield from _one_metadata(part, scope, world)


def _one_metadata(part: ast.expr, scope: Scope, world: World) -> Iterator[Metadata]:
    match part:
        case ast.Constant(value=str(text)):
            yield Metadata(MetadataKind.STRING, scope.place(part), text)
        case ast.Call(func=func):
            name = external_name(func, scope, world)
            if name in _FIELD:
                yield _field(part, MetadataKind.FIELD, scope, world)
            elif name in _DOC and part.args:
                yield Metadata(MetadataKind.DOC, scope.place(part), _text(part.args[0], scope, world))
        case ast.Name() | ast.Attribute() | ast.JoinedStr() | ast.BinOp():
            folded = _text(part, scope, world)
            if folded is not None:
                yield Metadata(MetadataKind.STRING, scope.place(part), folded)


def _default_metadata(default: ast.expr, scope: Scope, world: World) -> Iterator[Metadata]:
    if isinstance(default, ast.Call) and external_name(default.func, scope, world) in _FIELD:
        yield _field(default, MetadataKind.DEFAULT, scope, world)


def _field(call: ast.Call, kind: MetadataKind, scope: Scope, world: World) -> Metadata:
    description = next((k.value for k in call.keywords if k.arg == "description"), None)
    return Metadata(
        kind,
        scope.place(call),
        _text(description, scope, world) if description is not None else None,
        tuple(_options(call, scope, world)),
    )


def _options(call: ast.Call, scope: Scope, world: World) -> Iterator[Option]:
    for argument in call.keywords:
        if argument.arg is not None:
            value = evaluate(argument.value, scope, world)
            yield Option(
                argument.arg,
                scope.place(argument),
                ast.unparse(argument.value),
                value.value if isinstance(value, Const) else None,
            )
    if call.args:
        value = evaluate(call.args[0], scope, world)
        yield Option(
            "default",
            scope.place(call.args[0]),
            ast.unparse(call.args[0]),
            value.value if isinstance(value, Const) else None,
        )


def _text(node: ast.expr, scope: Scope, world: World) -> str | None:
    value = evaluate(node, scope, world)
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None
