"""Returns an error that the model can read instead of raising one that ends the run.

`raise ValueError("no such order")` becomes `return {"status": "error", "error_message": "no such order"}`.
"""

from __future__ import annotations

import ast

from adk_tool_lens.fixes.annotations import literal
from adk_tool_lens.fixes.calls import function_around
from adk_tool_lens.fixes.docstring_text import PLACEHOLDER
from adk_tool_lens.fixes.model import Case, Repair, edit
from adk_tool_lens.fixes.nodes import around, has_comment, text_of
from adk_tool_lens.source.blocks import Block


def repair(case: Case) -> Repair | None:
    """The edits; None when the tool's other results are no dicts, or the message cannot be told."""
    place = case.place
    node = around(place, ast.Raise) if place is not None else None
    tool = case.tool
    if place is None or node is None or tool is None or tool.is_generator or not _gives_dict(case):
        return None
    function = function_around(place, node)
    span = place.block.span(node)
    message = _message(place.block, node)
    if function is None or message is None or has_comment(place.block.text[span.start : span.end]):
        return None
    text = f'return {{"status": "error", "error_message": {message}}}'
    return Repair(
        "Return the error to the model instead of raising it",
        (edit(place, span.start, span.end, text),),
        safe=False,
        snippet=PLACEHOLDER in message,
    )


def _gives_dict(case: Case) -> bool:
    tool = case.tool
    if tool is None:
        return False
    written = tool.returns.text.lower() if tool.returns is not None else ""
    kinds = {returned.kind for returned in tool.body.returns} - {"none"}
    return written.startswith(("dict", "typing.dict")) or (not written and kinds <= {"dict"})


def _message(block: Block, node: ast.Raise) -> str | None:
    match node.exc:
        case ast.Call(args=[ast.Constant(value=str()) | ast.JoinedStr() as text], keywords=[]):
            return text_of(block, text)
        case ast.Call(args=[ast.expr() as other], keywords=[]) if not isinstance(other, ast.Starred):
            return f"str({text_of(block, other)})"
        case ast.Call(args=[], keywords=[]) | ast.Name() | ast.Attribute():
            return literal(PLACEHOLDER)
    return None
