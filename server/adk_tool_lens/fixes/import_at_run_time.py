"""Moves an import that only type checkers see (`if TYPE_CHECKING:`) to where it runs.

google-adk resolves annotations when the code runs. A module of the project may import this one in turn, so
only imports of installed packages are moved unseen.
"""

from __future__ import annotations

import ast
import re

from adk_tool_lens.discovery.module import Binding, Module
from adk_tool_lens.fixes.imports import added_import
from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair, block_edit
from adk_tool_lens.fixes.unused import without_alias
from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.text import Span

_WORD = re.compile(r"[^\W\d]\w*")


def repair(case: Case) -> Repair | None:
    """The edits for the first name of the annotation that is imported for type checkers only."""
    place = case.place
    module = case.module_of(place) if place is not None else None
    if place is None or module is None:
        return None
    text = place.block.text[place.span.start : place.span.end]
    for name in dict.fromkeys(_WORD.findall(text)):
        pairs = module.bindings.look(name)
        if len(pairs) == 1 and _for_checkers(pairs[0][1]):
            return _moved(module, *pairs[0])
    return None


def _for_checkers(binding: Binding) -> bool:
    """Whether a name is imported under `if TYPE_CHECKING:` and nothing else."""
    match binding.guards:
        case [guard] if guard.test is not None and guard.holds and binding.imported is not None:
            return ast.unparse(guard.test).rpartition(".")[2] == "TYPE_CHECKING"
    return False


def _moved(module: Module, block: Block, binding: Binding) -> Repair | None:
    node = binding.node
    if not isinstance(node, ast.Import | ast.ImportFrom):
        return None
    alias = next(a for a in node.names if _bound(a, node) == binding.name)
    written = f"{alias.name} as {alias.asname}" if alias.asname else alias.name
    source = f"{'.' * node.level}{node.module or ''}" if isinstance(node, ast.ImportFrom) else ""
    added = added_import(module, source, written)
    removed = _removed(module, block, node, binding.name)
    if added is None or removed is None:
        return None
    installed = not source.startswith(".") and source.partition(".")[0] == "google"
    title = f"Import {binding.name} at run time, not for type checkers only"
    return Repair(title, (*added, *removed), safe=installed, freed=("TYPE_CHECKING",))


def _bound(alias: ast.alias, node: ast.stmt) -> str:
    name = alias.name if isinstance(node, ast.ImportFrom) else alias.name.partition(".")[0]
    return alias.asname or name


def _removed(
    module: Module, block: Block, node: ast.Import | ast.ImportFrom, name: str
) -> tuple[PlacedEdit, ...] | None:
    """The import without a name; the statement with its `if` when nothing else is left."""
    if len(node.names) > 1:
        parts = tuple(without_alias(module, block, node, {name}))
        return parts or None
    outer = block.tree.body[0] if block.tree is not None and len(block.tree.body) == 1 else None
    if not isinstance(outer, ast.If) or outer.orelse:
        return None
    if len(outer.body) == 1:
        return _line(module, block, outer)
    return _line(module, block, node) if node in outer.body else None


def _line(module: Module, block: Block, node: ast.stmt) -> tuple[PlacedEdit, ...] | None:
    """The lines of a statement; None when something else is on them."""
    source, span = block.source, block.span(node)
    first, last = source.line_column(span.start)[0], source.line_column(span.end)[0]
    start = source.line_span(first).start
    end = source.line_starts[last + 1] if last + 1 < len(source.line_starts) else len(block.text)
    around = block.text[start : span.start] + block.text[span.end : end]
    if around.strip() or "#" in block.text[span.start : span.end]:
        return None
    rest = block.text[end:]
    if isinstance(node, ast.If):
        blank = re.match(r"(?:[ \t\f]*(?:\r\n|\r|\n))*", rest)
        end += blank.end() if blank else 0
        return (block_edit(module, block, Span(start, end), _gap_after(module, block)),)
    return (block_edit(module, block, Span(start, end), ""),)


def _gap_after(module: Module, block: Block) -> str:
    """The blank lines that a whole statement leaves behind: those that stood after it, less what is above."""
    index = module.blocks.index(block)
    above = module.blocks[index - 1].text if index else ""
    have = len(re.findall(r"\r\n|\r|\n", above[len(above.rstrip()) :])) - 1
    want = len(re.findall(r"\r\n|\r|\n", block.text[len(block.text.rstrip()) :])) - 1
    return block.source.newline * max(0, want - max(0, have))
