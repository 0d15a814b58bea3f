"""Reads declarations' schemas, of either form that google-adk sends (`string` or `STRING`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

Schema = Mapping[str, Any]
MOST_PARTS = 4_000
_BRANCHES = ("anyOf", "any_of", "oneOf", "one_of", "allOf")
_LISTS = ("prefixItems", *_BRANCHES)
_SINGLE = ("items", "additionalProperties", "additional_properties")


@dataclass(frozen=True)
class Part:
    """A sub-schema: the way to it (`order.lines[].sku`), and whether it refers back to one around it."""

    path: str
    schema: Schema
    objects: int = 0
    """How many object schemas are around it, itself included."""
    recursive: bool = False


def referred(schema: Schema, root: Schema) -> Schema:
    """The schema that a `$ref` names; any other schema itself."""
    name = schema.get("$ref")
    if not isinstance(name, str):
        return schema
    found = (root.get("$defs") or {}).get(name.rpartition("/")[2])
    return found if isinstance(found, Mapping) else schema


def parts(name: str, schema: Schema, root: Schema) -> Iterator[Part]:
    """A parameter's schema and what it holds; a schema within itself ends with a recursive part.

    `M2` with two fields of `M1`, which has two of `M0`: parts double with each model, so they are cut off.
    """
    return islice(_parts(Part(name, schema), root, ()), MOST_PARTS)


def _parts(part: Part, root: Schema, around: tuple[str, ...]) -> Iterator[Part]:
    reference = part.schema.get("$ref")
    if isinstance(reference, str):
        if reference in around:
            yield Part(part.path, part.schema, part.objects, recursive=True)
            return
        around = (*around, reference)
    schema = referred(part.schema, root)
    objects = part.objects + ("properties" in schema)
    yield Part(part.path, schema, objects)
    for path, inner in _inner(part.path, schema):
        yield from _parts(Part(path, inner, objects), root, around)


def _inner(path: str, schema: Schema) -> Iterator[tuple[str, Schema]]:
    for name, inner in (schema.get("properties") or {}).items():
        if isinstance(inner, Mapping):
            yield f"{path}.{name}", inner
    for key in _SINGLE:
        if isinstance(schema.get(key), Mapping):
            yield f"{path}[]", schema[key]
    for key in _LISTS:
        for inner in schema.get(key) or ():
            if isinstance(inner, Mapping):
                yield f"{path}[]" if key == "prefixItems" else path, inner


def branches(schema: Schema, root: Schema) -> Iterator[Schema]:
    """The alternatives of a schema, references followed; of a plain one, the schema itself."""
    schema = referred(schema, root)
    inner = [one for key in _BRANCHES for one in schema.get(key) or () if isinstance(one, Mapping)]
    if not inner:
        yield schema
    for one in inner:
        yield from branches(one, root)


def types(schema: Schema, root: Schema) -> frozenset[str]:
    """The JSON types that a schema allows, in small letters; empty when it says nothing about them."""
    found: set[str] = set()
    for branch in branches(schema, root):
        written = branch.get("type")
        if written is None:
            return frozenset()
        found.update(str(one).lower() for one in (written if isinstance(written, list) else [written]))
        if branch.get("nullable"):
            found.add("null")
    return frozenset(found)


def says_nothing(schema: Schema, root: Schema) -> bool:
    """Whether a schema allows any value."""
    schema = referred(schema, root)
    return not any(key in schema for key in ("type", "enum", "const", "$ref", *_BRANCHES))
