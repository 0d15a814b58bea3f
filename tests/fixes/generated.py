"""Tools as people might write them, with descriptions beside the types of their parameters."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from adk_tool_lens.docstrings.model import Style
from docstrings.generated import descriptions, values

NAMES = ("city", "unit", "page_size", "query", "x", "größe", "note")
PLAIN = (
    "The name of it.",
    "ISO 4217 code, e.g. `PLN`",
    'Either "a" or "b".',
    "Größe in cm",
    "Path C:\\dir\\new",
)
TYPES = ("str", "int", "list[str]", "str | None", '"str"', "dict[str, int]")
FORMS = (
    "Annotated[{type}, Field(description={text})]",
    "Annotated[{type}, Field(ge=1, description={text})]",
    "Annotated[{type}, Field(description={text}, max_length=3)]",
    "Annotated[{type}, {text}]",
    "Annotated[{type}, Doc({text})]",
    "t.Annotated[{type}, pydantic.Field(description={text}, title='T')]",
    "{type}",
)
IMPORTS = """from __future__ import annotations

import typing as t
from typing import Annotated, Any

import pydantic
from google.adk.agents import Agent
from pydantic import Field
from typing_extensions import Doc
"""


@dataclass(frozen=True)
class Written:
    """A source text with one tool; what is said about its parameters beside their types."""

    source: str
    said: dict[str, str]


@st.composite
def written(draw: st.DrawFn, *, plain: bool, forms: tuple[str, ...] = FORMS) -> Written:
    """A tool; `plain` texts are such that every one can be moved."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    texts = st.sampled_from(PLAIN) if plain else descriptions()
    said: dict[str, str] = {}
    parts = []
    for name in names:
        form, text = draw(st.sampled_from(forms)), draw(texts)
        if "{text}" in form:
            said[name] = text
        parts.append(f"{name}: {form.format(type=draw(st.sampled_from(TYPES)), text=repr(text))}")
    step = draw(st.sampled_from(("    ", "\t")))
    outer = step if draw(st.booleans()) else ""
    several = draw(st.booleans())
    parts = ["self", *parts] if outer else parts
    signature = f",\n{outer}{step}".join(parts) if several else ", ".join(parts)
    header = f"tool(\n{outer}{step}{signature},\n{outer})" if several else f"tool({signature})"
    source = f"{IMPORTS}{draw(st.sampled_from(('', chr(12))))}\n\n"
    source += f"class Shop:\n{outer}'Text.'\n\n" if outer else ""
    source += f"{outer}{draw(st.sampled_from(('', 'async ')))}def {header} -> dict:"
    source += draw(_body(tuple(names), outer + step))
    tool = "Shop().tool" if outer else "tool"
    source += f'\n\nroot_agent = Agent(name="a", model="gemini-2.5-flash", tools=[{tool}])\n'
    return Written(source.replace("\n", draw(st.sampled_from(("\n", "\r\n")))), said)


@st.composite
def _body(draw: st.DrawFn, names: tuple[str, ...], margin: str) -> str:
    if draw(st.booleans()):
        comment = f'\n{margin}# first\n{margin}return {{"a": 1}}'
        return draw(st.sampled_from((' return {"a": 1}  # why', comment)))
    style = draw(st.sampled_from((Style.GOOGLE, Style.NUMPY, Style.REST, Style.PLAIN)))
    documented = tuple(n for n in names if draw(st.booleans())) if style is not Style.PLAIN else ()
    quote = draw(st.sampled_from(('"""', "'''")))
    prefix = draw(st.sampled_from(("", "U")))
    value = draw(values(style, documented, margin))
    return f'\n{margin}{prefix}{quote}{value}{quote}  # noqa\n{margin}return {{"a": 1}}'
