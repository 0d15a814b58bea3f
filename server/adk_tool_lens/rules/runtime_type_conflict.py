'''The function receives another type than its annotation says.

## What it does
Reports parameters whose annotation is an enumeration, a dataclass, a date, a `Decimal`, a set and the like.

## Why it matters
google-adk passes what JSON holds. From 2.0 on pydantic models, optional ones and lists of them are made
into objects; before, `Model` and `Optional[Model]` alone are: with `Model | None`, `list[Model]` or `from
__future__ import annotations` the function gets dicts. An `Enum`, a date, a `Decimal` or a `UUID` arrives as
text, a dataclass as a dict, a set or a tuple as a list, and `.value`, `.year` or `.add` fail.

## What it ignores
Enumerations that are `str` or `int` themselves, `TypedDict`, `tuple[T, ...]`, and parameters that the
function converts or tests itself (`Colour(colour)`, `isinstance(...)`, `date.fromisoformat(...)`,
`set(tags)`). Types of pydantic (`SecretStr`, `HttpUrl`) are only an info.

## Example
```python
import datetime


def book(day: datetime.date) -> dict:
    """Book a table.

    Args:
        day: The day.

    Returns:
        A dict with `year`.
    """
    return {"year": day.year}
```

## Use instead
```python
import datetime


def book(day: str) -> dict:
    """Book a table.

    Args:
        day: The day, e.g. "2026-03-31".

    Returns:
        A dict with `year`.
    """
    return {"year": datetime.date.fromisoformat(day).year}
```

## Fix
None: convert the argument in the function, or use a pydantic model.
'''

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.declaration.model import Declared, Refused
from adk_tool_lens.discovery.model import Parameter, TypeKind, TypeTree
from adk_tool_lens.rules._conversions import is_made_by_1, models
from adk_tool_lens.rules._parameters import for_the_model, is_hidden
from adk_tool_lens.rules._schema import parts
from adk_tool_lens.rules._versions import MODELS_IN_LISTS, Versions, at_least
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "schema"
DIFFERS = (Versions(below=MODELS_IN_LISTS),)
_AS_TEXT = frozenset(
    {
        "builtins.bytes", "builtins.complex", "datetime.date", "datetime.datetime", "datetime.time",
        "datetime.timedelta", "decimal.Decimal", "fractions.Fraction", "ipaddress.IPv4Address",
        "ipaddress.IPv4Network", "ipaddress.IPv6Address", "pathlib.Path", "pathlib.PurePath", "re.Pattern",
        "uuid.UUID",
    }
)  # fmt: skip
_AS_LIST = frozenset({"builtins.set", "builtins.frozenset", "builtins.tuple", "collections.deque"})
_PYDANTIC_TEXT = frozenset(
    {"SecretStr", "SecretBytes", "HttpUrl", "AnyUrl", "AnyHttpUrl", "FileUrl", "UUID4"}
)
_CONVERTERS = frozenset(
    {
        "isinstance", "fromisoformat", "strptime", "parse", "fromtimestamp", "isoparse", "int", "float",
        "str", "tuple", "set", "list", "frozenset", "validate_python", "model_validate", "getattr", "hasattr",
    }
)  # fmt: skip


_OF = {
    False: "of pydantic models only. Convert the argument in the function, or use a pydantic model",
    True: "of a parameter's own model, not of this one. Call `model_validate` in the function",
}


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not isinstance(view.answer, Declared | Refused) or is_hidden(view):
        return
    for parameter in for_the_model(view):
        if isinstance(view.answer, Declared) and parameter.name not in view.sent:
            continue
        found = next(_all_conflicts(view, parameter), None)
        if found is None or _is_converted(view, parameter, found[0]):
            continue
        if found[0].name == "builtins.tuple" and _is_fixed(view, parameter):
            continue  # unsupported-by-provider tells more
        yield _finding(view, parameter, *found)


def _all_conflicts(view: ToolView, parameter: Parameter) -> Iterator[tuple[TypeTree, str]]:
    if parameter.type is None:
        return
    early = view.declaration is not None and not at_least(view.facts.adk, MODELS_IN_LISTS)
    if early and not is_made_by_1(view.tool, parameter):
        yield from ((one, "dict") for one in models(parameter.type))
    yield from _conflicts(parameter.type)


def _conflicts(tree: TypeTree) -> Iterator[tuple[TypeTree, str]]:
    """The parts of a type that arrive as something else, and as what."""
    alternatives = tree.alternatives
    if alternatives and all(one.kind is TypeKind.MODEL for one in alternatives):
        return
    for one in alternatives:
        if one.name == "builtins.list" and one.arguments and one.arguments[0].kind is TypeKind.MODEL:
            continue
        arrives = _arrives(one)
        if arrives:
            yield one, arrives
        for inner in one.arguments:
            if one.kind is not TypeKind.MODEL:
                yield from _within(inner)


def _within(tree: TypeTree) -> Iterator[tuple[TypeTree, str]]:
    """The same for what stands in a container: there no model is made either."""
    for one in tree.alternatives:
        arrives = "dict" if one.kind is TypeKind.MODEL else _arrives(one)
        if arrives:
            yield one, arrives
        for inner in one.arguments:
            yield from _within(inner)


def _arrives(one: TypeTree) -> str:
    """As what a type arrives; empty when it arrives as itself, or that is not known."""
    match one.kind:
        case TypeKind.ENUM if one.mixin is None:
            return "the plain value"
        case TypeKind.DATACLASS:
            return "dict"
        case TypeKind.NAMED_TUPLE:
            return "list"
    if one.name in _AS_TEXT or _is_pydantic_text(one):
        return "str"
    if one.name in _AS_LIST:
        open_tuple = one.name == "builtins.tuple" and (
            not one.arguments or one.arguments[-1].kind is TypeKind.ELLIPSIS
        )
        return "" if open_tuple else "list"
    return ""


def _is_pydantic_text(one: TypeTree) -> bool:
    return one.name.startswith("pydantic") and one.name.rpartition(".")[2] in _PYDANTIC_TEXT


def _is_fixed(view: ToolView, parameter: Parameter) -> bool:
    schema = view.sent.get(parameter.name) or {}
    return any("prefixItems" in part.schema for part in parts(parameter.name, schema, view.schema))


def _is_converted(view: ToolView, parameter: Parameter, node: TypeTree) -> bool:
    """Whether the function looks at the argument's type or makes the annotated one of it."""
    converters = _CONVERTERS | {node.name.rpartition(".")[2]}
    return any(
        call.callee.rpartition(".")[2] in converters
        and any(parameter.name in argument.parameters for argument in call.arguments)
        for call in view.tool.body.calls
    )


def _finding(view: ToolView, parameter: Parameter, node: TypeTree, arrives: str) -> Finding:
    text = node.place.block.text[node.place.span.start : node.place.span.end]
    found = arrives if arrives.startswith("the ") else f"`{arrives}`"
    return Finding(
        "runtime-type-conflict",
        Severity.INFO if _is_pydantic_text(node) else SEVERITY,
        f"google-adk passes {found} where `{parameter.name}` of `{view.tool.name}` says `{text}`: it makes "
        f"objects {_OF[node.kind is TypeKind.MODEL]}.",
        node.place,
        view.tool.name,
    )
