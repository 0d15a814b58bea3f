"""What is read out of docstrings, the neat ones and those that people really write."""

from __future__ import annotations

import inspect

import pytest

from adk_tool_lens.docstrings.model import Docstring, Kind, Style
from adk_tool_lens.docstrings.reader import read

NEAT = {
    Style.GOOGLE: """Finds hotels.

    Use this before booking.

    Args:
        city (str): Where to look,
            as people call it.
        nights: How many.

    Returns:
        dict: the hotels, under `hotels`.

    Raises:
        ValueError: if there is no such city.
    """,
    Style.NUMPY: """Finds hotels.

    Use this before booking.

    Parameters
    ----------
    city : str
        Where to look,
        as people call it.
    nights
        How many.

    Returns
    -------
    dict
        the hotels, under `hotels`.

    Raises
    ------
    ValueError
        if there is no such city.
    """,
    Style.REST: """Finds hotels.

    Use this before booking.

    :param str city: Where to look,
        as people call it.
    :param nights: How many.
    :returns: the hotels, under `hotels`.
    :rtype: dict
    :raises ValueError: if there is no such city.
    """,
    Style.EPYTEXT: """Finds hotels.

    Use this before booking.

    @param city: Where to look,
        as people call it.
    @type city: str
    @param nights: How many.
    @return: the hotels, under `hotels`.
    @raise ValueError: if there is no such city.
    """,
}


def table(docstring: Docstring) -> list[str]:
    """The entries, one a line: `name | type | description`."""
    return [f"{x.name} | {x.type or ''} | {x.description}" for x in docstring.entries]


@pytest.mark.parametrize("style", NEAT)
@pytest.mark.parametrize("clean", [inspect.cleandoc, str], ids=["clean", "raw"])
def test_all_styles_say_the_same(style: Style, clean: type[str]) -> None:
    docstring = read(clean(NEAT[style]), ("city", "nights"))
    assert docstring.style is style
    assert docstring.summary == "Finds hotels."
    assert docstring.body == "Use this before booking."
    assert table(docstring) == ["city | str | Where to look, as people call it.", "nights |  | How many."]
    assert "the hotels, under `hotels`." in (docstring.returns or "")
    assert [(x.name, x.description) for x in docstring.raises] == [
        ("ValueError", "if there is no such city.")
    ]
    kinds = [section.kind for section in docstring.sections]
    assert kinds == [Kind.PARAMETERS, Kind.RETURNS, Kind.RAISES]


@pytest.mark.parametrize("style", NEAT)
def test_spans_point_into_the_text_that_was_read(style: Style) -> None:
    text = NEAT[style]
    for entry in read(text, ("city", "nights")).entries:
        assert text[slice(*entry.name_span)] == entry.name
        assert " ".join(text[slice(*entry.text_span)].split()) == entry.description
        assert entry.span[0] <= entry.name_span[0] < entry.text_span[1] <= entry.span[1]
        if entry.type_span is not None:
            assert text[slice(*entry.type_span)] == entry.type


SLOPPY_LINES = {
    "x: the place": "x |  | the place",
    "x : the place": "x |  | the place",
    "x:the place": "x |  | the place",
    "x (int): the place": "x | int | the place",
    "x (int, optional): the place": "x | int, optional | the place",
    "x (Optional[dict[str, int]]): the place": "x | Optional[dict[str, int]] | the place",
    "x (Callable[[int], str]): the place": "x | Callable[[int], str] | the place",
    "x(int): the place": "x | int | the place",
    "x [int]: the place": "x | int | the place",
    "x（int）：the place": "x | int | the place",
    "x： the place": "x |  | the place",
    "x: int - the place": "x | int | the place",
    "x: list[str] -- the place": "x | list[str] | the place",
    "x: str | None - the place": "x | str | None | the place",
    "x: int": "x | int | ",
    "x - the place": "x |  | the place",
    "x -- the place": "x |  | the place",
    "x – the place": "x |  | the place",
    "x — the place": "x |  | the place",
    "x (int) - the place": "x | int | the place",
    "- x: the place": "x |  | the place",
    "* x -- the place": "x |  | the place",
    "• x: the place": "x |  | the place",
    "1. x: the place": "x |  | the place",
    "`x`: the place": "x |  | the place",
    "``x``: the place": "x |  | the place",
    "- `x` (int): the place": "x | int | the place",
    "**x**: the place": "x |  | the place",
    "**x:** the place": "x |  | the place",
    "- **x** (int): the place": "x | int | the place",
    "*x*: the place": "x |  | the place",
    "'x': the place": "x |  | the place",
    "x:": "x |  | ",
    "x": "x |  | ",
    "x (int)": "x | int | ",
    "x    the place": "x |  | the place",
    "x\tthe place": "x |  | the place",
    "x: http://a.b/c - d: e": "x |  | http://a.b/c - d: e",
    "x: - the place": "x |  | - the place",
    "*x: the place": "x |  | the place",
    "**x: the place": "x |  | the place",
    "\\*x: the place": "x |  | the place",
    "x: (see y) the place": "x |  | (see y) the place",
    ":param x: the place": "x |  | the place",
}


@pytest.mark.parametrize("line", SLOPPY_LINES)
@pytest.mark.parametrize("indent", ["", "  ", "    ", "\t"], ids=["flush", "two", "four", "tab"])
@pytest.mark.parametrize("title", ["Args:", "**Args:**", "### Parameters"])
def test_one_entry_however_it_is_written(line: str, indent: str, title: str) -> None:
    text = f"Does it.\n\n{title}\n{indent}{line}\n\nReturns:\n{indent or '  '}a dict"
    docstring = read(text, ("x", "y"))
    assert table(docstring) == [SLOPPY_LINES[line]]
    assert docstring.returns == "a dict"


@pytest.mark.parametrize(
    "line", [line for line in SLOPPY_LINES if line not in ("x", "x    the place", "x\tthe place")]
)
def test_the_signature_is_not_needed_to_read_an_entry(line: str) -> None:
    assert table(read(f"Does it.\n\nArgs:\n    {line}\n")) == [SLOPPY_LINES[line]]


TITLES = [
    "Args:", "Arguments:", "Parameters:", "Params:", "Keyword Args:", "Other Parameters:", "args:",
    "ARGS:", "**Args:**", "**Args**:", "__Args__:", "### Args", "## Args:", "*Args:*", "Args :",
    "Argumente:", "Parametry:", "Paramètres :", "Parámetros:", "Parâmetros:", "Parametri:", "参数：",
    "参数:", "引数:", "매개변수:", "Параметры:", "Input:",
]  # fmt: skip


@pytest.mark.parametrize("title", [*TITLES, "Args", "Parameters"])
def test_titles_of_parameters(title: str) -> None:
    docstring = read(f"Does it.\n\n{title}\n    x: the place\n    y: the time\n", ("x", "y"))
    assert table(docstring) == ["x |  | the place", "y |  | the time"]
    assert [section.kind for section in docstring.sections] == [Kind.PARAMETERS]


@pytest.mark.parametrize(
    "title",
    ["Returns:", "Return:", "Yields:", "RETURNS:", "returns:", "**Returns:**", "### Returns", "Returns",
     "Output:", "Rückgabe:", "Zwraca:", "Renvoie :", "Devuelve:", "Retorna:", "Restituisce:", "返回：",
     "返回值:", "戻り値:", "반환:", "Возвращает:"],
)  # fmt: skip
def test_titles_of_results(title: str) -> None:
    docstring = read(f"Does it.\n\nArgs:\n    x: the place\n\n{title}\n    a dict\n    of things\n")
    assert table(docstring) == ["x |  | the place"]
    assert docstring.returns == "a dict of things"


def test_own_titles_replace_the_known_ones() -> None:
    titles = {"wejście": Kind.PARAMETERS}
    assert table(read("A.\n\nWejście:\n  x: the place", titles=titles)) == ["x |  | the place"]
    assert table(read("A.\n\nArgs:\n  x: the place", titles=titles)) == []


WHOLE = {
    "continuation with and without hanging indent": (
        """A.

        Args:
            x: one
                two
            three
            y: four

                five: six
        """,
        ["x |  | one two three", "y |  | four five: six"],
    ),
    "the description on the line below": (
        """A.

        Args:
            x:
                one
            y (int):
                two
        """,
        ["x |  | one", "y | int | two"],
    ),
    "entries parted by blank lines": (
        "A.\n\nArgs:\n    x: one\n\n    y: two\n",
        ["x |  | one", "y |  | two"],
    ),
    "several names at once": ("A.\n\nArgs:\n    x, y: one\n", ["x |  | one", "y |  | one"]),
    "several names in NumPy style": (
        "A.\n\nParameters\n----------\nx, y : int\n    one\n*args, **kwargs\n    two",
        ["x | int | one", "y | int | one", "args |  | two", "kwargs |  | two"],
    ),
    "NumPy style with descriptions on the names' lines": (
        "A.\n\nParameters\n----------\nx : The place to look for.\ny : int, optional\n",
        ["x |  | The place to look for.", "y | int, optional | "],
    ),
    "NumPy style, everything further in": (
        "A.\n\nParameters\n----------\n    x : int\n        one\n    y : int\n        two\n",
        ["x | int | one", "y | int | two"],
    ),
    "variadic parameters": (
        "A.\n\nArgs:\n    *args: one\n    **kwargs: two\n",
        ["args |  | one", "kwargs |  | two"],
    ),
    "tabs": ("A.\n\n\tArgs:\n\t\tx: one\n\t\t\ttwo\n\t\ty: three\n\t", ["x |  | one two", "y |  | three"]),
    "Windows line ends": ("A.\r\n\r\nArgs:\r\n    x: one\r\n    y: two\r\n", ["x |  | one", "y |  | two"]),
    "nothing before the title": ("Args:\n        x: one\n        y: two\n    ", ["x |  | one", "y |  | two"]),
    "flush entries, then more sections": (
        "A.\nArgs:\nx: one\ny: two\nReturns:\na dict\n",
        ["x |  | one", "y |  | two"],
    ),
    "prose after the section": (
        "A.\n\nArgs:\n    x: one\n\nCall it twice: it does no harm.\n",
        ["x |  | one"],
    ),
    "Google entries, a reST result": (
        "A.\n\nArgs:\n    x: one\n    y: two\n:return: three\n",
        ["x |  | one", "y |  | two"],
    ),
    "two sections of parameters": (
        "A.\n\nArgs:\n    x: one\n\nKeyword Args:\n    y: two\n",
        ["x |  | one", "y |  | two"],
    ),
    "inline after the title": ("A.\n\nArgs: x: one\n", ["x |  | one"]),
    "a parameter called like a section": (
        "A.\n\nArgs:\n    input: one\n    returns: two\n    args: three\n",
        ["input |  | one", "returns |  | two", "args |  | three"],
    ),
    "javadoc": (
        "A.\n@param x the place: here\n@param {int} y - the time\n@return the thing\n",
        ["x |  | the place: here", "y | int | the time"],
    ),
    "reST with a type of its own": (
        ":param x: one\n:type x: dict[str, int]\n:keyword y: two\n",
        ["x | dict[str, int] | one", "y |  | two"],
    ),
    "reST, flush continuation": (":param x: one\ntwo\n\nProse.", ["x |  | one two"]),
    "an empty section": ("A.\n\nArgs:\n    None\n\nReturns:\n    x", []),
    "a note inside an entry": (
        "A.\n\nArgs:\n    x: one\n    Default: two\n    y: three\n",
        ["x |  | one Default: two", "y |  | three"],
    ),
    "a result that slid to the right": (
        "A.\n\nArgs:\n    x: one\n    Returns:\n        two\n",
        ["x |  | one"],
    ),
    "a field on the first line, of two paragraphs": (
        "\n    :param x: one\n        two\n\n        three\n    ",
        ["x |  | one two three"],
    ),
    "lines under a picture": ("A.\n\n<x>\n  ~~~~\n\nArgs:\n    x: one\n", ["x |  | one"]),
    "prose that looks like a title": ("Look at the\nexample: it is short.\nReturns nothing.", []),
}


@pytest.mark.parametrize("case", WHOLE)
@pytest.mark.parametrize("clean", [inspect.cleandoc, str], ids=["clean", "raw"])
def test_whole_docstrings(case: str, clean: type[str]) -> None:
    text, expected = WHOLE[case]
    params = ("x", "y", "input", "returns", "args", "kwargs")
    assert table(read(clean(text), params)) == expected


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("", Style.PLAIN),
        ("Does it.", Style.PLAIN),
        ("Does it.\n\nNote:\n    Slowly.", Style.PLAIN),
        ("Does it.\n\nReturns:\n    A dict.", Style.GOOGLE),
        ("Does it.\n\n:return: a dict", Style.REST),
        ("Does it.\n\n@return a dict", Style.EPYTEXT),
        ("Does it.\n\nReturns\n-------\ndict", Style.NUMPY),
        ("Does it.\n\nArgs:\n    x: one\n\n:return: two", Style.GOOGLE),
    ],
)
def test_style(text: str, style: Style) -> None:
    assert read(text).style is style


def test_an_unreadable_text_is_prose() -> None:
    docstring = read(" \n\t\n:::\n---\n@\n**\n#\n")
    assert docstring.style is Style.PLAIN
    assert (docstring.entries, docstring.returns, docstring.sections) == ((), None, ())


def test_a_rule_as_the_last_line_is_text() -> None:
    found = read("Does it.\n\nParameters\n----------\nx\n    The city\n\n    ---", ["x"])
    assert [entry.name for entry in found.entries] == ["x"]
    assert read("Does it.\n\n---").style is Style.PLAIN
