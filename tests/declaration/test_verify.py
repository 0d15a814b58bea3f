"""What may be in a stub, and what may not; none of it is run here."""

from __future__ import annotations

import sys

import pytest

from adk_tool_lens.declaration.worker import (
    ALLOWED_MODULES,
    is_allowed_module,
    is_allowed_name,
    verify,
)

HOSTILE = [
    "import os",
    "import os.path",
    "import sys",
    "import subprocess as typing",
    "import importlib",
    "import builtins",
    "import ctypes",
    "import socket",
    "import pickle",
    "import inspect",
    "import google",
    "import google.cloud.storage",
    "import google.adk.cli",
    "import google.adk.tools._forwarding_artifact_service",
    "from os import system",
    "from os import *",
    "from typing import *",
    "from . import secrets",
    "from .tools import f",
    "from typing import sys",
    "from typing import get_type_hints",
    "from typing import ForwardRef",
    "from typing import _eval_type",
    "from dataclasses import make_dataclass",
    "from dataclasses import sys as s",
    "from functools import reduce",
    "from functools import singledispatch",
    "from enum import sys",
    "from collections import _sys",
    "from types import FunctionType",
    "from types import CodeType",
    "from pydantic import ImportString",
    "from pydantic.types import ImportString as I",
    "from pydantic import create_model",
    "from pydantic._internal import _typing_extra",
    "from google import auth",
    "from google.adk.cli import fast_api",
    "import typing\nx = typing.sys",
    "import typing as t\nx = t.sys.modules",
    "import collections.abc as c\nx = c.sys",
    "import collections\nx = collections._sys",
    "import dataclasses\nx = dataclasses.sys",
    "import functools as ft\nx = ft.RLock",
    "import enum\nx = enum.bltns.eval",
    "import datetime\nx = datetime.sys",
    "import pydantic\nx = pydantic.ImportString",
    "x = ().__class__",
    "x = ().__class__.__base__.__subclasses__()",
    "x = ''.__class__.__mro__[1]",
    "class A: pass\nx = A.__subclasses__()",
    "class A: pass\nx = A.__init__.__globals__",
    "def f(): pass\nx = f.__globals__",
    "def f(): pass\nx = f.__code__",
    "def f(): pass\nf.__code__ = None",
    "def f(): pass\nf.__globals__['x'] = 1",
    "def f(): pass\nf.__class__ = int",
    "def f(a): yield\nx = f.gi_frame",
    "x = eval('1')",
    "x = exec('1')",
    "x = compile('1', '', 'eval')",
    "x = open('/etc/passwd')",
    "x = __import__('os')",
    "x = __builtins__",
    "x = __loader__",
    "x = globals()",
    "x = vars()",
    "x = getattr(1, 'real')",
    "y = setattr",
    "x = breakpoint()",
    "x = input()",
    "x = type('A', (), {})",
    "x = type(1)",
    "__builtins__ = {}",
    "__name__ = 'os'",
    "__class__ = int",
    "class A:\n    __module__ = 'os'",
    "class A:\n    __class__ = int",
    "def __import__(name): pass",
    "def __build_class__(f): pass",
    "def __lens_attribute__(a, b): pass",
    "x = __lens_callee__",
    "x = [i for i in range(9)]",
    "x = {i: i for i in range(9)}",
    "x = (i for i in range(9))",
    "x = (y := 1)",
    "x = f'{1:>1000000000}'",
    "x = f'{().__class__}'",
    "x = '%1000000000d' % 1",
    "x = '{0.__class__}'.format(1)",
    "class S: v = 'x'\ny = S.v.format(S)",
    "x = 10 ** 10 ** 10",
    "x = 1 << 10 ** 9",
    "x = 2 ** 100000",
    "x = 'a' * 10 ** 10",
    "x = 'a' * 10000000",
    "x = [0] * 100000000",
    "x = 10000000 * b'a'",
    "x = 1 if 2 else 3",
    "x = 1 and 2",
    "x = 1 < 2",
    "x = [1, 2][0:1]",
    "x = (lambda: 1)()",
    "f = lambda: open('x')",
    "f = lambda a: a.b",
    "f = lambda: [i for i in a]",
    "print('x')",
    "import typing\ntyping.foo()",
    "for x in range(9): pass",
    "while True: pass",
    "if True: pass",
    "with x: pass",
    "try: pass\nexcept Exception: pass",
    "raise ValueError",
    "assert False",
    "del x",
    "x += 1",
    "global x",
    "async def f():\n    await x",
    "def f():\n    import os",
    "def f():\n    x += 1",
    "def f():\n    x = open(1)",
    "def f():\n    g()",
    "def f():\n    return [1]",
    "def f():\n    return g().h",
    "def f():\n    return 1 + 2",
    "def f():\n    while True: pass",
    "def f():\n    for x in y: pass",
    "def f():\n    yield g()",
    "def f():\n    global x",
    "def f(a=open('x')): pass",
    "def f(a: open('x')): pass",
    "def f(a: ().__class__): pass",
    "def f(a: '().__class__'): pass",
    "def f(a: 'list[().__class__]'): pass",
    "def f(a: list['().__class__']): pass",
    "def f(a: 'list[\"().__class__\"]'): pass",
    "def f() -> '[x for x in y]': pass",
    "class A:\n    x: '().__class__'",
    "@eval\ndef f(): pass",
    "@(lambda f: f.x)\ndef f(): pass",
    "class A(eval('object')): pass",
    "class A(metaclass=eval('type')): pass",
    "class A:\n    import os",
    "class A:\n    for x in y: pass",
    "f(x)(y)",
    "x = f(x)(y)",
    "x = f(__x__=1)",
    "x = f(**g())",
    "x = {**{}}",
    "from functools import partial\npartial.x = 1",
    "from pydantic import BaseModel\nBaseModel.model_config = {}",
    "x.y.z = 1",
    "x[0] = 1",
    "[a, b] = 1",
    "x = " + "(" * 150 + "1" + ")" * 150 + "+" * 2,
    "x = " + "[" * 80 + "]" * 80,
    "x = " + "-" * 3000 + "1",
    "def f(",
    "\0",
    "x = " + "9" * 4000,
    "class M:\n    pass\nx = M.mro",
    "x = M.parse_raw",
    "x = Agent.from_config",
]

LEGITIMATE = [
    "",
    "'''Docs.'''",
    "...",
    "pass",
    "from __future__ import annotations",
    "from typing import Annotated, Any, Literal, Optional, Union",
    "from typing import TYPE_CHECKING",
    "from typing_extensions import TypedDict, Doc, NotRequired",
    "from annotated_types import Ge, Len\nfrom annotated_doc import Doc",
    "import typing as t\ndef f(a: t.Optional[t.List[int]] = None): ...",
    "import datetime\ndef f(a: datetime.datetime, b: datetime.date = datetime.date(2020, 1, 1)): ...",
    "import collections.abc\ndef f(a: collections.abc.Sequence[str]): ...",
    "from collections.abc import AsyncIterator, Mapping",
    "from decimal import Decimal\ndef f(a: Decimal = Decimal('1.5')): ...",
    "from uuid import UUID, uuid4\nfrom pydantic import BaseModel, Field\n"
    "class M(BaseModel):\n    id: UUID = Field(default_factory=uuid4)",
    "from pathlib import Path\ndef f(a: Path = Path('.')): ...",
    "from datetime import datetime\ndef f(a: datetime = datetime(2026, 1, 2)): ...",
    "import datetime as dt\nD = dt.timedelta(days=-1)",
    "from google import genai",
    "from google.genai import types\ndef f(a: types.Part) -> types.Content: ...",
    "from google.adk.tools import FunctionTool, ToolContext\nfrom google.adk.agents import Agent",
    "from google.adk.tools.tool_context import ToolContext\ndef f(a: int, tool_context: ToolContext): ...",
    "import google.adk.tools\nfrom google.adk.agents.callback_context import CallbackContext",
    "def f(): pass",
    'def f(a: int, /, b: str = "x", *c: int, d: float = -1.5, **e: object) -> dict:\n    """D."""',
    "async def f(a: int) -> dict:\n    '''D.'''\n    ...",
    "async def f() -> 'AsyncGenerator[str, None]':\n    '''D.'''\n    yield",
    "def f(a: 'int | None' = None) -> \"dict[str, 'int']\": ...",
    "def f(a: 'this is no type'): ...",
    "def f(a: Literal['open', 'eval', '__class__']): ...",
    "def f(a: Annotated[str, 'Use a.__class__, or open(x)', Field(description='eval')]): ...",
    "def f(a: Annotated['Unknown', Field(ge=1, le=2.5)]): ...",
    "def f(input: str, open: int = 1, format: str = 'x') -> None: ...",
    "def compile(source: str): ...\n__lens_tool__ = compile",
    "def f(_x: int, __y: int = 0): ...",
    "def f(a=None, b=True, c=..., d=b'x', e=1j, g=1_000): ...",
    "def f(a=[1, 'x'], b={'a': [1]}, c=(1,), d={1, 2}, e=-1, g=not True, h=~1): ...",
    "X = 60 * 60 * 24\nY = 2 ** 10\nZ = 1 << 20\nA = 7 // 2 % 3\nB = X + 1",
    "X = 'a' * 80\nY = 'a' + 'b'\nZ = X - Y\nP = X / 'y'",
    "X = int | str\nY = list[int] | None",
    "X = Y = 1",
    "A, B = 1, 2",
    "X: int = 1\nY: 'Final[str]'",
    "class A: ...",
    "class A(B, C[int], total=False):\n    '''D.'''\n    x: int\n    y: str = 'a'\n    '''Of y.'''",
    "class A(metaclass=ABCMeta):\n    @abstractmethod\n    def f(self): ...",
    "from enum import Enum, auto\nclass C(Enum):\n    RED = auto()\n    BLUE = 'blue'\n"
    "    def _generate_next_value_(name, start, count, last): return name",
    "class C(str, Enum):\n    RED = 'red'\ndef f(c: C = C.RED, d: str = C.RED.value): ...",
    "@dataclass(frozen=True, slots=True)\nclass D:\n    a: int\n    b: list = field(default_factory=list)",
    "import dataclasses\n@dataclasses.dataclass\nclass D:\n    a: int = dataclasses.field(default=1)",
    "class T(TypedDict, total=False):\n    a: Required[int]\nU = TypedDict('U', {'a-b': int})",
    "class N(NamedTuple):\n    a: int = 1\nM = NamedTuple('M', [('a', int)])\nP = namedtuple('P', 'x y')",
    "T = TypeVar('T', bound='Base')\nclass Box(BaseModel, Generic[T]):\n    v: T\nB = Box[int]\n"
    "b = Box[int](v=1)",
    "UserId = NewType('UserId', int)",
    "class M(BaseModel):\n    model_config = ConfigDict(extra='forbid')\n"
    "    class Config:\n        frozen = True",
    "class M(BaseModel):\n    x: int = Field(..., alias='X', examples=[1])\n"
    "    @field_validator('x')\n    @classmethod\n    def check(cls, v: int) -> int:\n        return v",
    "class M(BaseModel):\n    @computed_field\n    @property\n    def y(self) -> int: ...",
    "class M(BaseModel):\n    kids: list['M'] = []\nM.model_rebuild()",
    "class M(RootModel[list[int]]): ...",
    "S = Annotated[str, StringConstraints(pattern=r'^\\d{8}$', strip_whitespace=True)]",
    "S = Annotated[str, BeforeValidator(str.strip)]",
    "class S:\n    def __init__(self, x: int = 0) -> None: ...\n    def m(self, a: int): ...\n"
    "s = S(1)\n__lens_tool__ = s.m",
    "class S:\n    def __call__(self, a: int): ...\n__lens_tool__ = S()",
    "class S:\n    @staticmethod\n    def m(a: int): ...\n    @classmethod\n    def n(cls): ...\n"
    "x = S.m\ny = S.n",
    "class S:\n    __slots__ = ('a',)\n    __doc__ = 'D.'\n    __hash__ = None\n    def _p(self): ...\n"
    "x = S()._p",
    "class A:\n    class B:\n        x: int\n        class C(Enum):\n            D = 1\ny = A.B.C.D",
    "def f(): ...\nf.__doc__ = 'D.'\nf.__name__ = 'g'\nf.__qualname__ = 'g'\nf.custom = 1",
    "def deco(f):\n    @functools.wraps(f)\n    def w(*a, **k):\n        return f(*a, **k)\n    return w\n"
    "@deco\ndef g(a: int): ...",
    "def deco(name: str = ''):\n    def inner(f):\n        return f\n    return inner\n"
    "@deco('x')\ndef g(a: int): ...",
    "import functools\ng = functools.partial(f, 1, b=2)",
    "f = lambda x, y=1: x",
    "f = lambda: ...",
    "f = lambda: {'a': [1, -1]}",
    "__lens_tool__ = FunctionTool(f, require_confirmation=True)",
    "__lens_tool__ = FunctionTool(func=lambda a: None)",
    "__lens_tool__ = LongRunningFunctionTool(func=f)",
    "__lens_tool__ = AgentTool(agent=Agent(name='a', model='m', description='D', input_schema=M))",
    "X = Field(**COMMON)",
    "f: Callable[[int, str], dict[str, Any]]",
    "X = Callable[..., int]\nY = tuple[int, ...]\nZ = tuple[()]",
    "_MISSING = object()\ndef f(a=_MISSING): ...",
    "from http import HTTPStatus\ndef f(a: HTTPStatus = HTTPStatus.OK): ...",
    "from math import inf, pi\ndef f(a: float = inf, b: float = -pi): ...",
    "__all__ = ['f']",
    "größe = 1\ndef größe_ermitteln(größe: int): ...",
]
NEW_SYNTAX = [
    "type Ids = list[int]",
    "type Pair[T] = tuple[T, T]",
    "class Box[T: (int, str)](BaseModel):\n    v: T",
    "def f[T: int, *Ts, **P](a: T, *b: *Ts) -> T: ...",
]
NEW_HOSTILE = ["type X = open('x')", "type X = [y for y in z]", "def f[T: ().__class__](): ..."]


def test_the_lists_are_long_enough() -> None:
    assert len(set(HOSTILE)) >= 60
    assert len(set(LEGITIMATE)) >= 60


@pytest.mark.parametrize("source", HOSTILE)
def test_hostile(source: str) -> None:
    assert verify(source)


@pytest.mark.parametrize("source", LEGITIMATE)
def test_legitimate(source: str) -> None:
    assert verify(source) == []


if sys.version_info >= (3, 12):

    @pytest.mark.parametrize("source", NEW_SYNTAX)
    def test_legitimate_new_syntax(source: str) -> None:
        assert verify(source) == []

    @pytest.mark.parametrize("source", NEW_HOSTILE)
    def test_hostile_new_syntax(source: str) -> None:
        assert verify(source)


def test_problems_name_the_line_and_the_fault() -> None:
    assert verify("x = 1\n\ny = eval\n") == ["line 3: the built-in `eval`"]


def test_only_earlier_modules_of_the_stub_can_be_imported() -> None:
    source = "from shop.types import Item\nimport shop.types\nx = shop.types.Item"
    assert verify(source, ["shop.types"]) == []
    assert verify(source, ["shop"])
    assert verify("from shop.types import __loader__", ["shop.types"])


def test_a_name_of_the_stub_hides_a_built_in() -> None:
    assert verify("class format: ...\ndef f(a: format): ...") == []


@pytest.mark.parametrize(
    ("module", "allowed"),
    [
        ("typing", True),
        ("collections.abc", True),
        ("pydantic.types", True),
        ("google.adk.tools.tool_context", True),
        ("google.genai.types", True),
        ("google", False),
        ("google.adk.cli", False),
        ("google.adk.tools._x", False),
        ("google.genai.models", False),
        ("pydantic._internal", False),
        ("os", False),
        ("", False),
    ],
)
def test_allowed_modules(module: str, allowed: bool) -> None:
    assert allowed == is_allowed_module(module)


def test_allowed_names() -> None:
    assert "typing" in ALLOWED_MODULES
    assert is_allowed_name("typing", "Literal")
    assert not is_allowed_name("typing", "sys")
    assert not is_allowed_name("pydantic", "ImportString")
    assert not is_allowed_name("pydantic", "_internal")
