"""Texts and names that were made to break a stub: it stays Python of a few harmless kinds."""

from __future__ import annotations

import ast
import inspect
import os
import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, event, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Answer, Declared, Refused, Request, Stub, Unavailable
from adk_tool_lens.declaration.worker import is_allowed_module, verify
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.ide.analysis import analyse
from adk_tool_lens.rules.model import Facts
from conftest import AdkPython

EXAMPLES = 20_000 if os.environ.get("ADK_TOOL_LENS_TESTS") == "long" else 40
PAYLOAD = "open('TRACE', 'a').write('x')"
PIECES = [
    '"""', "'''", '"', "'", "\\", "\\\\", "\\'", '\\"', "\n", "\r", "\r\n", "\t", "\x00", "\x0b", "\x0c",
    "\x1b", "\x7f", "\x85", "\xa0", "\u2028", "\u2029", "\ufeff", "\ud800", "\udfff", "\U0010ffff", "😀",
    "é", "e\u0301", "\\N{BULLET}", "\\N{", "\\x", "\\x0", "\\u", "\\U00110000", "\\8", "{", "}", "{{}}",
    "{0.__class__}", "%s", "%(x)s", "${x}", "#", "# type: ignore", "`", "\\\n", "a", "Args:\n    x: y",
    " ", "    ", "=", "),", "]]", f"' + {PAYLOAD} + '", f'" + {PAYLOAD} + "', f'"""\n{PAYLOAD}\n"""',
    f"{{{PAYLOAD}}}", f"\n{PAYLOAD}\n", "𝐨𝐩𝐞𝐧",
]  # fmt: skip
NAMES = [
    "f", "x", "str", "int", "dict", "type", "list", "print", "open", "eval", "exec", "object",
    "property", "match", "case", "_", "__", "___", "_x", "__x", "__x__", "__builtins__", "__import__",
    "__class__", "__dict__", "__name__", "__doc__", "__file__", "__all__", "__slots__", "__init__",
    "__call__", "__annotations__", "__lens_tool__", "__lens_callee__", "__lens_x", "lens_x", "__debug__",
    "None", "self", "cls", "mro", "class_", "typing", "enum", "pydantic", "Field", "Agent", "BaseModel",
    "Literal", "ﬁnd", "𝐨𝐩𝐞𝐧", "ªb", "ſtr", "𝒸lass", "__ﬁ__", "名前", "µ", "Ω", "ﬀ__class__",
    "model_config", "model_fields", "format", "func_globals", "a" * 300,
]  # fmt: skip
ANNOTATIONS = [
    "str", PAYLOAD, f"'{PAYLOAD}'", "().__class__.__base__.__subclasses__()", "typing.sys.modules",
    "__builtins__", "__import__('os').system('id')", "(lambda: x)()", f"[{PAYLOAD} for _ in (1,)]",
    f"(y := {PAYLOAD})", "str if True else int", "f'{str!r}'", "typing.get_type_hints",
    "list['str', '" + PAYLOAD.replace("'", '"') + "']", "Annotated[str, f'{open}']",
    "Optional['().__class__']", "typing.ForwardRef('open')", "vars()", "str.__mro__",
    "Literal['a', 'b'].__args__[0]", "str.mro()", "type('X', (), {})", "enum.Enum('X', 'a b')",
    "int | 'str'", "...",
]  # fmt: skip
TEMPLATE = """\
import enum
import typing
from dataclasses import dataclass
from typing import Annotated, Literal, NewType, Optional, TypedDict

from google.adk.agents import Agent
from pydantic import BaseModel, Field

class {cls}(enum.Enum):
    {docs[0]}
    {names[0]} = {texts[0]}
    {names[1]} = {texts[1]}

class {model}(BaseModel):
    {docs[1]}
    {names[2]}: str = Field({texts[2]}, description={texts[3]}, alias={texts[4]}, examples=[{texts[5]}])
    {names[3]}: int = Field(1, title={texts[6]}, json_schema_extra={{{texts[7]}: {texts[8]}}})

@dataclass
class {data}:
    {names[4]}: str = {texts[9]}

Keys = TypedDict({texts[10]}, {{{texts[11]}: str}})
New = NewType({texts[12]}, str)

def {function}(
    {names[5]}: Literal[{texts[13]}, {texts[14]}],
    {names[6]}: {annotation},
    {names[7]}: Annotated[str, Field(description={texts[15]}, pattern={texts[16]})] = {texts[17]},
    {names[8]}: Optional[{cls}] = None,
    {names[9]}: "{model} | {data}" = None,
    {names[10]}: Keys = None,
    {names[11]}: New = {texts[18]},
) -> dict:
    {docs[2]}
    return {{}}

def plain({names[12]}: str) -> dict:
    {docs[3]}

root_agent = Agent(name="a", model="gemini-2.5-flash", instruction={texts[19]}, tools=[{function}, plain])
"""
HARMLESS = (
    ast.Module, ast.Import, ast.ImportFrom, ast.alias, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef,
    ast.arguments, ast.arg, ast.Assign, ast.AnnAssign, ast.Expr, ast.Pass, ast.Return, ast.Yield,
    ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.keyword, ast.Starred, ast.List,
    ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Lambda, ast.Slice, ast.expr_context,
    ast.operator, ast.unaryop,
)  # fmt: skip
NEVER = frozenset(
    """open eval exec compile __import__ getattr setattr delattr globals locals vars dir input breakpoint
    memoryview help exit quit print format super""".split()  # noqa: SIM905
)


def written(text: str, how: int) -> str:
    """A literal that may stand for the text."""
    match how:
        case 0:
            return repr(text)
        case 1:
            return ascii(text)
        case 2:
            return '"""' + text.replace('"', '\\"') + '"""'
        case 3:
            return "r'''" + text + "'''"
        case 4:
            return "'" + text + "' '" + text + "'"
    return "f" + ascii(text)


@st.composite
def literals(draw: DrawFn) -> str:
    """A literal of a hostile text; not all are Python."""
    text = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=5)))
    return written(text, draw(st.sampled_from([0, 0, 0, 0, 1, 1, 2, 3, 4, 5])))


@st.composite
def modules(draw: DrawFn) -> str:
    """A module with a tool; its statements are Python or not, one by one."""
    many = draw(st.lists(literals(), min_size=20, max_size=20))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=16, max_size=16, unique=True))
    return TEMPLATE.format(
        texts=many,
        docs=draw(st.lists(literals(), min_size=4, max_size=4)),
        names=names,
        annotation=draw(st.sampled_from(ANNOTATIONS)),
        cls=names[13],
        model=draw(st.sampled_from(["Model", "M__class__", names[14]])),
        data="Data",
        function=draw(st.sampled_from(["tool", names[15]])),
    )


def harm(source: str) -> Iterator[str]:
    """What is not harmless in a stub's text: a second opinion, independent of `verify`."""
    tree = ast.parse(source)
    bound = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    bound |= {node.name for node in ast.walk(tree) if hasattr(node, "name") and isinstance(node.name, str)}
    bound |= {alias.asname or alias.name for node in ast.walk(tree) for alias in getattr(node, "names", ())}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if name.startswith("__"):
                yield f"reads {name}"
            case ast.Name(id=name) if name in NEVER and name not in bound:
                yield f"names {name}"
            case ast.Name(id=name) if re.fullmatch("__lens.*|__.*__", name) and name not in bound:
                yield f"names {name}"
            case ast.Import(names=aliases):
                yield from (f"imports {a.name}" for a in aliases if not is_allowed_module(a.name))
            case ast.ImportFrom(module=module) if module != "google" and not is_allowed_module(module or ""):
                yield f"imports {module}"
            case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body):
                yield from (f"does {ast.unparse(one)}" for one in body if isinstance(one, ast.If | ast.While))
            case _ if not isinstance(node, HARMLESS) and type(node).__name__ not in {"TypeAlias", "TypeVar"}:
                yield f"is {type(node).__name__}"


@pytest.fixture(scope="module")
def asker(adk_python: AdkPython) -> Iterator[DeclarationClient]:
    """Asks google-adk 2.13.0; nothing is kept."""
    client = DeclarationClient(adk_python("2.13.0"), timeout=60.0)
    yield client
    client.close()


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=EXAMPLES < 1000,
    phases=[Phase.explicit, Phase.generate],  # shrinking takes minutes and says little more
    suppress_health_check=list(HealthCheck),
)
@given(text=modules())
def test_stubs_of_hostile_texts_are_harmless(
    text: str, asker: DeclarationClient, tmp_path_factory: pytest.TempPathFactory
) -> None:
    trace = tmp_path_factory.getbasetemp() / "trace-of-texts"
    asked: list[tuple[Request, Answer]] = []

    def ask(request: Request) -> Answer:
        asked.append((request, asker.declare(request)))
        return asked[-1][1]

    text = text.replace("TRACE", str(trace))
    module = Module.of(text, name="tools")
    analysis = analyse(module, World(lambda _name, _importer: None), ask, Facts("2.13.0"))
    for request, answer in asked:
        found = problems(request.stub)
        event(f"{type(answer).__name__}{' and refused by the wall' if found else ''}")
        assert not any("no Python" in problem for problem in found), found
        is_denied = isinstance(answer, Refused) and answer.type == "StubRejectedError"
        assert is_denied or not found, found
        assert found or [one for part in request.stub.modules for one in harm(part.source)] == []
    for report in analysis.reports:
        assert not isinstance(report.answer, Unavailable), report.answer
        if isinstance(report.answer, Declared) and not report.approximations:
            told = (report.answer.declaration or {}).get("description")
            assert told == documentation(text, report.tool.qualname), report.answer
    assert not trace.exists()


def problems(stub: Stub) -> list[str]:
    """What the worker's first wall says of a stub."""
    names = [part.name for part in stub.modules]
    return [each for n, part in enumerate(stub.modules) for each in verify(part.source, names[:n])]


def documentation(text: str, name: str) -> str | None:
    """What `__doc__` of a function of the module is, as google-adk sends it."""
    for statement in text.split("\ndef ")[1:]:
        try:
            node = ast.parse("def " + statement.partition("\nroot_agent")[0]).body[0]
        except (SyntaxError, ValueError):
            continue
        if isinstance(node, ast.FunctionDef) and node.name == name:
            documented = ast.get_docstring(node, clean=False)
            return inspect.cleandoc(documented or "") or None
    raise AssertionError(name)


def test_the_second_opinion_finds_harm() -> None:
    for source in ("x.__class__", "open('x')", "import os", "from os import x", "[x for x in y]", "f'{x}'"):
        assert list(harm(source)), source
