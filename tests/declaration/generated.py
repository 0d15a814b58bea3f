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
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field
from decimal import Decimal
from enum import Enum, Flag, IntEnum, IntFlag, auto
from functools import partial, wraps
from pathlib import Path
from typing import (
    TYPE_CHECKING, Annotated, Any, ClassVar, Dict, Generic, List, Literal, NamedTuple, NewType, Optional,
    Tuple, TypeVar, Union,
)

from annotated_types import Ge, Interval, Len
from google.adk.tools import FunctionTool, LongRunningFunctionTool, ToolContext
from pydantic import (
    AliasChoices, BaseModel, ConfigDict, Field, PrivateAttr, RootModel, StringConstraints, computed_field,
    field_validator, model_validator,
)
from pydantic.alias_generators import to_camel
from typing_extensions import Doc, NotRequired, ReadOnly, Required, TypeAlias, TypeAliasType
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
    "updated": """\
def updated(f):
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    functools.update_wrapper(inner, f)
    return inner
""",
    "Retry(3)": """\
class Retry:
    def __init__(self, times):
        self.times = times
    def __call__(self, f):
        @wraps(f)
        def inner(*args, **kwargs):
            return f(*args, **kwargs)
        return inner
""",
    "perhaps": """\
def perhaps(f=None, *, times=2):
    if f is None:
        return partial(perhaps, times=times)
    @wraps(f)
    def inner(*args, **kwargs):
        return f(*args, **kwargs)
    return inner
""",
    "as_tool": """\
def as_tool(f):
    return FunctionTool(f)
""",
    "described('text')": """\
def described(text):
    def decorator(f):
        f.__doc__ = text
        return f
    return decorator
""",
    "functools.lru_cache": "",
    "functools.lru_cache(maxsize=3)": "",
}


DECORATORS["perhaps(times=3)"] = DECORATORS["perhaps"]
CHANGES = {
    "{0}.__doc__ = {1!r}": True,
    "{0}.__name__ = 'renamed'": True,
    "setattr({0}, '__doc__', {1!r})": True,
    "{0}_too = {0}\n{0}_too.__doc__ = {1!r}": True,
    "for each in ({0}, print_):\n    each.__doc__ = {1!r}": True,
    "describe({0})": True,
    "{0}_too = describe({0})": True,
    "if LATER:\n    {0}.__doc__ = {1!r}": True,
    "{0}.__doc__ = ({0}.__doc__ or '') + {1!r}": False,
    "{0}.__kwdefaults__ = {{}}": False,
    "{0}.__defaults__ = None": False,
    "{0}.__annotations__.clear()": False,
    "{0}.__wrapped__ = print_": False,
    "functools.update_wrapper({0}, print_)": False,
    "del {0}.__annotations__": False,
    "{{'k': {0}}}['k'].__doc__ = {1!r}": True,
}
"""What statements do to a function, and whether the text alone tells what comes of it."""
CHANGERS = """\
LATER = True
def print_(other: float):
    'Print.'
def describe(f):
    f.__doc__ = 'Described.'
    return f
"""


@dataclass
class Sketch:
    """One module while it is drawn."""

    draw: DrawFn
    other: Sketch | None = None
    future: bool = False
    lines: list[str] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    """Tools whose preview may say that it is approximate."""
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
        kind = self.number(20 if depth else 3)
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
            case 17:
                return self.tagged()
            case 18:
                return self.limited(inner(depth))
            case 19:
                return f"MutableMapping[str, {inner(depth)}]"
        return self.generic(depth)

    def limited(self, other: str) -> str:
        return self.one(
            "Annotated[int, Ge(1)]",
            "Annotated[int, Interval(gt=1, lt=9), 'x']",
            "Annotated[str, Len(1, 3), Field(description='n')]",
            "Annotated[str, StringConstraints(min_length=2)]",
            f"Annotated[list[{other}], Len(1)]",
            f"Annotated[Annotated[{other}, 'in'], Field(description='out')]",
        )

    def tagged(self) -> str:
        """A union that a field decides."""
        one, other, name = self.name("Model"), self.name("Model"), self.name("Pet")
        self.add(one, f"class {one}(BaseModel):", "    kind: Literal['one'] = 'one'", *self.fields("model"))
        self.add(other, f"class {other}(BaseModel):", "    kind: Literal['other', 'third']")
        union = f"Union[{one}, {other}]"
        return self.add(name, f"{name} = Annotated[{union}, Field(discriminator='kind')]")

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
        base = self.one("Enum", "str, Enum", "IntEnum", "Flag", "IntFlag", "enum.Enum", "float, Enum")
        values = {
            "Enum": ("'a'", "1", "auto()", "'x' 'y'"),
            "str, Enum": ("'a'", "'b'", "'c'"),
            "enum.Enum": ("2", "'z'", "auto()", "-1", "1 << 3", "True", "None"),
            "float, Enum": ("1.5", "2.0"),
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
                form = self.one("NotRequired[{}]", "Required[{}]", "ReadOnly[{}]", "ReadOnly[Required[{}]]")
                written = form.format(written)
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
                "Field(1, validation_alias=AliasChoices('p', 'q'), serialization_alias='s')",
                "Field(1, json_schema_extra={'unit': 'm'}, repr=False)",
                "Field(default_factory=lambda: [1])",
            )
        made = (
            "field(default_factory=list)",
            f"field(default={plain}, repr=False)",
            f"field(default={plain}, init=False)",
        )
        return self.one(plain, *made) if kind == "dataclass" else plain

    def model(self) -> str:
        name = self.name("Model")
        bases = [known for known in self.known if known.startswith("Model")]
        base = self.one("BaseModel", *bases)
        configs = (
            "extra='forbid'",
            "title='Titled'",
            "alias_generator=to_camel, populate_by_name=True",
            "frozen=True",
        )
        config = [f"    model_config = ConfigDict({self.one(*configs)})"] if self.number(2) == 0 else []
        rows = self.fields("model")
        rows += self.behaviour()
        if self.flip():
            rows.append(f"    again: Optional['{name}'] = None")
        if self.flip():
            rows.append("    LIMIT: ClassVar[int] = 3\n    _private: int = 1")
        if self.flip():
            rows.append("    def method(self) -> int:\n        return 1")
        return self.add(name, f"class {name}({base}):", self.text().rstrip("\n"), *config, *rows)

    def behaviour(self) -> list[str]:
        """Parts of a model that say nothing to who fills it in."""
        part = self.number(6)
        checks = {
            0: "    @computed_field\n    @property\n    def sum(self) -> int:\n        return 1",
            1: "    @field_validator('*')\n    @classmethod\n    def check(cls, v):\n        return v",
            2: "    @model_validator(mode='after')\n    def whole(self):\n        return self",
            3: "    _kept: int = PrivateAttr(default=1)",
        }
        return [checks[part]] if part in checks else []

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
            *(["    start: InitVar[int]"] if kind == "dataclass" and self.number(5) == 0 else []),
            *self.fields(kind),
            *(["    _: KW_ONLY\n    last: int"] if kind == "dataclass" and self.number(4) == 0 else []),
        )

    def alias(self) -> str:
        name = self.name("Alias")
        written = self.type(1)
        form = self.one(
            "{} = {}", "{}: TypeAlias = {}", "{0} = NewType('{0}', int)", "{0} = TypeAliasType('{0}', {1})"
        )
        if written in {"None", "object"} or written.startswith(("'", '"')):
            written = "int"
        if "TypeAliasType" in form and written.rpartition(".")[2].startswith(("Model", "Alias")):
            # pydantic 2.14 builds a schema of such an alias of a model that refers to itself only once in a
            # process; what is live then depends on what was asked before.
            written = f"list[{written}]"
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

    def tool(self) -> None:  # noqa: C901, PLR0912 - one table
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
            "changed",
            "moving",
            "patched",
            "class",
            "record",
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
                self.tools.append(self.one(f"FunctionTool({name})", f"LongRunningFunctionTool(func={name})"))
            case "changed":
                self.changed(name)
            case "moving":
                self.moving(name)
            case "patched":
                self.patched(name)
            case "class":
                init = self.function("__init__", "self", "    ").replace("async def", "def")
                self.lines.append(f"class {name}:\n{self.text()}{init}")
                self.tools.append(name)
            case "record":
                self.lines.append(
                    f"@dataclass\nclass {name}:\n    'R.'\n" + "\n".join(self.fields("dataclass"))
                )
                self.tools.append(name)
            case "lambda":
                self.tools.append(f"lambda a, b={self.one('1', 'None')}: a")

    def changed(self, name: str) -> None:
        """A function that a statement changes after it was made."""
        change = self.one(*CHANGES)
        if CHANGERS not in self.lines:
            self.lines.append(CHANGERS)
        text = self.draw(st.text(ODD, max_size=9))
        self.lines.append(self.function(name) + "\n" + change.format(name, text) + "\n")
        self.tools.append(name)
        if not CHANGES[change]:
            self.unsure.append(name)

    def moving(self, name: str) -> None:
        """A default under a name that gets another value later."""
        limit = self.name("LIMIT")
        first, later = self.one(*DEFAULTS), self.one(*DEFAULTS)
        where = self.one("module", "function", "class")
        first_parameter = "self, " if where == "class" else ""
        made = name if where == "module" else "run"
        rows = [
            f"{limit} = {first}",
            f"def {made}({first_parameter}a={limit}):",
            "    'd'",
            f"{limit} = {later}",
        ]
        if where == "module":
            self.lines.append("\n".join(rows) + "\n")
            self.tools.append(name)
            return
        inside = "".join(f"    {row}\n" for row in rows)
        if where == "function":
            self.lines.append(f"def {name}():\n{inside}    return run\n")
            self.tools.append(f"{name}()")
        else:
            self.lines.append(f"class {name}:\n{inside}")
            self.tools.append(f"{name}().run")

    def patched(self, name: str) -> None:
        """A method that the module sets from outside."""
        self.lines.append(
            f"class {name}:\n    def run(self, a: int):\n        'Run.'\n"
            f"{self.function(f'_{name}', 'self')}\n{name}.run = _{name}\n"
        )
        self.tools.append(f"{name}().run")

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
    unsure: frozenset[str]
    """Those of which the text alone does not tell all."""


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
    return Project(files, tuple(tools.tools), frozenset(tools.unsure))
