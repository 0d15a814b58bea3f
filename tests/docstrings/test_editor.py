"""What the editor writes, shown as functions before and after.

Each case is a docstring as it stands in `def call(x, y, z):`, and as it stands there afterwards.
"""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from adk_tool_lens.docstrings import editor
from adk_tool_lens.docstrings.model import Style
from docstrings.functions import edited, function_text

ORDER = ("x", "y", "z")


def function(docstring: str) -> str:
    body = f"    {docstring}\n" if docstring else ""
    return f"def call(x, y, z):\n{body}    return x\n"


def block(text: str) -> str:
    """A docstring as written in these tables, indented as it stands in a function."""
    lines = dedent(text).strip("\n").split("\n")
    return "\n    ".join(lines).replace("\n    \n", "\n\n")


ADDED_Y = {
    "a docstring of one line": (
        '"""Does it."""',
        '''
        """Does it.

        Args:
            y: The time.
        """
        ''',
    ),
    "single quotes": (
        "'Does \"it\".'",
        """
        '''Does "it".

        Args:
            y: The time.
        '''
        """,
    ),
    "at its place in the signature": (
        '''
        """Does it.

        Args:
            x: One.
            z: Three.
        """
        ''',
        '''
        """Does it.

        Args:
            x: One.
            y: The time.
            z: Three.
        """
        ''',
    ),
    "before the first": (
        '''
        """Does it.

        Args:
            z (int): Three,
                or more.

        Returns:
            dict: It.
        """
        ''',
        '''
        """Does it.

        Args:
            y: The time.
            z (int): Three,
                or more.

        Returns:
            dict: It.
        """
        ''',
    ),
    "after an entry of several lines and paragraphs": (
        '''
        """Does it.

        Args:
            x: One
                two.

                - three
        """
        ''',
        '''
        """Does it.

        Args:
            x: One
                two.

                - three
            y: The time.
        """
        ''',
    ),
    "a new section goes before results and examples, after the prose": (
        '''
        """Does it.

        Note: slowly.

        Call it once.

        Returns:
            It.
        """
        ''',
        '''
        """Does it.

        Note: slowly.

        Call it once.

        Args:
            y: The time.

        Returns:
            It.
        """
        ''',
    ),
    "a section that stands there empty": (
        '''
        """Does it.

        Args:

        Returns:
            It.
        """
        ''',
        '''
        """Does it.

        Args:
            y: The time.

        Returns:
            It.
        """
        ''',
    ),
    "no blank line before the results": (
        '''
        """Does it.
        Returns: It.
        """
        ''',
        '''
        """Does it.

        Args:
            y: The time.

        Returns: It.
        """
        ''',
    ),
    "closing quotes beside the text": (
        '''
        """Does it.

        Args:
            x: One."""
        ''',
        '''
        """Does it.

        Args:
            x: One.
            y: The time.
        """
        ''',
    ),
    "the marks of the other entries": (
        '''
        """Does it.

        **Args:**
        - **x** (int): One.
        """
        ''',
        '''
        """Does it.

        **Args:**
        - **x** (int): One.
        - **y**: The time.
        """
        ''',
    ),
    "marks around the colon": (
        '''
        """Does it.

        Args:
          * **x:** One.
        """
        ''',
        '''
        """Does it.

        Args:
          * **x:** One.
          * **y:** The time.
        """
        ''',
    ),
    "dashes instead of colons": (
        '''
        """Does it.

        Parameters:
            x - One.
        """
        ''',
        '''
        """Does it.

        Parameters:
            x - One.
            y - The time.
        """
        ''',
    ),
    "descriptions below the names": (
        '''
        """Does it.

        Args:
            x:
                One.
        """
        ''',
        '''
        """Does it.

        Args:
            x:
                One.
            y:
                The time.
        """
        ''',
    ),
    "blank lines between the entries": (
        '''
        """Does it.

        Args:
            x: One.

            z: Three.
        """
        ''',
        '''
        """Does it.

        Args:
            x: One.

            y: The time.

            z: Three.
        """
        ''',
    ),
    "another language": (
        '''
        """Sucht es.

        Argumente:
          x: Eins.
        """
        ''',
        '''
        """Sucht es.

        Argumente:
          x: Eins.
          y: The time.
        """
        ''',
    ),
    "NumPy style": (
        '''
        """Does it.

        Parameters
        ----------
        x : int
            One.

        Returns
        -------
        dict
            It.
        """
        ''',
        '''
        """Does it.

        Parameters
        ----------
        x : int
            One.
        y
            The time.

        Returns
        -------
        dict
            It.
        """
        ''',
    ),
    "NumPy style, no parameters yet": (
        '''
        """Does it.

        Returns
        -------
        dict
            It.
        """
        ''',
        '''
        """Does it.

        Parameters
        ----------
        y
            The time.

        Returns
        -------
        dict
            It.
        """
        ''',
    ),
    "reST": (
        '''
        """Does it.

        :param x: One.
        :type x: int
        :param z: Three.
        :return: It.
        """
        ''',
        '''
        """Does it.

        :param x: One.
        :type x: int
        :param y: The time.
        :param z: Three.
        :return: It.
        """
        ''',
    ),
    "reST, no parameters yet": (
        '''
        """Does it.

        :return: It.
        """
        ''',
        '''
        """Does it.

        :param y: The time.
        :return: It.
        """
        ''',
    ),
    "Epytext": (
        '''
        """Does it.

        @param x: One.
        """
        ''',
        '''
        """Does it.

        @param x: One.
        @param y: The time.
        """
        ''',
    ),
    "an empty entry is filled": (
        '''
        """Does it.

        Args:
            x: One.
            y (str):
        """
        ''',
        '''
        """Does it.

        Args:
            x: One.
            y (str): The time.
        """
        ''',
    ),
    "a lone name is filled": (
        '''
        """Does it.

        Args:
            y
            z: Three.
        """
        ''',
        '''
        """Does it.

        Args:
            y: The time.
            z: Three.
        """
        ''',
    ),
    "a type in the place of a description is kept": (
        '''
        """Does it.

        Args:
            y: str
        """
        ''',
        '''
        """Does it.

        Args:
            y: str - The time.
        """
        ''',
    ),
    "an empty NumPy entry is filled": (
        '''
        """Does it.

        Parameters
        ----------
        y : str
        z : int
            Three.
        """
        ''',
        '''
        """Does it.

        Parameters
        ----------
        y : str
            The time.
        z : int
            Three.
        """
        ''',
    ),
    "another description is kept": (
        '''
        """Does it.

        Args:
            y: When
                it is
        """
        ''',
        '''
        """Does it.

        Args:
            y: When
                it is. The time.
        """
        ''',
    ),
    "escapes and continuations stay": (
        '''
        """\\
        Does\\tit\\x2e
        """
        ''',
        '''
        """\\
        Does\\tit\\x2e

        Args:
            y: The time.
        """
        ''',
    ),
    "no text at all": (
        '""""""',
        '''
        """
        Args:
            y: The time.
        """
        ''',
    ),
}


@pytest.mark.parametrize("case", ADDED_Y)
def test_an_entry_is_added_where_and_as_it_belongs(case: str) -> None:
    before, after = (function(block(text)) for text in ADDED_Y[case])
    edits = editor.set_entry(function_text(before), "y", "The time.", order=ORDER)
    assert edited(before, edits) == after
    assert editor.set_entry(function_text(after), "y", "the time", order=ORDER) == ()


HEADERS = {
    "def call(x, y, z):\n    return x\n": "def call(x, y, z):\n{}\n    return x\n",
    "def call(x, y, z): return x  # a: b\n": "def call(x, y, z):\n{}\n    return x  # a: b\n",
    "def call(x, y, z):  # a: b\n    # c\n\n    return x": (
        "def call(x, y, z):  # a: b\n{}\n    # c\n\n    return x"
    ),
    "def call(\n    x, y,\n    z={'a': 1},\n) -> dict:\n    return x\n": (
        "def call(\n    x, y,\n    z={'a': 1},\n) -> dict:\n{}\n    return x\n"
    ),
    "def call(x, y, z): ...": "def call(x, y, z):\n{}\n    ...",
    "def call(x, y, z):\n    @a\n    def b(): pass\n": (
        "def call(x, y, z):\n{}\n    @a\n    def b(): pass\n"
    ),
}


@pytest.mark.parametrize("before", HEADERS)
def test_a_docstring_is_made_where_there_is_none(before: str) -> None:
    text = '    """Calls it.\n\n    Args:\n        x: One.\n        z: "Three" \\\\.\n    """'
    wanted = {"z": '"Three" \\.', "x": "One."}
    edits = editor.set_entries(function_text(before), wanted, order=ORDER, summary="Calls it.")
    assert edited(before, edits) == HEADERS[before].replace("{}", text)


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (Style.GOOGLE, '"""\n    Args:\n        x: One.\n    """'),
        (Style.PLAIN, '"""\n    Args:\n        x: One.\n    """'),
        (Style.NUMPY, '"""\n    Parameters\n    ----------\n    x\n        One.\n    """'),
        (Style.REST, '"""\n    :param x: One.\n    """'),
        (Style.EPYTEXT, '"""\n    @param x: One.\n    """'),
    ],
)
def test_without_a_summary_the_docstring_starts_with_the_section(style: Style, expected: str) -> None:
    edits = editor.set_entry(function_text(function("")), "x", "One.", order=ORDER, style=style)
    assert edited(function(""), edits) == function(expected)


LONG = "Where to look, as the user says it, " * 3 + "in full."
WRAPPED = {
    "to the usual width": (
        '"""Does it."""',
        LONG,
        '''
        """Does it.

        Args:
            y: Where to look, as the user says it, Where to look, as the user says it, Where
                to look, as the user says it, in full.
        """
        ''',
    ),
    "to the width the docstring is wrapped at": (
        '''
        """Does it.

        This has been wrapped at seventy-two columns or so, which is what
        some people like.
        """
        ''',
        LONG,
        '''
        """Does it.

        This has been wrapped at seventy-two columns or so, which is what
        some people like.

        Args:
            y: Where to look, as the user says it, Where to look, as the
                user says it, Where to look, as the user says it, in full.
        """
        ''',
    ),
    "with the hanging indent of other entries": (
        '''
        """Does it.

        Args:
            x: One
              two.
        """
        ''',
        LONG,
        '''
        """Does it.

        Args:
            x: One
              two.
            y: Where to look, as the user says it, Where to look, as the user says it, Where
              to look, as the user says it, in full.
        """
        ''',
    ),
    "keeping paragraphs and lists": (
        '"""Does it."""',
        "One\ntwo.\n\nThree:\n- four\n- five " + "six " * 25,
        '''
        """Does it.

        Args:
            y: One two.

                Three:
                - four
                - five six six six six six six six six six six six six six six six six six
                  six six six six six six six six
        """
        ''',
    ),
    "a list starts on a line of its own": (
        '"""Does it."""',
        "- one\n- two",
        '''
        """Does it.

        Args:
            y:
                - one
                - two
        """
        ''',
    ),
    "what is appended": (
        '''
        """Does it.

        Args:
            y: One, which leaves little room on this line for anything that comes
        """
        ''',
        LONG,
        '''
        """Does it.

        Args:
            y: One, which leaves little room on this line for anything that comes. Where to
                look, as the user says it, Where to look, as the user says it, Where to
                look, as the user says it, in full.
        """
        ''',
    ),
}


@pytest.mark.parametrize("case", WRAPPED)
def test_long_descriptions_are_wrapped(case: str) -> None:
    before, description, after = WRAPPED[case]
    source = function(block(before))
    edits = editor.set_entry(function_text(source), "y", description, order=ORDER)
    assert edited(source, edits) == function(block(after))


def test_tabs_and_windows_line_ends_are_kept() -> None:
    source = (
        'def call(x, y, z):\r\n\t"""Does it.  \r\n\r\n\tArgs:\r\n\t\tx: One.\t\r\n\t"""\r\n\treturn x\r\n'
    )
    edits = editor.set_entry(function_text(source), "y", "One\n\ntwo", order=ORDER)
    assert edited(source, edits) == (
        'def call(x, y, z):\r\n\t"""Does it.  \r\n\r\n\tArgs:\r\n\t\tx: One.\t\r\n'
        '\t\ty: One\r\n\r\n\t\t\ttwo\r\n\t"""\r\n\treturn x\r\n'
    )


def test_a_docstring_on_the_line_of_the_header_moves_to_its_own() -> None:
    source = 'def call(x, y, z): "Does it."; return x\n'
    edits = editor.set_entry(function_text(source), "y", "The time.", order=ORDER)
    expected = 'def call(x, y, z):\n    """Does it.\n\n    Args:\n        y: The time.\n    """; return x\n'
    assert edited(source, edits) == expected
    ast.parse(expected)


def test_nothing_to_say_is_no_edit() -> None:
    assert editor.set_entry(function_text(function("")), "x", " \n", order=ORDER) == ()
    assert editor.set_returns(function_text(function("")), "") == ()


@pytest.mark.parametrize(
    ("docstring", "description"),
    [
        ('f"""Does it."""', "One."),
        ('"""Does""" "it."', "One."),
        ('r"""Does it."""', 'Say """this""".'),
        ('r"""Does it."""', "A bell: \x07"),
        ('"""Does it."""', "str"),
        ('"""Does it.\n\n    Args:\n        x, y: One."""', "Two."),
    ],
)
def test_what_cannot_be_done_safely_is_refused(docstring: str, description: str) -> None:
    fn = function_text(function(docstring))
    token = (fn.source.index(docstring), fn.source.index(docstring) + len(docstring))
    fn = editor.FunctionText(fn.source, token, token[0], "    ", fn.header_end)
    assert editor.set_entry(fn, "y", description, order=ORDER) is None


REMOVED_Y = {
    "one of several": (
        (
            '"""Does it.\n\n    Args:\n        x: One.\n        y: Two\n            three.\n'
            '        z: Four.\n    """'
        ),
        '"""Does it.\n\n    Args:\n        x: One.\n        z: Four.\n    """',
    ),
    "the last one, with its section": (
        '"""Does it.\n\n    Args:\n        y: Two.\n\n    Returns:\n        It.\n    """',
        '"""Does it.\n\n    Returns:\n        It.\n    """',
    ),
    "beside the closing quotes": ('"""Does it.\n\n    Args:\n        y: Two."""', '"""Does it."""'),
    "one of several names": (
        '"""Does it.\n\n    Parameters\n    ----------\n    x, y, z : int\n        All.\n    """',
        '"""Does it.\n\n    Parameters\n    ----------\n    x, z : int\n        All.\n    """',
    ),
    "the last of several names": (
        '"""Does it.\n\n    Parameters\n    ----------\n    x, *y : int\n        All.\n    """',
        '"""Does it.\n\n    Parameters\n    ----------\n    x : int\n        All.\n    """',
    ),
    "a field and the field of its type": (
        '"""Does it.\n\n    :param y: Two.\n    :type y: int\n    :return: It.\n    """',
        '"""Does it.\n\n    :return: It.\n    """',
    ),
    "on the first line": ('""":param y: Two.\n    :return: It.\n    """', '""":return: It.\n    """'),
    "twice": (
        '"""Does it.\n\n    Args:\n        y: Two.\n        x: One.\n        y: Three.\n    """',
        '"""Does it.\n\n    Args:\n        x: One.\n    """',
    ),
}


@pytest.mark.parametrize("case", REMOVED_Y)
def test_an_entry_is_removed(case: str) -> None:
    before, after = map(function, REMOVED_Y[case])
    edits = editor.remove_entry(function_text(before), "y", order=ORDER)
    assert edited(before, edits) == after
    assert editor.remove_entry(function_text(after), "y", order=ORDER) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Args:\n        y (int): Two.", "Args:\n        fresh (int): Two."),
        ("Args:\n        **y**: Two.", "Args:\n        **fresh**: Two."),
        ("Args:\n        *y: Two.", "Args:\n        *fresh: Two."),
        (":param int y: y.\n    :type y: y", ":param int fresh: y.\n    :type fresh: y"),
        (
            "Parameters\n    ----------\n    x, y : y\n        y.",
            "Parameters\n    ----------\n    x, fresh : y\n        y.",
        ),
    ],
)
def test_an_entry_is_renamed(before: str, after: str) -> None:
    source, expected = (function(f'"""Does it.\n\n    {text}\n    """') for text in (before, after))
    assert edited(source, editor.rename_entry(function_text(source), "y", "fresh")) == expected


def test_entries_are_reordered_as_they_are_written() -> None:
    before = (
        '"""Does it.\n\n    Args:\n        z: \\x41\n            b\\\n            c.\n'
        '        y: Two.\n        other: Four.\n        x: One."""'
    )
    after = (
        '"""Does it.\n\n    Args:\n        x: One.\n        y: Two.\n'
        '        other: Four.\n        z: \\x41\n            b\\\n            c."""'
    )
    edits = editor.reorder_entries(function_text(function(before)), ORDER)
    assert edited(function(before), edits) == function(after)


def test_fields_of_types_move_with_their_parameters() -> None:
    before = '"""Does it.\n\n    :param y: Two.\n    :type y: int\n    :param x: One.\n    """'
    after = '"""Does it.\n\n    :param x: One.\n    :param y: Two.\n    :type y: int\n    """'
    edits = editor.reorder_entries(function_text(function(before)), ORDER)
    assert edited(function(before), edits) == function(after)
    apart = '"""Does it.\n\n    :param y: Two.\n    :param x: One.\n    :type y: int\n    """'
    assert editor.reorder_entries(function_text(function(apart)), ORDER) is None


TYPED_Y = [
    ("Args:\n        y: Two.", "Args:\n        y (list[int]): Two."),
    ("Args:\n        y (str): Two.", "Args:\n        y (list[int]): Two."),
    ("Args:\n        y: str - Two.", "Args:\n        y: list[int] - Two."),
    ("Args:\n        - `y`: Two.", "Args:\n        - `y` (list[int]): Two."),
    ("Args:\n        **y:** Two.", "Args:\n        **y (list[int]):** Two."),
    (
        "Parameters\n    ----------\n    y\n        Two.",
        "Parameters\n    ----------\n    y : list[int]\n        Two.",
    ),
    (":param y: Two.", ":param list[int] y: Two."),
    (":param str y: Two.", ":param list[int] y: Two."),
    (":param y: Two.\n    :type y: str", ":param y: Two.\n    :type y: list[int]"),
    ("@param y: Two.", "@param y: Two.\n    @type y: list[int]"),
]


@pytest.mark.parametrize(("before", "after"), TYPED_Y)
def test_a_type_is_written_into_an_entry(before: str, after: str) -> None:
    source, expected = (function(f'"""Does it.\n\n    {text}\n    """') for text in (before, after))
    assert edited(source, editor.set_entry_type(function_text(source), "y", "list[int]")) == expected


@pytest.mark.parametrize("text", [after for _, after in TYPED_Y])
def test_a_type_is_taken_out_of_an_entry(text: str) -> None:
    source = function(f'"""Does it.\n\n    {text}\n    """')
    after = edited(source, editor.set_entry_type(function_text(source), "y", None))
    assert "list" not in after
    assert "Two." in after


RETURNS = [
    ('"""Does it."""', '"""Does it.\n\n    Returns:\n        A dict.\n    """'),
    (
        '"""Does it.\n\n    Args:\n        x: One.\n\n    Raises:\n        ValueError: Never.\n    """',
        (
            '"""Does it.\n\n    Args:\n        x: One.\n\n    Returns:\n        A dict.\n\n'
            '    Raises:\n        ValueError: Never.\n    """'
        ),
    ),
    (
        '"""Does it.\n\n    Returns:\n        dict\n    """',
        '"""Does it.\n\n    Returns:\n        dict: A dict.\n    """',
    ),
    (
        '"""Does it.\n\n    Returns:\n    """',
        '"""Does it.\n\n    Returns:\n        A dict.\n    """',
    ),
    (
        '"""Does it.\n\n    Returns:\n        dict: It\n    """',
        '"""Does it.\n\n    Returns:\n        dict: It. A dict.\n    """',
    ),
    (
        '"""Does it.\n\n    Returns\n    -------\n    dict\n    """',
        '"""Does it.\n\n    Returns\n    -------\n    dict\n        A dict.\n    """',
    ),
    (
        '"""Does it.\n\n    :param x: One.\n    :rtype: dict\n    """',
        '"""Does it.\n\n    :param x: One.\n    :returns: A dict.\n    :rtype: dict\n    """',
    ),
    (
        '"""Does it.\n\n    @param x: One.\n    @return:\n    """',
        '"""Does it.\n\n    @param x: One.\n    @return: A dict.\n    """',
    ),
    ("", '"""Calls it.\n\n    Returns:\n        A dict.\n    """'),
]


@pytest.mark.parametrize(("before", "after"), RETURNS)
def test_the_result_is_described(before: str, after: str) -> None:
    source = function(before)
    edits = editor.set_returns(function_text(source), "A dict.", order=ORDER, summary="Calls it.")
    assert edited(source, edits) == function(after)
    assert editor.set_returns(function_text(function(after)), "A dict.", order=ORDER) == ()
