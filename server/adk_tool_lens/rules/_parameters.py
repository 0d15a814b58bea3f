"""Which parameters the model fills in, and which google-adk does."""

from __future__ import annotations

import re

from adk_tool_lens.declaration.model import Declared
from adk_tool_lens.discovery.model import MetadataKind, Parameter, ParameterKind, TypeKind, TypeTree
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules._versions import CONTEXT_BY_TYPE, at_least
from adk_tool_lens.rules.model import CALLABLE_KINDS, ToolView
from adk_tool_lens.source.text import Span

CONTEXTS = frozenset({"Context", "ToolContext", "CallbackContext"})
"""google-adk's names for the one class whose parameter it fills in (`utils/context_utils.py`)."""
_BETWEEN = re.compile(r"(?:[\s,\\]|#[^\r\n]*(?:[\r\n]|\Z))*/")


def is_context(tree: TypeTree | None) -> bool:
    """Whether google-adk takes a parameter of this type for its context."""
    return tree is not None and any(
        one.name.startswith("google.adk.") and one.name.rpartition(".")[2] in CONTEXTS
        for one in tree.alternatives
    )


def context_parameter(view: ToolView) -> Parameter | None:
    """The parameter that google-adk fills in: by its type, else by the name `tool_context`."""
    own = [p for p in view.tool.parameters if p.kind in CALLABLE_KINDS and not p.receiver]
    if at_least(view.facts.adk, CONTEXT_BY_TYPE):
        by_type = next((p for p in own if is_context(p.type)), None)
        if by_type is not None:
            return by_type
    return next((p for p in own if p.name == "tool_context"), None)


def for_the_model(view: ToolView) -> tuple[Parameter, ...]:
    """The parameters that the author may expect the model to fill in."""
    filled = {"input_stream", *(name for name in bound_names(view))}
    context = context_parameter(view)
    return tuple(
        p
        for p in view.tool.parameters
        if p.kind in CALLABLE_KINDS and not p.receiver and p is not context and p.name not in filled
    )


def bound_names(view: ToolView) -> frozenset[str]:
    """The parameters that `functools.partial` gives a value."""
    by_position = [p.name for p in view.tool.parameters if not p.receiver]
    count = sum(1 for argument in view.tool.bound if argument.keyword is None)
    named = {argument.keyword for argument in view.tool.bound if argument.keyword is not None}
    return frozenset(by_position[:count]) | named


def is_exact(view: ToolView) -> bool:
    """Whether the declaration is google-adk's own answer to this very function."""
    return isinstance(view.answer, Declared) and not view.approximations and not is_hidden(view)


def is_hidden(view: ToolView) -> bool:
    """Whether a decorator's wrapper was declared in the function's place."""
    if view.tool.hidden_by is None or view.declaration is None:
        return False
    missing = any(p.name not in view.sent for p in for_the_model(view) if not p.name.startswith("_"))
    return view.tool.is_object or view.declaration.get("name") != view.tool.name or missing


def has_field_default(parameter: Parameter) -> bool:
    """Whether the default is `Field(...)`."""
    return any(metadata.kind is MetadataKind.DEFAULT for metadata in parameter.metadata)


def defaults_to_none(parameter: Parameter) -> bool:
    """Whether the default is written `None`."""
    return parameter.default is not None and parameter.default.text.strip("() \t") == "None"


def typed_as(parameter: Parameter, *kinds: TypeKind) -> bool:
    """Whether all alternatives of the annotation are of these kinds."""
    tree = parameter.type
    return (
        tree is not None and bool(tree.alternatives) and all(one.kind in kinds for one in tree.alternatives)
    )


def type_place(parameter: Parameter) -> Place:
    """The annotation, or the name of a parameter without one."""
    return parameter.annotation.place if parameter.annotation else parameter.place


def word_place(where: Place, word: str) -> Place:
    """A word within a place; the place itself when the word is not there."""
    text = where.block.text[where.span.start : where.span.end]
    found = re.search(rf"\b{re.escape(word)}\b", text)
    if found is None:
        return where
    start, end = found.span()
    return Place(where.path, where.block, Span(where.span.start + start, where.span.start + end))


def slash_place(view: ToolView) -> Place | None:
    """The `/` in `def f(x, /)`, when parameters other than `self` stand before it."""
    before = [p for p in view.tool.parameters if p.kind is ParameterKind.POSITIONAL_ONLY]
    if not any(not p.receiver for p in before):
        return None
    whole = before[-1].whole
    found = _BETWEEN.match(whole.block.text, whole.span.end)
    if found is None:
        return before[-1].place
    return Place(whole.path, whole.block, Span(found.end() - 1, found.end()))


def nearby(view: ToolView, place: Place | None) -> Place:
    """A place when it is in the tool's own file, else the tool's name."""
    known = place is not None and place.path == view.tool.place.path
    return place if known and place is not None else view.tool.place
