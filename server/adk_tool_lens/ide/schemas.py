"""Schemas of declarations in one form, whichever of google-adk's two forms they came in.

google-adk 2.x sends JSON Schema (`{"type": "string"}`, `$defs`, `anyOf`); 1.x, and 2.x with
`ADK_DISABLE_JSON_SCHEMA_FOR_FUNC_DECL`, sends google-genai's `Schema` (`{"type": "STRING", "any_of": [...],
"nullable": true}`, limits as text). Here both become a set of alternatives, each of one type.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Json = Mapping[str, Any]

ANY = "any"
"""The type of a schema that says none: every value is allowed."""

_NAMES = {
    "additional_properties": "additionalProperties",
    "any_of": "anyOf",
    "max_items": "maxItems",
    "max_length": "maxLength",
    "max_properties": "maxProperties",
    "min_items": "minItems",
    "min_length": "minLength",
    "min_properties": "minProperties",
    "property_ordering": "propertyOrdering",
    "prefix_items": "prefixItems",
}


@dataclass(frozen=True)
class Alternative:
    """One way a value may be: a single type and what it restricts."""

    type: str
    schema: Json = field(hash=False)
    """The keywords, under JSON Schema's names."""

    @property
    def values(self) -> tuple[str, ...] | None:
        """The allowed values as JSON, when they are listed."""
        if "const" in self.schema:
            return (as_json(self.schema["const"]),)
        listed = self.schema.get("enum")
        return tuple(map(as_json, listed)) if isinstance(listed, list) else None

    @property
    def title(self) -> str:
        """What it is called, for telling several objects of a union apart."""
        return str(self.schema.get("title") or "")


def as_json(value: object) -> str:
    """A value as compact JSON with sorted keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def named(schema: Json) -> dict[str, Any]:
    """The schema's own keywords under JSON Schema's names."""
    return {_NAMES.get(key, key): value for key, value in schema.items()}


def alternatives(schema: Any, definitions: Json, seen: frozenset[str] = frozenset()) -> list[Alternative]:
    """The alternatives of a schema; `$ref` is followed, but never in a circle."""
    if schema is True or not isinstance(schema, Mapping):
        return [Alternative(ANY, {})]
    own = named(schema)
    reference = own.get("$ref")
    if isinstance(reference, str):
        return _referred(reference, own, definitions, seen)
    found: list[Alternative] = []
    for keyword in ("anyOf", "oneOf"):
        for each in own.get(keyword) or ():
            found += alternatives(each, definitions, seen)
    if not found:
        found = list(_plain(own))
    if own.get("nullable") and all(each.type != "null" for each in found):
        found.append(Alternative("null", {}))
    return _without_doubles(found)


def _referred(reference: str, own: Json, definitions: Json, seen: frozenset[str]) -> list[Alternative]:
    name = reference.rpartition("/")[2]
    target = definitions.get(name)
    if name in seen or not isinstance(target, Mapping):
        return [Alternative(f"${name}", {})]
    beside = {key: value for key, value in own.items() if key != "$ref"}
    return alternatives({**named(target), **beside}, definitions, seen | {name})


def _plain(own: Json) -> Iterator[Alternative]:
    kind = own.get("type")
    if isinstance(kind, list):
        yield from (Alternative(str(each).lower(), own) for each in kind)
    elif isinstance(kind, str) and kind.lower() != "type_unspecified":
        yield Alternative(kind.lower(), own)
    elif "properties" in own:
        yield Alternative("object", own)
    else:
        yield Alternative(_type_of_values(own), own)


def _type_of_values(own: Json) -> str:
    values = [own["const"]] if "const" in own else own.get("enum") or []
    types = {_TYPES.get(type(value), ANY) for value in values}
    return types.pop() if len(types) == 1 else ANY


_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def _without_doubles(found: list[Alternative]) -> list[Alternative]:
    unique: dict[tuple[str, str], Alternative] = {}
    for each in found:
        unique.setdefault((each.type, as_json(each.schema)), each)
    return list(unique.values())


def definitions_of(schema: Any) -> Json:
    """The definitions that `$ref` names."""
    if not isinstance(schema, Mapping):
        return {}
    return schema.get("$defs") or schema.get("definitions") or schema.get("defs") or {}
