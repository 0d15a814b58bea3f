"""Renames a parameter and what its function does with it; refuses where a name may mean something else."""

from __future__ import annotations

import ast
import keyword
import re

from adk_tool_lens.discovery.model import Tool
from adk_tool_lens.discovery.module import FunctionNode, Module, Place
from adk_tool_lens.docstrings.editor import rename_entry
from adk_tool_lens.fixes.docstring_text import function_text, parameter_order, placed
from adk_tool_lens.fixes.model import PlacedEdit, edit
from adk_tool_lens.fixes.nodes import FUNCTIONS, KNOWS_FSTRINGS, function_node
from adk_tool_lens.source.blocks import Block

_REFLECTION = {"locals", "vars", "eval", "exec", "globals"}
_SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)


def renamed(module: Module, tool: Tool, old: str, new: str) -> tuple[PlacedEdit, ...] | None:
    """Edits that rename a parameter, its uses in the function and its entry in the docstring.

    Returns:
        None when the function does not have the parameter, the new name is taken, or a use cannot be told
        from another variable of the same name.
    """
    node = function_node(tool)
    if node is None or old == new or not new.isidentifier() or keyword.iskeyword(new):
        return None
    where = tool.whole
    declared = [part for part in _arguments(node) if part.arg == old]
    uses = _uses(node, old, new)
    if len(declared) != 1 or uses is None or _hidden_use(node, uses):
        return None
    if any(_called_by_name(block, tool.name, old) for block in module.blocks):
        return None
    names: list[ast.arg | ast.Name] = [*declared, *uses]
    edits = [_at(where, part, old, new) for part in names]
    if any(each is None for each in edits):
        return None
    entry = _entry(tool, old, new)
    return None if entry is None else (*(each for each in edits if each is not None), *entry)


def _arguments(node: FunctionNode) -> list[ast.arg]:
    a = node.args
    every = [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    return [part for part in every if part is not None]


def _uses(node: FunctionNode, old: str, new: str) -> list[ast.Name] | None:
    """The names in the body that are the parameter; None when that cannot be told."""
    found: list[ast.Name] = []
    for statement in node.body:
        for part in ast.walk(statement):
            if isinstance(part, ast.Name):
                if part.id == new or part.id in _REFLECTION:
                    return None
                if part.id == old:
                    found.append(part)
            elif _binds(part, old, new):
                return None
    taken = {part.arg for part in _arguments(node)} | {node.name}
    if new in taken or _rebound(node, old):
        return None
    return found


def _binds(part: ast.AST, old: str, new: str) -> bool:
    """Whether something other than a plain name binds or names one of the two."""
    match part:
        case ast.Attribute() | ast.keyword() | ast.Constant() | ast.JoinedStr():
            return False
        case ast.MatchClass():
            return False
        case ast.alias(name=name, asname=asname):
            return (asname or name.partition(".")[0]) in {old, new}
    for _, value in ast.iter_fields(part):
        values = value if isinstance(value, list) else [value]
        if any(isinstance(each, str) and each in {old, new} for each in values):
            return True
    return False


def _rebound(node: FunctionNode, old: str) -> bool:
    """Whether a nested scope gives the name a meaning of its own."""
    for statement in node.body:
        for part in ast.walk(statement):
            if isinstance(part, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
                targets = [name for g in part.generators for name in ast.walk(g.target)]
                if any(isinstance(name, ast.Name) and name.id == old for name in targets):
                    return True
            if isinstance(part, _SCOPES) and old in _stored(part):
                return True
    return False


def _stored(scope: ast.AST) -> set[str]:
    return {
        part.id for part in ast.walk(scope) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _called_by_name(block: Block, function: str, old: str) -> bool:
    """Whether a block calls the function with the parameter as a keyword (it may call itself)."""
    if old not in block.text or function not in block.text:
        return False
    for part in ast.walk(block.tree) if block.tree is not None else ():
        if isinstance(part, ast.Call) and any(argument.arg == old for argument in part.keywords):
            name = getattr(part.func, "id", None) or getattr(part.func, "attr", None)
            if name == function:
                return True
    return False


def _at(where: Place, part: ast.arg | ast.Name, old: str, new: str) -> PlacedEdit | None:
    span = where.block.span(part)
    end = span.start + len(old)
    if where.block.text[span.start : end] != old:
        return None  # an f-string before Python 3.12, or a name that Python writes in another way
    return edit(where, span.start, end, new)


def _hidden_use(node: FunctionNode, uses: list[ast.Name]) -> bool:
    """Whether an f-string has a use that has no position of its own (before Python 3.12)."""
    if KNOWS_FSTRINGS:
        return False
    strings = (part for part in ast.walk(node) if isinstance(part, ast.JoinedStr))
    inside = {id(name) for part in strings for name in ast.walk(part)}
    return any(id(name) in inside for name in uses)


def _entry(tool: Tool, old: str, new: str) -> tuple[PlacedEdit, ...] | None:
    function = function_text(tool)
    if function is None:
        return ()
    return placed(tool, rename_entry(function, old, new, order=parameter_order(tool)))


def public_name(name: str) -> str:
    """A name without the underscores that hide it."""
    return re.sub(r"^_+", "", name)
