"""What annotations mean: aliases, quotes and `Annotated` taken off, kinds of classes told apart."""

from __future__ import annotations

import pytest

from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.find import discover
from adk_tool_lens.discovery.model import Tool, TypeKind, TypeTree
from adk_tool_lens.discovery.module import Module

HEAD = """\
import dataclasses, datetime, enum
from typing import Annotated, Any, List, Literal, NamedTuple, NewType, Optional, TypedDict, Union
from google.adk.agents import Agent
from pydantic import BaseModel, Field
Point = tuple[float, float]
class Colour(enum.Enum):
    RED = "red"
class Mode(str, enum.Enum):
    FAST = "fast"
class Order(BaseModel):
    number: int
class Rush(Order):
    pass
@dataclasses.dataclass
class Line:
    sku: str
class Row(TypedDict):
    sku: str
class Pair(NamedTuple):
    a: int
class Client:
    pass
UserId = NewType("UserId", int)
"""


def tool(text: str) -> Tool:
    module = Module.of(f"{HEAD}{text}\nroot_agent = Agent(name='a', tools=[f])\n")
    return discover(module, World(lambda _name, _module: None)).found[0].tool


def tree(annotation: str) -> TypeTree:
    found = tool(f"def f(x: {annotation}): ...").parameters[0].type
    assert found is not None
    return found


def short(node: TypeTree) -> str:
    last = node.name.rpartition(".")[2] or node.kind.value
    inner = ", ".join(map(short, node.arguments))
    return f"{last}[{inner}]" if inner else last


@pytest.mark.parametrize(
    ("annotation", "meaning"),
    [
        ("str", "str"),
        ("'List[str]'", "list[str]"),
        ("Point", "tuple[float, float]"),
        ("tuple[int, ...]", "tuple[int, ...]"),
        ("Optional[Point]", "union[tuple[float, float], None]"),
        ("int | None | str", "union[int, None, str]"),
        ("Union[int, Optional[str]]", "union[int, str, None]"),
        ("Annotated[Colour, Field(description='c')]", "Colour"),
        ("UserId", "int"),
        ("Literal['a', 'b']", "Literal"),
        ("datetime.date", "date"),
        ("dict[str, Any]", "dict[str, Any]"),
        ("some_call()", "unknown"),
    ],
)
def test_meaning(annotation: str, meaning: str) -> None:
    assert short(tree(annotation)) == meaning


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("Colour", TypeKind.ENUM),
        ("Order", TypeKind.MODEL),
        ("Rush", TypeKind.MODEL),
        ("Line", TypeKind.DATACLASS),
        ("Row", TypeKind.TYPED_DICT),
        ("Pair", TypeKind.NAMED_TUPLE),
        ("Client", TypeKind.CLASS),
        ("object", TypeKind.ANY),
        ("Missing", TypeKind.UNKNOWN),
    ],
)
def test_kind(annotation: str, kind: TypeKind) -> None:
    assert tree(annotation).kind is kind


def test_enumeration_of_strings_is_told_from_others() -> None:
    assert tree("Mode").mixin == "builtins.str"
    assert tree("Colour").mixin is None


def test_parts_of_an_alias_stand_where_the_alias_is_used() -> None:
    found = tree("list[Point]")
    text = found.place.block.text
    assert [text[n.place.span.start : n.place.span.end] for n in found.walk()] == [
        "list[Point]",
        "Point",
        "Point",
        "Point",
    ]


def test_decorator_without_wraps_hides_the_function() -> None:
    plain = "def timed(fn):\n    def wrapper(*args):\n        return fn(*args)\n    return wrapper\n"
    kept = "import functools\n" + plain.replace(
        "    def wrapper", "    @functools.wraps(fn)\n    def wrapper"
    )
    hidden = tool(f"{plain}@timed\ndef f(x: int): ...").hidden_by
    assert hidden is not None
    assert hidden.text == "timed"
    assert tool(f"{kept}@timed\ndef f(x: int): ...").hidden_by is None


def test_partial_tells_what_it_binds() -> None:
    module = Module.of(
        f"{HEAD}from functools import partial\ndef f(x: int, key: str): ...\n"
        "root_agent = Agent(name='a', tools=[partial(f, key='secret')])\n"
    )
    bound = discover(module, World(lambda _name, _module: None)).found[0].tool.bound
    assert [(b.keyword, b.expression.text, b.literal) for b in bound] == [("key", "'secret'", "secret")]
