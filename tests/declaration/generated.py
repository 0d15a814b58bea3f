"""Generates small projects with tools, for comparing previews with google-adk's own answers.

A project is one or two modules. Types are drawn as expressions; what they name is defined on the way, so that
everything a project holds is used. All drawn projects can be imported.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

IMPORTS = (
    """\
import dataclasses
import datetime as dt
import enum
import functools
import typing
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, Flag, IntEnum, auto
from functools import partial, wraps
from pathlib import Path
from typing import (
    TYPE_CHECKING, Annotated, Any, ClassVar, Dict, Generic, List, Literal, NamedTuple, NewType, Optional,
    Tuple, TypeVar, Union,
)

from google.adk.tools import FunctionTool, ToolContext
from pydantic import BaseModel, ConfigDict, Field, RootModel
from typing_extensions import Doc, NotRequired, Required, TypeAlias
"""
    + (
        # pydantic takes typing's own from Python 3.12 on.
        "from typing import TypedDict\n"
        if sys.version_info >= (3, 12)
        else "from typing_extensions import TypedDict\n"
    )
)
PLAIN = (
    "str", "int", "float", "bool", "bytes", "Any", "None", "list", "dict", "object", "dt.date", "dt.datetime",
    "dt.timedelta", "Decimal", "uuid.UUID", "Path", "typing.Any", "set", "tuple", "list[str]",
    "dict[str, int]",
)  # fmt: skip
KEYS = ("str", "int", "Literal['a', 'b']")
CONSTRAINTS = (
    "ge=1",
    "le=10",
    "min_length=1",
    "description='d'",
    "title='T'",
    "examples=[1]",
    "deprecated=True",
)
LITERALS = ("'a'", "'b c'", "1", "-1", "True", "None", "'é'", "''")
DEFAULTS = (
    "1",
    "'x'",
    "None",
    "True",
    "-1.5",
    "60 * 60",
    "'a' 'b'",
    "[]",
    "{}",
    "[1, 'x']",
    "{'a': [1]}",
    "f'{1}x'",
)
ODD = "abc DEF .,:;'\"\\\t{}%é漢🙂\u2028\x0c\x85-_*`#<>()[]@$\u00a0"
NAMES = st.sampled_from(
    ["query", "limit", "a", "b", "sku", "items", "type", "id", "filter_", "max", "list", "x1", "self_"]
)
DECORATORS = {
    "wrapped": """\
def wrapped(f):
    @wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    return inner
""",
    "bare": """\
def bare(f):
    def inner(*args, **kwargs):
        'Inner.'
        return f(*args, **kwargs)
    return inner
""",
    "same": """\
def same(f):
    f.tag = 1
    return f
""",
    "given(2)": """\
def given(times, text=''):
    def decorator(f):
        @functools.wraps(f)
        async def inner(*args, **kwargs):
            return await f(*args, **kwargs)
        return inner
    return decorator
""",
    "named('other')": """\
def named(name):
    def decorator(f):
        f.__name__ = name
        return f
    return decorator
""",
    "functools.lru_cache": "",
    "functools.lru_cache(maxsize=3)": "",
}


@dataclass
class Sketch:
    """One module while it is drawn."""

    draw: DrawFn
    other: Sketch | None = None
    future: bool = False
    lines: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    count: int = 0
    known: list[str] = field(default_factory=list)
    """Types that are defined already."""
    variables: tuple[str, ...] = ()

    def one(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def flip(self) -> bool:
        return self.draw(st.booleans())

    def number(self, most: int, least: int = 0) -> int:
        return self.draw(st.integers(least, most))

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def text(self) -> str:
        """A docstring as a literal, or nothing."""
        if self.number(4) == 0:
            return ""
        text = self.draw(st.text(ODD + "\n", max_size=40))
        style = self.number(3)
        if style == 0:
            return f"    {text!r}\n"
        body = text.replace("\\", "\\\\").replace('"', '\\"').replace("\x0c", " ").replace("\x85", " ")
        args = "\n\n    Args:\n        a: The a.\n" if style == 1 else ""
        return f'    """{body}{args}"""\n'

    # types

    def type(self, depth: int = 2) -> str:  # noqa: C901, PLR0912 - one table
        """A type expression."""
        kind = self.number(17 if depth else 3)
        inner = self.type_inner
        match kind:
            case 0 | 1 | 2:
                return self.one(*PLAIN)
            case 3:
                return self.named()
            case 4:
                return self.one(
                    "Optional[{}]", "List[{}]", "list[{}]", "Sequence[{}]", "Iterable[{}]"
                ).format(inner(depth))
            case 5:
                return f"{inner(depth)} | None" if not self.future else f"None | {inner(depth)}"
            case 6:
                return f"Union[{inner(depth)}, {inner(depth)}]"
            case 7:
                return f"{self.one('dict', 'Dict', 'Mapping')}[{self.one(*KEYS)}, {inner(depth)}]"
            case 8:
                return f"Literal[{', '.join(self.one(*LITERALS) for _ in range(self.number(3, 1)))}]"
            case 9:
                return f"Annotated[{inner(depth)}, {self.metadata()}]"
            case 10:
                return f"{self.one('tuple', 'Tuple')}[{inner(depth)}, {self.one('...', 'int', inner(depth))}]"
            case 11:
                return self.quoted(inner(depth))
            case 12:
                return self.enum()
            case 13:
                return self.model()
            case 14:
                return self.record()
            case 15:
                return self.alias()
            case 16:
                return self.other.foreign(self) if self.other else self.named()
        return self.generic(depth)

    def type_inner(self, depth: int) -> str:
        written = self.type(depth - 1)
        return "int" if written in {"None", "object"} else written

    def quoted(self, written: str) -> str:
        return repr(written) if "'" not in written and '"' not in written else written

    def metadata(self) -> str:
        return self.one(
            "'text'", "Doc('d')", f"Field({self.one(*CONSTRAINTS)})", f"Field({self.one(*CONSTRAINTS)}), 'x'"
        )

    def named(self) -> str:
        return self.one(*self.known) if self.known else "str"

    def add(self, name: str, *lines: str) -> str:
        self.lines.append("\n".join(lines) + "\n")
        self.known.append(name)
        return name

    def enum(self) -> str:
        name = self.name("Color")
        base = self.one("Enum", "str, Enum", "IntEnum", "Flag", "enum.Enum")
        values = {
            "Enum": ("'a'", "1", "auto()", "'x' 'y'"),
            "str, Enum": ("'a'", "'b'", "'c'"),
            "enum.Enum": ("2", "'z'", "auto()"),
        }
        choices = values.get(base, ("1", "2", "4", "auto()"))
        members = [f"    {member} = {self.one(*choices)}" for member in ("A", "B", "C")[: self.number(3, 1)]]
        method = "    def label(self):\n        return str(self)" if self.flip() else ""
        return self.add(name, f"class {name}({base}):", self.text().rstrip("\n"), *members, method)

    def fields(self, kind: str) -> list[str]:
        rows = []
        optional = False
        for number in range(self.number(3, 1)):
            written = self.type(1)
            default = ""
            if kind != "typed dict":
                optional = optional or self.flip()
                default = f" = {self.field_default(kind)}" if optional else ""
            elif self.flip():
                written = f"{self.one('NotRequired', 'Required')}[{written}]"
            rows.append(f"    {self.one('name', 'value', 'size')}{number}: {written}{default}")
        return rows

    def field_default(self, kind: str) -> str:
        plain = self.one("1", "'x'", "None", "-1")
        if kind == "model":
            return self.one(
                plain,
                f"Field({plain}, {self.one(*CONSTRAINTS)})",
                "Field(default_factory=list)",
                "Field(None, alias='other')",
            )
        return self.one(plain, "field(default_factory=list)") if kind == "dataclass" else plain

    def model(self) -> str:
        name = self.name("Model")
        bases = [known for known in self.known if known.startswith("Model")]
        base = self.one("BaseModel", *bases)
        config = (
            ["    model_config = ConfigDict(extra='forbid')"] if self.flip() and base == "BaseModel" else []
        )
        rows = self.fields("model")
        if self.flip():
            rows.append(f"    again: Optional['{name}'] = None")
        if self.flip():
            rows.append("    LIMIT: ClassVar[int] = 3\n    _private: int = 1")
        if self.flip():
            rows.append("    def method(self) -> int:\n        return 1")
        return self.add(name, f"class {name}({base}):", self.text().rstrip("\n"), *config, *rows)

    def record(self) -> str:
        kind = self.one("dataclass", "typed dict", "named tuple")
        head = {"dataclass": "", "typed dict": "(TypedDict)", "named tuple": "(NamedTuple)"}[kind]
        if kind == "typed dict" and self.flip():
            head = "(TypedDict, total=False)"
        decorator = self.one(
            "@dataclass", "@dataclass(frozen=True)", "@dataclasses.dataclass", "@dataclass(kw_only=True)"
        )
        name = self.name("Record")
        doc = self.text().rstrip("\n")
        return self.add(
            name,
            *([decorator] if kind == "dataclass" else []),
            f"class {name}{head}:",
            doc,
            *self.fields(kind),
        )

    def alias(self) -> str:
        name = self.name("Alias")
        written = self.type(1)
        form = self.one("{} = {}", "{}: TypeAlias = {}", "{0} = NewType('{0}', int)")
        if written in {"None", "object"} or written.startswith(("'", '"')):
            written = "int"
        return self.add(name, form.format(name, written))

    def generic(self, depth: int) -> str:
        if "T" not in self.variables:
            self.variables = ("T",)
            self.lines.append("T = TypeVar('T')\n")
        name = self.name("Page")
        self.lines.append(f"class {name}(BaseModel, Generic[T]):\n    item: T\n    items: list[T] = []\n")
        return f"{name}[{self.type_inner(depth)}]"

    def foreign(self, user: Sketch) -> str:
        """A type of this module for another one."""
        name = self.one("enum", "model", "record", "alias")
        made: str = getattr(self, name)()
        form = user.one("types_.{}", "from types_ import {}", "from types_ import {0} as _{0}", "pkg.{}")
        if form.startswith("types_"):
            return f"types_.{made}"
        if form.startswith("pkg"):
            return f"reexport.{made}"
        user.lines.append(form.format(made) + "\n")
        return form.format(made).split()[-1]

    # tools

    def default(self) -> str:
        enums = [known for known in self.known if known.startswith("Color")]
        if enums and self.number(3) == 0:
            return f"{self.one(*enums)}.A"
        if self.number(4) == 0:
            name = self.name("LIMIT")
            self.lines.append(f"{name} = {self.one(*DEFAULTS)}\n")
            return name
        return self.one(*DEFAULTS)

    def parameters(self, first: str = "") -> str:
        names = self.draw(st.lists(NAMES, max_size=4, unique=True))
        rows = [first] if first else []
        context = self.one(
            "",
            "",
            "tool_context: ToolContext",
            "ctx: ToolContext",
            "tool_context",
            "tool_context: 'ToolContext'",
        )
        defaults = False
        star = self.number(6)
        for number, name in enumerate(names):
            annotation = f": {self.type()}" if self.number(7) else ""
            defaults = (defaults or self.flip()) and not (star == 0 and number == 1)
            rows.append(f"{name}{annotation}{f' = {self.default()}' if defaults else ''}")
            if star == 1 and number == 0:
                rows.append("/")
            if star == 0 and number == 0:
                rows.append(self.one("*", "*args", "*args: int"))
        if rows and rows[-1] == "*":
            rows.pop()
        if context and not defaults:
            rows.append(context)
        elif context.startswith("tool_context:"):
            rows.append(f"{context} = None")
        if self.number(5) == 0:
            rows.append("**kwargs")
        return ", ".join(rows)

    def function(self, name: str, first: str = "", indent: str = "", doc: bool = True) -> str:
        head = self.one("def", "def", "async def")
        parameters = self.parameters(first)
        returns = f" -> {self.type()}" if self.flip() else ""
        body = (self.text() if doc else "") + self.one("    pass", "    return {}", "    yield 1")
        if "async" in head and "yield" in body:
            body = body.replace("yield 1", "return 1")
        text = f"{head} {name}({parameters}){returns}:\n{body}"
        return "\n".join(indent + line if line else line for line in text.split("\n")) + "\n"

    def tool(self) -> None:  # noqa: C901 - one table
        kind = self.one(
            "plain",
            "plain",
            "decorated",
            "method",
            "nested",
            "object",
            "partial",
            "assigned",
            "wrapper",
            "lambda",
        )
        name = self.name("tool")
        match kind:
            case "plain":
                self.lines.append(self.function(name))
                self.tools.append(name)
            case "decorated":
                decorator = self.one(*DECORATORS)
                text = self.function(name)
                if DECORATORS[decorator] not in self.lines:
                    self.lines.append(DECORATORS[decorator])
                self.lines.append(f"@{decorator}\n{text}")
                self.tools.append(name)
            case "method":
                self.method(name)
            case "nested":
                inner = self.function("inner", indent="    ")
                bound = self.one("query", "limit2")
                self.lines.append(f"def {name}({bound}='x'):\n    local = 3\n{inner}    return inner\n")
                self.tools.append(self.one(f"{name}()", f"{name}('y')"))
            case "object":
                call = self.function("__call__", "self", "    ")
                self.lines.append(f"class {name}:\n{self.text()}{call}")
                self.tools.append(f"{name}()")
            case "partial":
                self.lines.append(
                    f"def {name}(a: int, b: str = 'x', *, c: {self.type()} = None):\n{self.text()}    pass\n"
                )
                self.tools.append(
                    self.one(
                        f"partial({name}, 1)", f"partial({name}, b='y')", f"functools.partial({name}, c=None)"
                    )
                )
            case "assigned":
                self.lines.append(
                    self.function(name) + f"\n{name}.__doc__ = {self.draw(st.text(ODD, max_size=9))!r}\n"
                )
                self.tools.append(name)
            case "wrapper":
                self.lines.append(self.function(name))
                self.tools.append(f"FunctionTool({name})")
            case "lambda":
                self.tools.append(f"lambda a, b={self.one('1', 'None')}: a")

    def method(self, name: str) -> None:
        cls = self.name("Service")
        base = ""
        if self.flip():
            base = f"({self.name('Base')})"
            self.lines.append(
                f"class {base[1:-1]}:\n    'Base.'\n"
                f"    def {name}(self, a: int):\n        'Text of the base.'\n"
            )
        form = self.one("self", "@staticmethod", "@classmethod")
        first = {"self": "self", "@staticmethod": "", "@classmethod": "cls"}[form]
        text = self.function(name, first, "    ", doc=self.flip())
        decorator = f"    {form}\n" if form != "self" else ""
        self.lines.append(
            f"class {cls}{base}:\n    'Service.'\n    def __init__(self, url=''):\n        self.url = url\n"
            f"{decorator}{text}"
        )
        self.tools.append(f"{cls}().{name}" if form == "self" else f"{cls}.{name}")

    def source(self, extra: str = "") -> str:
        head = "from __future__ import annotations\n" if self.future else ""
        return head + IMPORTS + extra + "\n".join(self.lines)


@dataclass(frozen=True)
class Project:
    """Files by module name, and the tools of the module `tools` as expressions."""

    files: dict[str, str]
    tools: tuple[str, ...]


@st.composite
def projects(draw: DrawFn) -> Project:
    """A project with a few tools."""
    types = Sketch(draw, future=draw(st.booleans()))
    tools = Sketch(draw, other=types, future=draw(st.booleans()))
    for _ in range(draw(st.integers(1, 6))):
        tools.tool()
    imports = "import types_\nimport reexport\n" if types.lines else ""
    files = {"tools": tools.source(imports)}
    if types.lines:
        files |= {"types_": types.source(), "reexport": "from types_ import *\n"}
    return Project(files, tuple(tools.tools))
