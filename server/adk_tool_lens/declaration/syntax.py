"""Makes syntax nodes that are whole for every Python from 3.10 on."""

from __future__ import annotations

import ast
from typing import Any

from adk_tool_lens.discovery.module import FunctionNode


def name(text: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(id=text, ctx=ast.Load())


def target(text: str) -> ast.Name:
    """A name that is bound."""
    return ast.Name(id=text, ctx=ast.Store())


def constant(value: object) -> ast.Constant:
    """A constant."""
    known: Any = value
    return ast.Constant(known)


def no_arguments() -> ast.arguments:
    """The parameter list `()`."""
    return ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )


def class_def(text: str, body: list[ast.stmt] | None = None) -> ast.ClassDef:
    """`class text:` without bases."""
    fields: dict[str, Any] = {"bases": [], "keywords": [], "decorator_list": [], "type_params": []}
    return ast.ClassDef(name=text, body=body or [], **fields)


def function_def(kind: type[FunctionNode], text: str, args: ast.arguments) -> FunctionNode:
    """`def text(args):`, or `async def`."""
    fields: dict[str, Any] = {"body": [], "decorator_list": [], "returns": None, "type_params": []}
    return kind(name=text, args=args, **fields)


def docstring(node: ast.AST) -> list[ast.stmt]:
    """The docstring of a definition as a statement, if it has one."""
    match node:
        case (
            ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str(text))), *_])
            | ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Constant(value=str(text))), *_])
            | ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str(text))), *_])
        ):
            return [ast.Expr(ast.Constant(text))]
    return []


def set_type_params(node: ast.AST, parameters: list[ast.AST]) -> None:
    """Gives a definition its PEP 695 parameters; before Python 3.12 there are none."""
    fields: Any = node
    fields.type_params = parameters
