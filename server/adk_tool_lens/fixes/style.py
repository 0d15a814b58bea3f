"""In which style new docstrings are written."""

from __future__ import annotations

import ast
from collections import Counter

from adk_tool_lens.discovery.module import Module
from adk_tool_lens.docstrings.model import Style
from adk_tool_lens.docstrings.reader import read
from adk_tool_lens.fixes.model import Taste
from adk_tool_lens.source.blocks import Block, per_block

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def style_for(module: Module, taste: Taste) -> Style:
    """The configured style, else the one most used in the project, else in the file, else Google's."""
    known = taste.style or taste.usual()
    if known is not None:
        return known
    used: Counter[Style] = Counter()
    for block in module.blocks:
        used.update(_styles(block))
    used.pop(Style.PLAIN, None)
    return max(used, key=lambda style: used[style]) if used else Style.GOOGLE


@per_block
def _styles(block: Block) -> Counter[Style]:
    """The styles of a block's docstrings."""
    return Counter(_found(block))


def _found(block: Block) -> list[Style]:
    if '"""' not in block.text and "'''" not in block.text:
        return []
    found = []
    for node in ast.walk(block.tree) if block.tree is not None else ():
        if isinstance(node, _FUNCTIONS):
            text = ast.get_docstring(node, clean=False)
            names = [part.arg for part in (*node.args.args, *node.args.kwonlyargs)]
            if text:
                found.append(read(text, names).style)
    return found
