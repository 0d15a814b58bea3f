"""Differences of declarations: a table of schemas before and after, with what each change means."""

from __future__ import annotations

from typing import Any

import pytest

from adk_tool_lens.ide.contract import Kind, changes

B, C, W = Kind.BREAKING, Kind.COMPATIBLE, Kind.WORDING
Schema = dict[str, Any]


def declaration(properties: Schema, required: Any = (), **more: Any) -> Schema:
    schema = {"type": "object", "properties": properties, "required": list(required), **more}
    return {"name": "find", "description": "Find.", "parameters_json_schema": schema}


def told(old: Schema | None, new: Schema | None) -> list[tuple[Kind, str, str]]:
    return [(each.kind, each.where, each.message) for each in changes(old, new)]


S = {"type": "string"}
N = {"type": "number"}
I = {"type": "integer"}  # noqa: E741 - one letter a type keeps the table readable
NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (S, S, []),
        (S, {}, [(C, "the type was widened from string to any")]),
        ({}, S, [(B, "the type was narrowed from any to string")]),
        (I, N, [(C, "the type was widened from integer to number")]),
        (N, I, [(B, "the type was narrowed from number to integer")]),
        (S, I, [(B, "the type changed from string to integer")]),
        ({"anyOf": [S, NULL]}, S, [(B, "the type was narrowed from string | null to string")]),
        (S, {"anyOf": [S, NULL]}, [(C, "the type was widened from string to string | null")]),
        ({"anyOf": [S, NULL]}, {"type": "string", "nullable": True}, []),
        ({"anyOf": [S, NULL]}, {"type": ["string", "null"]}, []),
        (S, {"type": "STRING"}, []),
        ({"anyOf": [S, I]}, {"any_of": [{"type": "INTEGER"}, {"type": "STRING"}]}, []),
        ({"enum": ["a", "b"], **S}, {"enum": ["a"], **S}, [(B, 'the value "b" was removed')]),
        ({"enum": ["a"], **S}, {"enum": ["b", "a"], **S}, [(C, 'the value "b" was added')]),
        ({"const": "a", **S}, {"enum": ["a"], **S}, []),
        (S, {"enum": ["a"], **S}, [(B, 'only "a" are allowed now')]),
        ({"enum": ["a"], **S}, S, [(C, 'any value is allowed, no longer only "a"')]),
        (I, {"minimum": 1, **I}, [(B, "minimum changed from none to 1")]),
        ({"minimum": 1, **I}, {"minimum": 0, **I}, [(C, "minimum changed from 1 to 0")]),
        ({"maximum": 9, **I}, {"maximum": 5, **I}, [(B, "maximum changed from 9 to 5")]),
        ({"maxLength": 9, **S}, {"max_length": "9", "type": "STRING"}, []),
        ({"pattern": "a", **S}, {"pattern": "b", **S}, [(B, 'the pattern changed from "a" to "b"')]),
        ({"format": "date", **S}, S, [(C, 'the format "date" was removed')]),
        ({"type": "array"}, {"type": "array", "items": {}}, []),
        (
            {"type": "array", "items": S},
            {"type": "array", "items": {"enum": ["a"], **S}},
            [(B, 'only "a" are allowed now')],
        ),
        (
            {"type": "object", "additionalProperties": S},
            {"type": "object", "additionalProperties": I},
            [(B, "the type changed from string to integer")],
        ),
        (
            {"type": "object"},
            {"type": "object", "additionalProperties": False},
            [(B, "other keys are no longer allowed")],
        ),
        (
            {"type": "array", "prefixItems": [S, S]},
            {"type": "array", "prefixItems": [S]},
            [(B, "the number of elements changed from 2 to 1")],
        ),
        ({"default": 1, **I}, {"default": 2, **I}, [(C, "the default changed from 1 to 2")]),
        ({"default": None, **S}, S, [(C, "the default changed from null to none")]),
        (S, {"description": "d", **S}, [(W, "a description was added")]),
        ({"description": "d", **S}, {"description": "e", **S}, [(W, "the description changed")]),
        (
            {
                "anyOf": [
                    {"type": "object", "properties": {"a": S}},
                    {"type": "object", "properties": {"b": S}},
                ]
            },
            {"type": "object", "properties": {"a": S}},
            [(B, "the type was narrowed from object to object")],
        ),
    ],
)
def test_a_parameter_changes(old: Schema, new: Schema, expected: list[tuple[Kind, str]]) -> None:
    found = told(declaration({"x": old}), declaration({"x": new}))
    assert [(kind, message) for kind, _, message in found] == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            declaration({"a": S, "b": I}, ("a",)),
            declaration({"a": S}, ("a",)),
            [(B, "parameters.b", "the parameter `b` was removed")],
        ),
        (
            declaration({"a": S}),
            declaration({"a": S}, ("a",)),
            [(B, "parameters.a", "the parameter `a` is newly required")],
        ),
        (
            declaration({"a": S}, ("a",)),
            declaration({"a": S}),
            [(C, "parameters.a", "the parameter `a` is no longer required")],
        ),
        (
            declaration({}),
            declaration({"a": S}, ("a",)),
            [(B, "parameters.a", "the required parameter `a` was added")],
        ),
        (declaration({}), declaration({"a": S}), [(C, "parameters.a", "the parameter `a` was added")]),
        (
            declaration({"a": {"title": "A", **S}}),
            declaration({"b": {"title": "B", **S}}),
            [(B, "parameters.a", "the parameter `a` is now called `b`")],
        ),
        (
            declaration({"a": {"type": "object", "properties": {"n": I}}}),
            declaration({"a": {"type": "object", "properties": {}}}),
            [(B, "parameters.a.n", "the parameter `n` was removed")],
        ),
        (
            declaration({"a": {"$ref": "#/$defs/K"}}, **{"$defs": {"K": {"enum": ["x", "y"], **S}}}),
            declaration({"a": {"enum": ["x"], **S}}),
            [(B, "parameters.a", 'the value "y" was removed')],
        ),
    ],
)
def test_parameters_change(old: Schema, new: Schema, expected: list[tuple[Kind, str, str]]) -> None:
    assert told(old, new) == expected


def test_the_tool_itself_changes() -> None:
    old = {"name": "find", "description": "Find."}
    assert told(old, {"name": "search", "description": "Find."}) == [
        (B, "name", "the name changed from `find` to `search`")
    ]
    assert told(old, {"name": "find"}) == [(W, "description", "the description was removed")]
    assert [kind for kind, *_ in told(old, None)] == [B]
    assert [kind for kind, *_ in told(None, old)] == [C]
    assert told(None, None) == []


def test_results_are_read_the_other_way() -> None:
    def with_result(properties: Schema, required: tuple[str, ...] = ()) -> Schema:
        schema = {"type": "object", "properties": properties, "required": list(required)}
        return {"name": "find", "response_json_schema": schema}

    assert told(with_result({"a": S}, ("a",)), with_result({"a": {"anyOf": [S, NULL]}})) == [
        (B, "result.a", "the field `a` is no longer required"),
        (B, "result.a", "the type was widened from string to string | null"),
    ]
    assert told(with_result({"a": N}), with_result({"a": I, "b": S}, ("b",))) == [
        (C, "result.a", "the type was narrowed from number to integer"),
        (C, "result.b", "the field `b` was added"),
    ]
    assert [kind for kind, *_ in told(with_result({"a": S}), {"name": "find"})] == [B]


def test_the_forms_of_both_generations_of_adk_are_equal() -> None:
    new = declaration({"a": {"title": "A", **S}, "b": {"anyOf": [I, NULL], "default": None}}, ("a",))
    old = {
        "name": "find",
        "description": "Find.",
        "parameters": {
            "type": "OBJECT",
            "properties": {
                "a": {"type": "STRING"},
                "b": {"type": "INTEGER", "nullable": True, "default": None},
            },
            "required": ["a"],
        },
    }
    assert told(old, new) == []
    assert told(new, old) == []


def test_circles_end() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "v": S}}
    changed = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}, "v": I}}
    old = declaration({"n": {"$ref": "#/$defs/Node"}}, **{"$defs": {"Node": node}})
    new = declaration({"n": {"$ref": "#/$defs/Node"}}, **{"$defs": {"Node": changed}})
    assert (B, "parameters.n.v", "the type changed from string to integer") in told(old, new)
    assert told(old, old) == []
