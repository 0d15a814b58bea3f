"""Names that a repair needs: found where they are imported already, else imported where imports stand."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from adk_tool_lens.discovery.module import Binding, Module, Place
from adk_tool_lens.fixes.model import PlacedEdit, block_edit
from adk_tool_lens.fixes.nodes import local_names
from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.text import Span


@dataclass(frozen=True)
class Imported:
    """How to write a name, and the edits that make it known."""

    text: str
    edits: tuple[PlacedEdit, ...] = ()


def name_for(module: Module, package: str, name: str, at: Place, *others: str) -> Imported | None:
    """How to write `package.name` at a place; None when every way to it would hide another name.

    Args:
        module: The file.
        package: The module that has the name.
        name: The name.
        at: Where it will be written.
        others: Modules that have the same thing under the same name.
    """
    hidden = local_names(at)
    known = _known(module, (package, *others), name, hidden)
    if known is not None:
        return Imported(known)
    if name in hidden or module.bindings.look(name) or module.stars:
        return _qualified(module, package, name, at)
    edits = _added(module, package, name)
    return None if edits is None else Imported(name, edits)


def _qualified(module: Module, package: str, name: str, at: Place) -> Imported | None:
    """`package.name` where the name alone means something else."""
    whole = module_for(module, package, at) if "." not in package and not module.stars else None
    return None if whole is None else Imported(f"{whole.text}.{name}", whole.edits)


def module_for(module: Module, package: str, at: Place) -> Imported | None:
    """How to write a standard module's name at a place."""
    hidden = local_names(at)
    for bound, pairs in module.bindings.items():
        if bound not in hidden and _only(pairs) and pairs[0][1].imported == (package, None):
            return Imported(bound)
    if package in hidden or module.bindings.look(package):
        return None
    return Imported(package, (_new_line(module, package, f"import {package}"),))


def _known(module: Module, packages: tuple[str, ...], name: str, hidden: set[str]) -> str | None:
    for bound, pairs in module.bindings.items():
        if bound in hidden or not _only(pairs):
            continue
        match pairs[0][1].imported:
            case (str(package), str(own)) if own == name and package in packages:
                return bound
            case (str(package), None) if package in packages:
                return f"{bound}.{name}"
    return None


def _only(pairs: tuple[tuple[Block, Binding], ...]) -> bool:
    """Whether a name means one thing, whichever way the module runs."""
    return len(pairs) == 1 and not pairs[0][1].guards


# ---------------------------------------------------------------- adding


def added_import(module: Module, source: str, written: str) -> tuple[PlacedEdit, ...] | None:
    """Imports a name as it was written elsewhere in the file.

    Args:
        module: The file.
        source: The module it is taken from, dots included; empty for `import name`.
        written: The name, with its `as` if it has one.
    """
    if not source:
        return (_new_line(module, written.partition(" ")[0], f"import {written}"),)
    if " as " in written:
        return (_new_line(module, source, f"from {source} import {written}"),)
    return _added(module, source, written)


def _added(module: Module, package: str, name: str) -> tuple[PlacedEdit, ...] | None:
    for block, node in _leading(module):
        if isinstance(node, ast.ImportFrom) and "." * node.level + (node.module or "") == package:
            return (_extended(module, block, node, name),)
    return (_new_line(module, package, f"from {package} import {name}"),)


def _leading(module: Module) -> Iterator[tuple[Block, ast.stmt]]:
    """The imports at the top of a file, each alone in its block."""
    for index, block in enumerate(module.blocks):
        body = block.tree.body if block.tree is not None else []
        if len(body) == 1 and isinstance(body[0], ast.Import | ast.ImportFrom):
            yield block, body[0]
        elif body and not (index < 2 and _is_text(body[0])):
            return


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _extended(module: Module, block: Block, node: ast.ImportFrom, name: str) -> PlacedEdit:
    """`from m import a, c` with a name more, in its place when the names are in order."""
    spans = [block.span(alias) for alias in node.names]
    names = [alias.name for alias in node.names]
    before = [index for index, other in enumerate(names) if other.casefold() < name.casefold()]
    in_order = names == sorted(names, key=str.casefold)
    index = len(before) if in_order else len(names)
    if index == 0:
        return block_edit(module, block, Span(spans[0].start, spans[0].start), f"{name}, ")
    end = spans[index - 1].end
    start = spans[index - 1].start
    own = block.source.line_around(start).start
    indent = block.text[own:start]
    own_line = not indent.strip() and index > 1 and block.source.line_column(spans[0].start)[0] > 0
    gap = f"{block.source.newline}{indent}" if own_line else " "
    return block_edit(module, block, Span(end, end), f",{gap}{name}")


def _group(node: ast.stmt) -> int:
    """Imports stand in groups: `__future__`, the standard library, installed packages, the project."""
    if isinstance(node, ast.ImportFrom):
        package = "." * node.level + (node.module or "")
    else:
        assert isinstance(node, ast.Import)  # noqa: S101 - `_leading` gives imports only
        package = node.names[0].name
    return group_of(package)


def group_of(package: str) -> int:
    """The group of an absolute import."""
    top = package.partition(".")[0]
    if not top:
        return 3
    if top == "__future__":
        return 0
    return 1 if top in sys.stdlib_module_names else 2


def _new_line(module: Module, package: str, statement: str) -> PlacedEdit:
    """An import of its own, after the last one of its group."""
    own = group_of(package)
    leading = list(_leading(module))
    newline = module.source.newline
    same = [pair for pair in leading if _group(pair[1]) == own]
    plain = [pair for pair in same if isinstance(pair[1], ast.Import)]
    if same and statement.startswith("import ") and len(plain) < len(same):
        return _after(module, *plain[-1], statement) if plain else _before(module, same[0][0], statement)
    if same:
        return _after(module, *same[-1], statement)
    earlier = [pair for pair in leading if _group(pair[1]) < own]
    if earlier:
        return _after(module, *earlier[-1], newline + statement)
    if leading:
        block = leading[0][0]
        start = _start(block)
        return block_edit(module, block, Span(start, start), f"{statement}{newline}{newline}")
    return _first(module, statement)


def _before(module: Module, block: Block, statement: str) -> PlacedEdit:
    """A line of its own above a statement: `import x` stands before `from y import z`."""
    start = _start(block)
    return block_edit(module, block, Span(start, start), f"{statement}{module.source.newline}")


def _after(module: Module, block: Block, node: ast.stmt, statement: str) -> PlacedEdit:
    """A line of its own below a statement."""
    source, newline = block.source, module.source.newline
    line = source.line_column(block.span(node).end)[0]
    if line + 1 < len(source.line_starts):
        start = source.line_starts[line + 1]
        return block_edit(module, block, Span(start, start), f"{statement}{newline}")
    end = len(block.text)
    return block_edit(module, block, Span(end, end), f"{newline}{statement}")


def _start(block: Block) -> int:
    """Where a block's statement begins, comments above it left alone."""
    body = block.tree.body if block.tree is not None else []
    return block.span(body[0]).start if body else 0


def _first(module: Module, statement: str) -> PlacedEdit:
    """The first import of a file: after its docstring and leading comments."""
    newline = module.source.newline
    for block in module.blocks:
        body = block.tree.body if block.tree is not None else []
        if not body:
            continue
        if _is_text(body[0]):
            return _after(module, block, body[0], newline + statement)
        start = 0 if block is not module.blocks[0] else _line_of(block, body[0])
        return block_edit(module, block, Span(start, start), f"{statement}{newline}{newline}{newline}")
    last = module.blocks[-1]
    return block_edit(module, last, Span(len(last.text), len(last.text)), f"{newline}{statement}{newline}")


def _line_of(block: Block, node: ast.stmt) -> int:
    """The start of the line of a statement, or of its first decorator."""
    decorators = getattr(node, "decorator_list", [])
    first = block.span(decorators[0] if decorators else node).start
    return block.source.line_around(first).start
