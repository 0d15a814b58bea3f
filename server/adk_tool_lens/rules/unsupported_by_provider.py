'''A schema uses what the model's provider does not support.

## What it does
Reports parameters whose schema has keywords outside of Gemini's schema: `prefixItems` (a tuple of fixed
length), `uniqueItems` (a set), `oneOf` with a discriminator, enumerations of anything but texts, a type
that refers to itself, an empty text among the values of an enumeration; on Vertex AI also parts without
`type`.

## Why it matters
Gemini's `Schema` has none of these keywords: they are dropped or the request is refused, depending on
model and back end. Gemini refuses an empty text in an enumeration (400), Vertex AI each part without
`type` (400). google-adk sends them all (2.0 to 2.13). `exclusiveMinimum`, `exclusiveMaximum` and
`multipleOf` are an info.

## What it ignores
Agents whose model is known to be no Gemini model.

## Example
```python
def area(corner: tuple[float, float]) -> dict:
    """Get the area of a plot.

    Args:
        corner: Latitude and longitude of a corner.

    Returns:
        A dict with `area` in square metres.
    """
    return {"area": 12.5}
```

## Use instead
```python
def area(latitude: float, longitude: float) -> dict:
    """Get the area of a plot.

    Args:
        latitude: Latitude of a corner.
        longitude: Longitude of a corner.

    Returns:
        A dict with `area` in square metres.
    """
    return {"area": 12.5}
```

## Fix
None: use another type.
'''

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adk_tool_lens.declaration.model import Backend
from adk_tool_lens.discovery.model import Parameter, TypeKind
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.rules._parameters import is_exact, type_place
from adk_tool_lens.rules._providers import for_gemini
from adk_tool_lens.rules._schema import Part, Schema, parts, referred, says_nothing
from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.WARNING
GROUP = "schema"
_NUMBERS = ("exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_ROLES = ("oneOf", "discriminator")


@dataclass(frozen=True)
class _Fault:
    """What is not supported: a key for the place, words, and how grave it is."""

    key: str
    what: str
    cure: str
    severity: Severity = SEVERITY
    refused: bool = False
    """Whether the provider is known to refuse the request."""


def check_tool(view: ToolView) -> Iterator[Finding]:
    """See the module's docstring."""
    if not is_exact(view) or not for_gemini(view):
        return
    for parameter in view.parameters:
        seen: set[str] = set()
        for part in parts(parameter.name, view.sent[parameter.name], view.schema):
            for fault in _faults(view, part):
                if fault.key not in seen:
                    seen.add(fault.key)
                    yield _finding(view, parameter, part, fault)


def _faults(view: ToolView, part: Part) -> Iterator[_Fault]:
    schema = referred(part.schema, view.schema)
    if part.recursive:
        yield _Fault("$ref", "refers to itself", "Give it a fixed depth")
        return
    if "prefixItems" in schema:
        yield _Fault("prefixItems", "is a tuple of fixed length (`prefixItems`)", "Use a list or a model")
    if schema.get("uniqueItems"):
        yield _Fault("uniqueItems", "is a set (`uniqueItems`)", "Use a list")
    if any(key in schema for key in _ROLES):
        yield _Fault("oneOf", "uses `oneOf` with a discriminator", "Use a union without one, or one model")
    yield from _of_enumeration(schema)
    yield from _of_numbers(schema)
    if view.facts.backend is Backend.VERTEX and _lacks_type(schema, view.schema):
        yield _Fault("type", "has no `type`", "Use one plain type", refused=True)


def _of_enumeration(schema: Schema) -> Iterator[_Fault]:
    values = schema.get("enum") or ()
    if "" in values:
        yield _Fault(
            "empty", "allows an empty text in an enumeration", "Name the value", Severity.ERROR, refused=True
        )
    if any(not isinstance(value, str) for value in values):
        yield _Fault("enum", "has values that are no texts in its enumeration", "Use texts as values")


def _of_numbers(schema: Schema) -> Iterator[_Fault]:
    for key in _NUMBERS:
        if key in schema:
            yield _Fault("numbers", f"has a bound (`{key}`)", "Say it in the description, too", Severity.INFO)


def _lacks_type(schema: Schema, root: Schema) -> bool:
    """Whether a part has neither a type nor a reference to one; an untyped one has rules of its own."""
    return "type" not in schema and "$ref" not in schema and not says_nothing(schema, root)


_KINDS = {
    "uniqueItems": frozenset({"builtins.set", "builtins.frozenset", "collections.abc.Set"}),
    "prefixItems": frozenset({"builtins.tuple"}),
}


def _place(parameter: Parameter, fault: _Fault) -> Place:
    """The part of the annotation that a fault comes from."""
    if fault.key == "oneOf":
        options = [option for metadata in parameter.metadata for option in metadata.options]
        return next((o.place for o in options if o.name == "discriminator"), type_place(parameter))
    nodes = [] if parameter.type is None else list(parameter.type.walk())
    for node in nodes:
        if node.name in _KINDS.get(fault.key, ()):
            return node.place
        if fault.key in {"enum", "empty"} and node.kind in {TypeKind.ENUM, TypeKind.LITERAL}:
            return node.place
        if fault.key == "$ref" and node.kind in {TypeKind.MODEL, TypeKind.DATACLASS, TypeKind.TYPED_DICT}:
            return node.place
    return type_place(parameter)


def _finding(view: ToolView, parameter: Parameter, part: Part, fault: _Fault) -> Finding:
    who = "Vertex AI" if view.facts.backend is Backend.VERTEX else "Gemini"
    outcome = (
        f"which {who} refuses"
        if fault.refused
        else f"which is outside of {who}'s schema: it is dropped or refused, depending on the model"
    )
    return Finding(
        "unsupported-by-provider",
        fault.severity,
        f"`{part.path}` of `{view.tool.name}` {fault.what}, {outcome}. {fault.cure}.",
        _place(parameter, fault),
        view.tool.name,
    )
