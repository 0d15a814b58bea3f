"""Docstrings as source: what can be edited, and how text is written into quotes."""

from __future__ import annotations

import ast

import pytest

from adk_tool_lens.docstrings.literal import parse, rewritten
from adk_tool_lens.source.edits import Edit, apply, joined


def whole(source: str, edits: list[Edit], newline: str = "\n") -> str | None:
    """A literal that is all of a source text, after edits of its value."""
    literal = parse(source, 0, len(source))
    assert literal is not None
    made = rewritten(literal, edits, newline)
    return None if made is None else apply(source, made)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ('"""a"""', "a"),
        ("'''a'''", "a"),
        ('"a"', "a"),
        ("'a'", "a"),
        ('""', ""),
        ('""""""', ""),
        ('r"""a\\n"""', "a\\n"),
        ('R"a\\""', 'a\\"'),
        ('U"""a"""', "a"),
        ('"""a\\n\\t\\x41\\u00e9\\U0001F30D\\N{BULLET}\\101\\d"""', "a\n\tAé🌍•A\\d"),
        ('"""a\\\nb"""', "ab"),
        ('"""a\\\r\nb\r\nc"""', "ab\nc"),
        ('r"""a\\\r\nb"""', "a\\\nb"),
        ('"""a\rb"""', "a\nb"),
        ('"""say "hi" now"""', 'say "hi" now'),
        ('"""\\""""', '"'),
        ('"a\\\nb"', "ab"),
        ('"""a\x0cb"""', "a\x0cb"),
    ],
)
def test_value(source: str, value: str) -> None:
    literal = parse(f"  {source};", 2, 2 + len(source))
    assert literal is not None
    assert literal.value == value
    assert len(literal.offsets) == len(value) + 1


@pytest.mark.parametrize(
    "source",
    [
        'f"""a"""', 'b"""a"""', 'rb"a"', '"a" "b"', '"""a""" """b"""', '("a")', "a", "", '"""a', '"a\nb"',
        '"\\N{NO SUCH NAME}"', "'a\"", '"\\U0FFFFFFF"', '"""a"""""',
    ],
)  # fmt: skip
def test_not_editable(source: str) -> None:
    assert parse(source, 0, len(source)) is None


@pytest.mark.parametrize(
    ("source", "at", "text", "expected"),
    [
        ('"""ac"""', 1, "b", '"""abc"""'),
        ('"""ac"""', 1, "\\", '"""a\\\\c"""'),
        ('"""ac"""', 1, '"', '"""a"c"""'),
        ('"""c"""', 0, '"', '"""\\"c"""'),
        ('"""a"c"""', 1, '"', '"""a\\""c"""'),
        ('"""ac"""', 1, 'b "" d', '"""ab "" dc"""'),
        ('"""ac"""', 1, 'b """ d', '"""ab \\"\\"\\" dc"""'),
        ("'''ac'''", 1, 'b """ d', "'''ab \"\"\" dc'''"),
        ('"""ac"""', 1, "\x00", '"""a\\x00c"""'),
        ('"""ac"""', 1, "\ud800", '"""a\\ud800c"""'),
        ('"""ac"""', 2, 'd"', '"""acd\\""""'),
        ('"""ac"""', 2, "d\\", '"""acd\\\\"""'),
        ('"""a\\\nc"""', 1, "b", '"""a\\\nbc"""'),
        ('"""a\\x41c"""', 2, "b", '"""a\\x41bc"""'),
        ('"""a\r\nc"""', 2, "b\n", '"""a\r\nb\r\nc"""'),
        ('r"""ac"""', 1, "\\d", 'r"""a\\dc"""'),
        ('"ac"', 1, "b", '"abc"'),
        ('"ac"', 1, '"b"', '"a\\"b\\"c"'),
        ("'ac'", 1, '"b"', "'a\"b\"c'"),
        ('"ac"', 2, "\nd", '"""ac\nd"""'),
        ("u'a\\'c'", 3, "\nd", "u'''a\\'c\nd'''"),
        ('""', 0, "\nd\n", '"""\nd\n"""'),
    ],
)
def test_text_is_written_into_the_quotes(source: str, at: int, text: str, expected: str) -> None:
    value = ast.literal_eval(source)
    assert whole(source, [Edit(at, at, text)]) == expected
    assert ast.literal_eval(expected) == value[:at] + text + value[at:]


def test_a_raw_literal_cannot_hold_a_control_character() -> None:
    assert whole('r"a"', [Edit(1, 1, "\x00")]) is None


def test_a_literal_without_line_ends_takes_those_of_the_file() -> None:
    assert whole('"""a"""', [Edit(1, 1, "\nb")], "\r\n") == '"""a\r\nb"""'
    assert whole('"""a\n"""', [Edit(2, 2, "\nb")], "\r\n") == '"""a\n\nb"""'


def test_edits_apply_in_order_and_must_not_overlap() -> None:
    assert apply("abc", [Edit(3, 3, "e"), Edit(1, 2, "x"), Edit(3, 3, "f")]) == "axcef"
    with pytest.raises(ValueError, match="overlap"):
        apply("abc", [Edit(0, 2, ""), Edit(1, 3, "")])


def test_edits_that_touch_become_one() -> None:
    assert joined([Edit(3, 3, "e"), Edit(1, 2, "x"), Edit(2, 3, "y"), Edit(9, 9, "")]) == (Edit(1, 3, "xye"),)
