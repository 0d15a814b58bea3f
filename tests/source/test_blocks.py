"""Blocks: nothing is lost, edits give what a fresh look gives, broken code stays readable."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adk_tool_lens.source.blocks import Row, row_after, row_of, split
from adk_tool_lens.source.edits import Edit, apply
from adk_tool_lens.source.rowtext import RowText
from adk_tool_lens.source.text import SourceText

PIECES = (
    "import os\n",
    "def f(x):\n    '''Doc.\n\ndef inside(): pass\n    '''\n    return x\n",
    "@decorator\n",
    "@decorator(\n    1,\n)\ndef g():\n    pass\n",
    "class A:\n\n    def m(self):\n        return {\n'a': 1,\n}\n",
    "else:\n    x = 1\n",
    "if a:\n    b = 1\n",
    "try:\n    pass\nexcept E:\n    pass\n",
    "x = [\n1,\n2]\n",
    "y = 'a\\\nb'\n",
    "z = 1 + \\\n2\n",
    "# comment\n",
    "\n",
    "\r\n",
    "\r",
    "\x0c\n",
    '"""open',
    "(",
    ")",
    "'",
    "s = '\u2028'\n",
    "a = 1; b = 2\n",
    "\ttabbed\n",
    "def ",
    "größe = '😀'\n",
)
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(texts)
def test_blocks_join_to_the_text(text: str) -> None:
    assert text == "".join(block.text for block in split(text))


@given(texts)
def test_blocks_of_valid_text_parse_to_the_statements_of_the_whole(text: str) -> None:
    try:
        whole = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    trees = [block.tree for block in split(text)]
    assert None not in trees
    parts = [ast.dump(node) for tree in trees if tree is not None for node in tree.body]
    assert [ast.dump(node) for node in whole.body] == parts


@settings(max_examples=2000)
@given(texts, st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), st.sampled_from(PIECES)), max_size=6))
def test_edits_give_what_a_fresh_look_gives(text: str, edits: list[tuple[float, int, str]]) -> None:
    row = row_of(text)
    for where, length, inserted in edits:
        start = round(where * len(text))
        edit = Edit(start, min(len(text), start + length), inserted)
        text = apply(text, [edit])
        row = row_after(row, edit) or row_of(text, row.blocks)
        fresh = row_of(text)
        assert [block.text for block in fresh.blocks] == [block.text for block in row.blocks]
        assert fresh.settled == row.settled


def test_an_edit_keeps_the_blocks_it_does_not_touch() -> None:
    row = row_of("import os\n\n\ndef f():\n    pass\n\n\ndef g():\n    pass\n")
    edited = row_after(row, Edit(row.starts[1] + 10, row.starts[1] + 10, "  "))
    assert isinstance(edited, Row)
    assert row.blocks[0] is edited.blocks[0]
    assert row.blocks[2] is edited.blocks[2]
    assert row.blocks[1] is not edited.blocks[1]


@pytest.mark.parametrize(
    "broken", ["def new(a: str, \n", 'def d(x):\n    """Doc\n', "x = [1,\n", "NAME = 'abc\n", "def \n"]
)
def test_code_around_a_fault_keeps_its_meaning(broken: str) -> None:
    before, after = "def good(x):\n    return {}\n\n\n", "agent = Agent(tools=[good])\n"
    blocks = split(before + broken + "\n\n\n" + after)
    assert before == blocks[0].text
    assert after == blocks[-1].text
    assert blocks[-1].tree is not None


@pytest.mark.parametrize("text", ["\0", "(" * 5000, "-" * 100_000 + "1", "1+" * 50_000 + "1"])
def test_no_text_is_too_odd(text: str) -> None:
    assert text == "".join(block.text for block in split(text))
    assert all(block.tree is None or isinstance(block.tree, ast.Module) for block in split(text))


@given(texts, st.integers(0, 60), st.integers(0, 60))
def test_a_row_finds_positions_as_a_text_in_one_piece_does(text: str, line: int, column: int) -> None:
    whole, row = SourceText(text), RowText.of(text)
    assert whole.text == row.text
    assert whole.newline == row.newline
    assert whole.offset(line, column) == row.offset(line, column)
    for offset in range(0, len(text) + 1, 3):
        assert whole.line_column(offset) == row.line_column(offset)
    for number in range(len(whole.line_starts)):
        assert whole.line_span(number) == row.line_span(number)
        span = whole.line_span(number)
        assert text[span.start : span.end] == row.line_text(number)
