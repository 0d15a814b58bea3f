"""Whether a model that reads the docstring learns anything about a parameter, or the result."""

from __future__ import annotations

import pytest

from adk_tool_lens.docstrings.mentions import describes_result, mentions

SAYS = [
    "Finds it.\n\nArgs:\n    id: the place\n",
    "Finds it.\n\nArgs:\n    other: one\n    id (str): the place\n",
    "Finds it.\n\n:param id: the place",
    "Finds it.\n\nParameters\n----------\nid : str\n    the place\n",
    "Finds it by `id`.",
    "Finds it by ``id``.",
    "Finds it by 'id'.",
    'Finds it by "id".',
    "Finds it by **id**.",
    "Finds it. `id=3` is the first.",
    "Finds it.\n\nid: the place",
    "Finds it.\n\n- id: the place",
    "Finds it.\n\nid (str): the place",
    "Finds it.\n\nid    the place",
    "Finds it by the id.",
    "Finds it by the parameter id.",
    "The id parameter is a place.",
    "Finds it.\n\nArgs:\n    id:\n\nThe `id` is a place.",
    "Finds it.\n\nArgs:\n    other: like `id`\n",
]

SAYS_NOTHING = [
    "",
    "Finds it.",
    "Finds hidden ids.",
    "Finds it, id est there.",
    "Finds it by obj.id here.",
    "Finds it.\n\nArgs:\n    id:\n    other: one",
    "Finds it.\n\nArgs:\n    id: str\n",
    "Finds it.\n\nArgs:\n    id (str):\n",
    "Finds it.\n\nParameters\n----------\nid : str\nother : int\n    One.\n",
    "Finds it.\n\n:param id:\n:type id: str\n",
]


@pytest.mark.parametrize("text", SAYS)
def test_something_is_said(text: str) -> None:
    assert mentions(text, "id")
    assert mentions(text.replace("id", "größe"), "größe")


@pytest.mark.parametrize("text", SAYS_NOTHING)
def test_nothing_is_said(text: str) -> None:
    assert not mentions(text, "id")


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Finds a hotel by city.", "city", True),
        ("Finds a hotel by City.", "city", False),
        ("Finds a hotel in cities.", "city", False),
        ("Finds a hotel for get_city.", "city", False),
        ("Sorts by x_y when asked.", "x_y", True),
        ("Finds a box.", "x", False),
        ("Args:\n    *args: what to add", "args", True),
        ("Args:\n    **kwargs: what to add", "**kwargs", True),
        ("Args:\n    city:\n", "city", False),
        ("Args:\n    city (str):\n\nReturns:\n    the weather", "city", False),
    ],
)
def test_names_as_words(text: str, name: str, expected: bool) -> None:
    assert mentions(text, name) is expected


@pytest.mark.parametrize(
    "text",
    [
        "A.\n\nReturns:\n    a dict",
        "A.\n\nReturns: a dict",
        "A.\n\n:return: a dict",
        "A.\n\n:rtype: dict",
        "A.\n\n@return a dict",
        "A.\n\nReturns\n-------\ndict\n",
        "A.\n\nYields:\n    numbers",
        "A.\n\nRückgabe:\n    ein dict",
        "Returns the weather of a city.",
        "Looks it up and returns the weather.",
        "Looks it up. Will return an error message if there is none.",
        "Gives back a dict with status and report.",
        "The answer: a dictionary containing the status.",
        "A list of hotels is returned.",
        "The result has the key `status`.",
    ],
)
def test_the_result_is_described(text: str) -> None:
    assert describes_result(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Finds hotels.",
        "A.\n\nReturns:\n\nRaises:\n    ValueError: never",
        "Cancels a return flight.",
        "Books the return of a car.",
        "A.\n\nArgs:\n    return_date: when it ends",
    ],
)
def test_the_result_is_not_described(text: str) -> None:
    assert not describes_result(text)
