"""How one declaration differs from another, and whether that breaks those who rely on it.

A declaration is a contract with the model: prompts, examples, recorded sessions and evaluations rely on the
tool's name and on the arguments that it takes. A change is *breaking* when a call that was right before can
now be wrong (or, for the result, when a reader can find less than before), *compatible* when it only allows
more, and *wording* when only texts for the model changed.

Everything here is a pure function of two JSON values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from adk_tool_lens.ide.schemas import (
    ANY,
    Alternative,
    Json,
    alternatives,
    as_json,
    definitions_of,
    named,
)


class Kind(str, Enum):
    """What a change means for those who rely on a declaration."""

    BREAKING = "breaking"
    COMPATIBLE = "compatible"
    WORDING = "wording"


@dataclass(frozen=True)
class Change:
    """One difference: where, and in words."""

    kind: Kind
    where: str
    """`name`, `description`, `parameters.limit`, `result.orders[]`."""
    message: str


@dataclass(frozen=True)
class _Side:
    """Which way a schema is read: what is sent may not be narrowed, what comes back may not be widened."""

    narrowed: Kind
    widened: Kind
    noun: str


_INPUT = _Side(Kind.BREAKING, Kind.COMPATIBLE, "parameter")
_RESULT = _Side(Kind.COMPATIBLE, Kind.BREAKING, "field")


def changes(old: Json | None, new: Json | None) -> tuple[Change, ...]:
    """The differences between two declarations of one tool; None stands for no declaration.

    Two declarations that say the same in google-adk's two forms are equal.
    """
    if old is None or new is None:
        return tuple(_presence(old, new))
    before, after = _parts(old), _parts(new)
    found = [
        *_name(before.name, after.name),
        *_text("description", before.description, after.description),
        *_Comparison(_INPUT, before.parameters, after.parameters).run("parameters"),
        *_result(before.result, after.result),
    ]
    return tuple(dict.fromkeys(found))


def _presence(old: Json | None, new: Json | None) -> Iterator[Change]:
    if old is not None:
        yield Change(
            Kind.BREAKING, "declaration", "the declaration is gone: the model is not told of the tool"
        )
    elif new is not None:
        yield Change(Kind.COMPATIBLE, "declaration", "the model is now told of the tool")


@dataclass(frozen=True)
class _Parts:
    name: str
    description: str
    parameters: Any
    result: Any


def _parts(declaration: Json) -> _Parts:
    """The parts of a declaration, in google-adk's spelling or the wire's."""
    get = declaration.get
    return _Parts(
        str(get("name") or ""),
        str(get("description") or ""),
        get("parameters_json_schema") or get("parametersJsonSchema") or get("parameters") or {},
        get("response_json_schema") or get("responseJsonSchema") or get("response"),
    )


def _name(old: str, new: str) -> Iterator[Change]:
    if old != new:
        yield Change(Kind.BREAKING, "name", f"the name changed from `{old}` to `{new}`")


def _text(where: str, old: object, new: object) -> Iterator[Change]:
    if old == new:
        return
    what = where.rpartition(".")[2]
    if not old:
        yield Change(Kind.WORDING, where, f"a {what} was added")
    elif not new:
        yield Change(Kind.WORDING, where, f"the {what} was removed")
    else:
        yield Change(Kind.WORDING, where, f"the {what} changed")


def _result(old: Any, new: Any) -> Iterator[Change]:
    if old is None and new is not None:
        yield Change(Kind.COMPATIBLE, "result", "the model is now told the schema of the result")
    elif old is not None and new is None:
        yield Change(Kind.BREAKING, "result", "the model is no longer told the schema of the result")
    elif old is not None:
        yield from _Comparison(_RESULT, old, new).run("result")


_LIMITS = {
    "minimum": 1,
    "exclusiveMinimum": 1,
    "minLength": 1,
    "minItems": 1,
    "minProperties": 1,
    "maximum": -1,
    "exclusiveMaximum": -1,
    "maxLength": -1,
    "maxItems": -1,
    "maxProperties": -1,
}
"""1 where a higher number allows less, -1 where a lower one does."""
_CONDITIONS = ("pattern", "format", "multipleOf", "uniqueItems", "contentMediaType")
_TEXTS = ("description", "examples", "example")


class _Comparison:
    """Compares two schemas; each pair of `$ref` circles is followed once."""

    def __init__(self, side: _Side, old: Any, new: Any) -> None:
        self._side = side
        self._old, self._new = old, new
        self._definitions = definitions_of(old), definitions_of(new)
        self._open: set[tuple[str, str]] = set()

    def run(self, where: str) -> Iterator[Change]:
        """The differences of the whole schemas; a title there is only the function's name."""
        for change in self._schemas(where, self._old, self._new):
            if change.where != f"{where}.title":
                yield change

    def _narrowed(self, where: str, message: str) -> Change:
        return Change(self._side.narrowed, where, message)

    def _widened(self, where: str, message: str) -> Change:
        return Change(self._side.widened, where, message)

    def _schemas(self, where: str, old: Any, new: Any) -> Iterator[Change]:
        key = (as_json(old), as_json(new))
        if key in self._open:
            return
        self._open.add(key)
        yield from self._texts(where, old, new)
        before = alternatives(old, self._definitions[0])
        after = alternatives(new, self._definitions[1])
        pairs, gone, come = _matched(before, after)
        yield from self._types(where, before, after, gone, come)
        for left, right in pairs:
            yield from self._restrictions(where, left, right)
        self._open.discard(key)

    def _texts(self, where: str, old: Any, new: Any) -> Iterator[Change]:
        before = named(old) if isinstance(old, Mapping) else {}
        after = named(new) if isinstance(new, Mapping) else {}
        for keyword in _TEXTS:
            yield from _text(f"{where}.{keyword}", before.get(keyword), after.get(keyword))
        titles = _own_title(where, before), _own_title(where, after)
        yield from _text(f"{where}.title", *titles)
        if before.get("default") != after.get("default") or ("default" in before) != ("default" in after):
            yield Change(
                Kind.COMPATIBLE,
                f"{where}.default",
                f"the default changed from {_default(before)} to {_default(after)}",
            )

    def _types(
        self,
        where: str,
        before: list[Alternative],
        after: list[Alternative],
        gone: list[Alternative],
        come: list[Alternative],
    ) -> Iterator[Change]:
        lost = [each for each in gone if not _covered(each, after)]
        won = [each for each in come if not _covered(each, before)]
        how = f"from {_names(before)} to {_names(after)}"
        if lost and won:
            yield Change(Kind.BREAKING, where, f"the type changed {how}")
        elif lost:
            yield self._narrowed(where, f"the type was narrowed {how}")
        elif won:
            yield self._widened(where, f"the type was widened {how}")

    def _restrictions(self, where: str, old: Alternative, new: Alternative) -> Iterator[Change]:
        yield from self._values(where, old.values, new.values)
        for keyword, direction in _LIMITS.items():
            before, after = _number(old.schema.get(keyword)), _number(new.schema.get(keyword))
            yield from self._limit(where, keyword, direction, before, after)
        for keyword in _CONDITIONS:
            yield from self._condition(where, keyword, old.schema.get(keyword), new.schema.get(keyword))
        yield from self._properties(where, old.schema, new.schema)
        yield from self._elements(where, old.schema, new.schema)

    def _values(
        self, where: str, old: tuple[str, ...] | None, new: tuple[str, ...] | None
    ) -> Iterator[Change]:
        if old is None and new is not None:
            yield self._narrowed(where, f"only {', '.join(new)} are allowed now")
        elif old is not None and new is None:
            yield self._widened(where, f"any value is allowed, no longer only {', '.join(old)}")
        elif old is not None and new is not None:
            for value in old:
                if value not in new:
                    yield self._narrowed(where, f"the value {value} was removed")
            for value in new:
                if value not in old:
                    yield self._widened(where, f"the value {value} was added")

    def _limit(
        self, where: str, keyword: str, direction: int, old: float | None, new: float | None
    ) -> Iterator[Change]:
        if old == new:
            return
        narrower = old is None or (new is not None and (new - old) * direction > 0)
        message = f"{keyword} changed from {_shown(old)} to {_shown(new)}"
        yield self._narrowed(where, message) if narrower else self._widened(where, message)

    def _condition(self, where: str, keyword: str, old: Any, new: Any) -> Iterator[Change]:
        if old == new:
            return
        if not new:
            yield self._widened(where, f"the {keyword} {as_json(old)} was removed")
        elif not old:
            yield self._narrowed(where, f"the {keyword} {as_json(new)} was added")
        else:
            message = f"the {keyword} changed from {as_json(old)} to {as_json(new)}"
            yield Change(Kind.BREAKING, where, message)

    def _properties(self, where: str, old: Json, new: Json) -> Iterator[Change]:
        before, after = old.get("properties") or {}, new.get("properties") or {}
        needed, needs = set(old.get("required") or ()), set(new.get("required") or ())
        renamed = _renamed(before, after)
        noun = self._side.noun
        for name, called in renamed.items():
            message = f"the {noun} `{name}` is now called `{called}`"
            yield Change(Kind.BREAKING, f"{where}.{name}", message)
        for name in before:
            if name not in after and name not in renamed:
                yield Change(Kind.BREAKING, f"{where}.{name}", f"the {noun} `{name}` was removed")
        for name in after:
            if name in before:
                yield from self._required(f"{where}.{name}", name, name in needed, name in needs)
                yield from self._schemas(f"{where}.{name}", before[name], after[name])
            elif name not in renamed.values():
                yield self._added(f"{where}.{name}", name, required=name in needs)

    def _added(self, where: str, name: str, *, required: bool) -> Change:
        noun = self._side.noun
        if required and self._side is _INPUT:
            return Change(Kind.BREAKING, where, f"the required {noun} `{name}` was added")
        return Change(Kind.COMPATIBLE, where, f"the {noun} `{name}` was added")

    def _required(self, where: str, name: str, old: bool, new: bool) -> Iterator[Change]:
        noun = self._side.noun
        if new and not old:
            yield self._narrowed(where, f"the {noun} `{name}` is newly required")
        elif old and not new:
            yield self._widened(where, f"the {noun} `{name}` is no longer required")

    def _elements(self, where: str, old: Json, new: Json) -> Iterator[Change]:
        if "items" in old or "items" in new:
            yield from self._schemas(f"{where}[]", old.get("items", True), new.get("items", True))
        extra = old.get("additionalProperties", True), new.get("additionalProperties", True)
        if extra[0] is False and extra[1] is not False:
            yield self._widened(where, "other keys are allowed now")
        elif extra[1] is False and extra[0] is not False:
            yield self._narrowed(where, "other keys are no longer allowed")
        elif extra[0] is not False and extra[0] != extra[1]:
            yield from self._schemas(f"{where}.*", *extra)
        fixed = old.get("prefixItems") or (), new.get("prefixItems") or ()
        if len(fixed[0]) != len(fixed[1]):
            message = f"the number of elements changed from {len(fixed[0])} to {len(fixed[1])}"
            yield Change(Kind.BREAKING, where, message)
        for index, (left, right) in enumerate(zip(*fixed, strict=False)):
            yield from self._schemas(f"{where}[{index}]", left, right)


def _own_title(where: str, schema: Json) -> str:
    """The title, unless it is the one that pydantic makes of the parameter's name."""
    title = str(schema.get("title") or "")
    return "" if title == where.rpartition(".")[2].replace("_", " ").title() else title


def _default(schema: Json) -> str:
    return as_json(schema["default"]) if "default" in schema else "none"


def _number(value: Any) -> float | None:
    """A limit; google-genai's `Schema` writes some as text."""
    try:
        return None if value is None else float(value)
    except (TypeError, ValueError):
        return None


def _shown(number: float | None) -> str:
    return "none" if number is None else f"{number:g}"


def _names(found: list[Alternative]) -> str:
    return " | ".join(dict.fromkeys(each.type for each in found))


def _covered(one: Alternative, others: list[Alternative]) -> bool:
    """Whether every value of one alternative is a value of another."""
    return any(one == other or _covers(other, one) for other in others)


def _covers(wide: Alternative, one: Alternative) -> bool:
    """Whether an alternative allows all values of a type: each integer is a number."""
    if wide.values is not None or any(wide.schema.get(key) for key in ("properties", "items")):
        return False
    return wide.type in {ANY, one.type} or (wide.type == "number" and one.type == "integer")


Pairs = list[tuple[Alternative, Alternative]]


def _matched(
    old: list[Alternative], new: list[Alternative]
) -> tuple[Pairs, list[Alternative], list[Alternative]]:
    """Which alternatives belong together, and those that are only on one side.

    Equal ones first, then those of one type and title, then those of one type in order.
    """
    pairs: Pairs = []
    left, right = list(old), list(new)
    for same in (_equal, _same_title, _same_type):
        for one in list(left):
            other = next((each for each in right if same(one, each)), None)
            if other is not None:
                pairs.append((one, other))
                left.remove(one)
                right.remove(other)
    return pairs, left, right


def _equal(one: Alternative, other: Alternative) -> bool:
    return one == other


def _same_title(one: Alternative, other: Alternative) -> bool:
    return one.type == other.type and bool(one.title) and one.title == other.title


def _same_type(one: Alternative, other: Alternative) -> bool:
    return one.type == other.type


def _renamed(old: Json, new: Json) -> dict[str, str]:
    """The one parameter that has only another name: no other came or went, and its schema is the same."""
    gone = [name for name in old if name not in new]
    come = [name for name in new if name not in old]
    if len(gone) == len(come) == 1 and _untitled(old[gone[0]]) == _untitled(new[come[0]]):
        return {gone[0]: come[0]}
    return {}


def _untitled(schema: Any) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    return {key: value for key, value in schema.items() if key not in {"title", "description"}}
