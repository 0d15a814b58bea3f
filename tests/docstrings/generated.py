"""Functions with docstrings as people might write them, and descriptions to write into those."""

from __future__ import annotations

import os
from dataclasses import dataclass

from hypothesis import settings
from hypothesis import strategies as st

from adk_tool_lens.docstrings.model import Style

LONG = os.environ.get("ADK_TOOL_LENS_TESTS") == "long"
EXAMPLES = int(os.environ.get("ADK_TOOL_LENS_EXAMPLES", "20000" if LONG else "200"))
settings.register_profile("docstrings", max_examples=EXAMPLES, deadline=None)
PROFILE = settings.get_profile("docstrings")

STYLES = (Style.GOOGLE, Style.NUMPY, Style.REST, Style.EPYTEXT, Style.PLAIN)
NAMES = ("x", "city", "unit", "page_size", "input", "returns", "args", "größe", "id", "note")
WORDS = (
    "city", "the", "x:", "Args:", "Returns:", "Returns", ":param", "@return", '"quoted"', "'it'", '"""',
    "'''", "back\\slash", "\\", "\\n", "C:\\dir\\", "naïve", "東京", "🌍", "a\u00a0b", "-", "--", "---",
    "-----", "*", "1.", "(int)", "[x]", "`code`", "**bold**", "e.g.", "https://a.b/c?d=e", "{x}", "%s",
    "#", ">>>", '"', "'", "\\N{DEGREE", "verylongwordthatdoesnotfitonanylineofreasonablewidth" * 2,
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A source text with one function, the names of its signature and the style of its docstring."""

    source: str
    order: tuple[str, ...]
    style: Style
    raw: bool
    documented: tuple[str, ...]


def _sentence(words: tuple[str, ...] = WORDS) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(words), min_size=1, max_size=12).map(" ".join)


@st.composite
def descriptions(draw: st.DrawFn) -> str:
    """A description: a few lines, some of them paragraphs or items of a list."""
    first = draw(st.sampled_from(("The", "Where to look", "ISO-4217 code", "何", "A list of", '"', "\\")))
    parts = [f"{first} {draw(_sentence())}"]
    for _ in range(draw(st.integers(0, 3))):
        parts.append(draw(st.sampled_from(("\n", "\n\n", "\n- ", "\n* ", " ", "\r\n", "\n    "))))
        parts.append(draw(_sentence()))
    return "".join(parts)


_PROSE = ("Does it.", "Finds the *best* one", "It's 20\u00a0°C: warm.", "Use `foo` first", "Größe: egal")


@st.composite
def values(draw: st.DrawFn, style: Style, documented: tuple[str, ...], margin: str) -> str:
    """A docstring's value as it stands in source, its lines after the first one indented."""
    unit = "\t" if "\t" in margin else draw(st.sampled_from(("    ", "  ")))
    lines = [draw(st.sampled_from(_PROSE))]
    for _ in range(draw(st.integers(0, 2))):
        lines += ["", margin + draw(st.sampled_from(_PROSE))]
    if documented:
        lines += ["", *_entries(draw, style, documented, margin, unit)]
    if draw(st.booleans()):
        lines += _results(style, margin, unit)
    closing = draw(st.sampled_from(("\n" + margin, "", " ", "\n\n" + margin, "  \n" + margin)))
    return "\n".join(lines) + closing


def _entries(draw: st.DrawFn, style: Style, documented: tuple[str, ...], margin: str, unit: str) -> list[str]:
    texts = {name: draw(st.sampled_from(("", "one", "one.", "one\ntwo", "one `x`"))) for name in documented}
    match style:
        case Style.NUMPY:
            lines = [f"{margin}Parameters", f"{margin}----------"]
            head, inner = "{}", margin + unit
        case Style.REST | Style.EPYTEXT:
            lines = []
            head, inner = (":param {}:" if style is Style.REST else "@param {}:"), margin + unit
        case _:
            lines = [margin + draw(st.sampled_from(("Args:", "Parameters:", "**Args:**", "Argumente:")))]
            head = unit + draw(st.sampled_from(("{}:", "{} (int):", "- {}:", "`{}`:", "**{}:**", "{}:")))
            inner = margin + unit * 2
    for name, text in texts.items():
        first, *more = text.split("\n")
        start = margin + head.format(name)
        if style is Style.NUMPY:
            lines += [start, *(inner + line for line in (first, *more) if line)]
        else:
            lines += [f"{start} {first}".rstrip(), *(inner + line for line in more)]
    return lines


def _results(style: Style, margin: str, unit: str) -> list[str]:
    match style:
        case Style.NUMPY:
            return ["", f"{margin}Returns", f"{margin}-------", f"{margin}dict", f"{margin}{unit}it."]
        case Style.REST:
            return [f"{margin}:return: it."]
        case Style.EPYTEXT:
            return [f"{margin}@return: it."]
        case _:
            return ["", f"{margin}Returns:", f"{margin}{unit}dict: it."]


@st.composite
def cases(draw: st.DrawFn, *, with_docstring: bool | None = None) -> Case:
    """A function with or without a docstring, in one of the shapes that functions have."""
    order = tuple(draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True)))
    method = draw(st.booleans())
    step = draw(st.sampled_from(("    ", "\t", "  ")))
    outer = step if method else ""
    signature = ", ".join([*(["self"] if method else []), *(f"{name}: int" for name in order)])
    header = draw(st.sampled_from(("def", "async def"))) + f" call({signature}) -> dict[str, int]:"
    has = draw(st.booleans()) if with_docstring is None else with_docstring
    style = draw(st.sampled_from(STYLES))
    documented = tuple(name for name in order if draw(st.booleans())) if style is not Style.PLAIN else ()
    raw = has and draw(st.booleans())
    token = _token(draw, draw(values(style, documented, outer + step)), raw) if has else ""
    source = _function(draw, header, outer, outer + step, token)
    if method:
        source = f"class Tool:\n{outer}'''Text.'''\n\n{source}"
    source = f"# größe 🌍\nimport functools\n\n{source}\n\nother = '''\nx: y\n'''\n"
    if draw(st.booleans()):
        source = source.replace("\n", "\r\n")
    return Case(source, order, style, raw, documented if has else ())


def _function(draw: st.DrawFn, header: str, outer: str, inner: str, token: str) -> str:
    decorator = draw(
        st.sampled_from(("", f"{outer}@functools.cache\n", f"{outer}@functools.wraps(f)  # x: y\n"))
    )
    body = draw(st.sampled_from(("return {'a': 1}", "pass", "...")))
    if "\n" not in token and draw(st.booleans()):
        line = f"{token}; {body}" if token else body
        return f"{decorator}{outer}{header} {line}  # why: so"
    after = draw(st.sampled_from(("", "  # noqa: x", " ")))
    first = f"{inner}{token}\n" if token else draw(st.sampled_from(("", f"{inner}# a: b\n", "\n")))
    return f"{decorator}{outer}{header}{after}\n{first}{inner}{body}"


def _token(draw: st.DrawFn, value: str, raw: bool) -> str:
    quote = draw(st.sampled_from(('"""', "'''")))
    if "\n" not in value and draw(st.booleans()):
        quote = quote[0]
        value = value.replace(quote, "")
    prefix = draw(st.sampled_from(("r", "R") if raw else ("", "u", "U")))
    start = "" if raw else draw(st.sampled_from(("", "\\\n", "\\x41 ", "\\d ", "\\N{BULLET} ", "\\101")))
    if len(quote) == 1 and "\n" in start:
        start = ""
    return f"{prefix}{quote}{start}{value}{quote}"
