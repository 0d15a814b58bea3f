"""Why google-adk refused to declare a tool: which parameter, and which rule can say more about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from adk_tool_lens.declaration.model import Refused
from adk_tool_lens.discovery.model import Expression, Parameter, TypeKind
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules._parameters import (
    context_parameter,
    has_field_default,
    is_context,
    type_place,
    word_place,
)
from adk_tool_lens.rules.model import CALLABLE_KINDS, ToolView


class Cause(Enum):
    """What a refusal is about."""

    SECOND_CONTEXT = "second-context-parameter"
    OTHER_CONTEXT = "context-parameter-exposed"
    RESERVED_NAME = "reserved-parameter-name"
    FIELD_DEFAULT = "field-as-default"
    OTHER = "declaration-fails"


@dataclass(frozen=True)
class Blame:
    """A refusal's cause, the parameter it belongs to and the narrowest place."""

    cause: Cause
    parameter: Parameter | None
    place: Place


RESERVED = frozenset(
    {
        "__annotations__", "__base__", "__cls_kwargs__", "__config__", "__doc__", "__pydantic_fields__",
        "__qualname__", "__slots__", "__validators__", "model_config", "model_json_schema",
    }
)  # fmt: skip
"""Names that mean something else to pydantic's `create_model`, whose errors do not name them."""
_LONGEST = 300
_CONFLICT = re.compile(r"Field ['\"`](\w+)['\"`] conflicts with member")
_NAMED = (
    re.compile(r"[Pp]arameter:? ['\"`]?(\w+)"),
    re.compile(r"[Ff]ield ['\"`](\w+)['\"`]"),
)
_UNDEFINED = re.compile(r"name '(\w+)' is not defined")
_CLASS = re.compile(r"<(?:class|enum|function) '?([\w.<>]+)'?")
_NOT_DECLARED = re.compile(r"for (?:typing\.|collections\.abc\.)?([A-Za-z_][\w.]*)")
_SCHEMA = re.compile(r"core_schema\.(\w+?)Schema")
_NOISE = re.compile(
    r"\s*(?:Set `arbitrary_types_allowed|For further information visit|Automatic function calling works"
    r"|If you got this error by).*",
    re.DOTALL,
)


def blame(view: ToolView) -> Blame | None:
    """What a refusal is about; None while the tool is not refused."""
    if not isinstance(view.answer, Refused):
        return None
    for find in (_second_context, _other_context, _reserved, _field_default):
        found = find(view, view.answer)
        if found is not None:
            return found
    return _other(view, view.answer)


def says(refused: Refused) -> str:
    """google-adk's error without advice that is not for authors of tools."""
    head = " ".join(_NOISE.sub("", refused.message).split())
    if len(head) > _LONGEST:
        sentence = head.rfind(". ", 0, _LONGEST)
        head = head[: sentence + 1] if sentence > 0 else f"{head[:_LONGEST].rsplit(' ', 1)[0]} …"
    return f"It raises {refused.type}: {head}".rstrip(": .") + "."


def _own(view: ToolView) -> list[Parameter]:
    return [p for p in view.tool.parameters if p.kind in CALLABLE_KINDS and not p.receiver]


def _second_context(view: ToolView, refused: Refused) -> Blame | None:
    first = context_parameter(view)
    others = [p for p in _own(view) if is_context(p.type) and p is not first]
    if first is None or not is_context(first.type) or not others or "ontext" not in refused.message:
        return None
    return Blame(Cause.SECOND_CONTEXT, others[0], others[0].place)


def _other_context(view: ToolView, refused: Refused) -> Blame | None:
    """`ReadonlyContext`, `InvocationContext`, and before 1.28 a `ToolContext` under another name."""
    context = context_parameter(view)
    for parameter in _own(view):
        name = "" if parameter.type is None else (*parameter.type.alternatives, parameter.type)[0].name
        last = name.rpartition(".")[2]
        if parameter is context or not name.startswith("google.adk.") or not last.endswith("Context"):
            continue
        if last in refused.message or _is_named(parameter, refused) or "google.adk" in refused.message:
            return Blame(Cause.OTHER_CONTEXT, parameter, type_place(parameter))
    return None


def _reserved(view: ToolView, refused: Refused) -> Blame | None:
    conflict = _CONFLICT.search(refused.message)
    for parameter in _own(view):
        if conflict is not None and parameter.name == conflict.group(1):
            return Blame(Cause.RESERVED_NAME, parameter, parameter.place)
    if conflict is None and refused.type in {"TypeError", "AttributeError", "ValueError", "NameError"}:
        for parameter in _own(view):
            if parameter.name in RESERVED and not _UNDEFINED.search(refused.message):
                return Blame(Cause.RESERVED_NAME, parameter, parameter.place)
    return None


def _field_default(view: ToolView, refused: Refused) -> Blame | None:
    if "FieldInfo" not in refused.message or "Annotated[" in refused.message:
        return None
    for parameter in _own(view):
        if has_field_default(parameter) and parameter.default is not None:
            return Blame(Cause.FIELD_DEFAULT, parameter, parameter.default.place)
    return None


# ---------------------------------------------------------------- any other error


def _other(view: ToolView, refused: Refused) -> Blame:
    for find in _WAYS:
        for found in find(view, refused):
            return found
    return Blame(Cause.OTHER, None, view.tool.place)


def _by_undefined_name(view: ToolView, refused: Refused) -> Iterator[Blame]:
    found = _UNDEFINED.search(refused.message)
    if found is None:
        return
    for parameter, annotation in _annotations(view):
        if re.search(rf"\b{re.escape(found.group(1))}\b", annotation.text):
            yield Blame(Cause.OTHER, parameter, word_place(annotation.place, found.group(1)))


def _annotations(view: ToolView) -> Iterator[tuple[Parameter | None, Expression]]:
    for parameter in view.tool.parameters:
        if parameter.annotation is not None:
            yield parameter, parameter.annotation
    if view.tool.returns is not None:
        yield None, view.tool.returns


def _by_parameter(view: ToolView, refused: Refused) -> Iterator[Blame]:
    for parameter in _own(view):
        if _is_named(parameter, refused):
            about_default = "efault value" in refused.message and parameter.default is not None
            place = parameter.default.place if about_default and parameter.default else _type(parameter)
            yield Blame(Cause.OTHER, parameter, place)


def _type(parameter: Parameter) -> Place:
    """The one class in an annotation that can be the fault, else the annotation."""
    nodes = [] if parameter.type is None else list(parameter.type.walk())
    classes = [node for node in nodes if node.kind is TypeKind.CLASS]
    return classes[0].place if len(classes) == 1 else type_place(parameter)


def _is_named(parameter: Parameter, refused: Refused) -> bool:
    return any(parameter.name in pattern.findall(refused.message) for pattern in _NAMED)


def _by_type(view: ToolView, refused: Refused) -> Iterator[Blame]:
    """The parameter whose type the error names: `Unable to generate ... for <class 'shop.Client'>`."""
    named = [*_CLASS.findall(refused.message), *_NOT_DECLARED.findall(refused.message)]
    words = {name.rpartition(".")[2].strip("<>") for name in named} | set(_SCHEMA.findall(refused.message))
    for parameter in _own(view):
        if parameter.type is None or parameter is context_parameter(view):
            continue
        for node in parameter.type.walk():
            last = node.name.rpartition(".")[2]
            if last and last in words and node.kind is not TypeKind.ANY:
                yield Blame(Cause.OTHER, parameter, node.place)


def _by_any_default(view: ToolView, refused: Refused) -> Iterator[Blame]:
    """1.x tests a default by `isinstance(default, Any)`."""
    if "isinstance" not in refused.message:
        return
    for parameter in _own(view):
        if (
            parameter.default is not None
            and parameter.type is not None
            and parameter.type.kind is TypeKind.ANY
        ):
            yield Blame(Cause.OTHER, parameter, parameter.default.place)


def _by_being_alone(view: ToolView, refused: Refused) -> Iterator[Blame]:
    """The only parameter whose type google-adk may not know."""
    if refused.type not in {
        "PydanticSchemaGenerationError",
        "PydanticInvalidForJsonSchema",
        "RecursionError",
    }:
        return
    plain = ("builtins.str", "builtins.int", "builtins.float", "builtins.bool")
    odd = [p for p in _own(view) if p.type is not None and p is not context_parameter(view)]
    odd = [p for p in odd if p.type is not None and any(n.name not in plain for n in p.type.alternatives)]
    if len(odd) == 1:
        yield Blame(Cause.OTHER, odd[0], type_place(odd[0]))


def _by_registration(view: ToolView, refused: Refused) -> Iterator[Blame]:
    """A callable object or `partial` that 1.x cannot name: the fault is where it is handed over."""
    if "__name__" not in refused.message:
        return
    for registration in view.tool.registrations:
        if registration.place.path == view.tool.place.path:
            yield Blame(Cause.OTHER, None, registration.place)


_WAYS: tuple[Callable[[ToolView, Refused], Iterator[Blame]], ...] = (
    _by_undefined_name,
    _by_parameter,
    _by_type,
    _by_any_default,
    _by_registration,
    _by_being_alone,
)
