"""Takes imports out that a repair has left unused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from adk_tool_lens.discovery.module import Binding, Module
from adk_tool_lens.fixes.model import PlacedEdit, block_edit
from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.edits import Edit, apply
from adk_tool_lens.source.text import Span

_BLANK_END = re.compile(r"[ \t\f]*(?:\r\n|\r(?!\n)|\n)((?:[ \t\f]*(?:\r\n|\r(?!\n)|\n))+)\Z")


def removals(module: Module, edits: Iterable[PlacedEdit], names: Iterable[str]) -> tuple[PlacedEdit, ...]:
    """Edits that remove imports of names which, after other edits, the file does not mention any more.

    A mention anywhere counts, in strings and comments, too: an import is left rather than missed.
    """
    given = tuple(edits)
    if module.path is not None and module.path.name == "__init__.py":
        return ()  # others may import the name from here
    free = [name for name in dict.fromkeys(names) if _is_free(module, given, name)]
    gone: dict[Block, tuple[ast.Import | ast.ImportFrom, set[str]]] = {}
    for name in free:
        ((block, binding),) = module.bindings.look(name)
        node = binding.node
        if isinstance(node, ast.Import | ast.ImportFrom):
            gone.setdefault(block, (node, set()))[1].add(name)
    return tuple(
        edit
        for block, (node, own) in gone.items()
        for edit in _beside(module, block, node, own, [e.place.span for e in given if e.place.block is block])
    )


def _beside(
    module: Module, block: Block, node: ast.Import | ast.ImportFrom, own: set[str], edits: list[Span]
) -> tuple[PlacedEdit, ...]:
    """The removal in a block that has other edits; none where they are in the same place."""
    found = _without(module, block, node, own)
    if edits:  # what was blank around may not be so any more
        found = tuple(edit for edit in found if edit.place.block is block)
    spans = [edit.place.span for edit in found]
    clash = any(a.start < b.end and b.start < a.end for a in spans for b in edits)
    clash |= any(a.start < b.start < a.end for a in spans for b in edits)
    return () if clash else found


def _is_free(module: Module, edits: tuple[PlacedEdit, ...], name: str) -> bool:
    pairs = module.bindings.look(name)
    if len(pairs) != 1 or not _plain(*pairs[0], name):
        return False
    mentions = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    by_block: dict[Block, list[Edit]] = {}
    for edit in edits:
        by_block.setdefault(edit.place.block, []).append(
            Edit(edit.place.span.start, edit.place.span.end, edit.text)
        )
    for block in module.blocks:
        text = apply(block.text, by_block[block]) if block in by_block else block.text
        allowed = 1 if block is pairs[0][0] else 0
        if name in text and len(mentions.findall(text)) > allowed:
            return False
    return True


def _plain(block: Block, binding: Binding, name: str) -> bool:
    """Whether a name is imported at the top level, alone in its block and not to be handed on."""
    body = block.tree.body if block.tree is not None else []
    if body != [binding.node] or binding.guards:
        return False
    aliases = getattr(binding.node, "names", ())
    own = [alias for alias in aliases if (alias.asname or alias.name) == name]
    return len(own) == 1 and own[0].asname is None


def _without(
    module: Module, block: Block, node: ast.Import | ast.ImportFrom, names: set[str]
) -> tuple[PlacedEdit, ...]:
    span = block.span(node)
    if "#" in block.text[span.start : block.source.line_around(span.end).end]:
        return ()
    kept = [alias for alias in node.names if (alias.asname or alias.name) not in names]
    if not kept:
        return _whole(module, block, span)
    return tuple(without_alias(module, block, node, names))


def without_alias(
    module: Module, block: Block, node: ast.Import | ast.ImportFrom, names: set[str]
) -> Iterable[PlacedEdit]:
    """Edits that take names out of an import that keeps others."""
    spans = [block.span(alias) for alias in node.names]
    stays = [(alias.asname or alias.name) not in names for alias in node.names]
    first = stays.index(True)
    if first:
        yield block_edit(module, block, Span(spans[0].start, spans[first].start), "")
    for index in range(first + 1, len(spans)):
        if not stays[index]:
            yield block_edit(module, block, Span(spans[index - 1].end, spans[index].end), "")


def _whole(module: Module, block: Block, span: Span) -> tuple[PlacedEdit, ...]:
    """The statement's line with the blank lines that would stand twice after it has gone."""
    source = block.source
    line = source.line_column(span.end)[0]
    end = source.line_starts[line + 1] if line + 1 < len(source.line_starts) else len(block.text)
    after = re.match(r"(?:[ \t\f]*(?:\r\n|\r|\n))*", block.text[end:])
    blank_after = after.end() if after else 0
    index = module.blocks.index(block)
    own = block_edit(module, block, Span(span.start, end), "")
    if index == 0:
        return (block_edit(module, block, Span(span.start, end + blank_after), ""),)
    if not blank_after:
        return (own,)
    above = module.blocks[index - 1]
    blank = _BLANK_END.match(above.text, len(above.text.rstrip(" \t\f\r\n")))
    if blank is None:
        return (own,)
    return (block_edit(module, above, Span(blank.start(1), len(above.text)), ""), own)
