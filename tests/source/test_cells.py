"""A notebook's cells as one text: places hold, magics are no Python, what did not change stays the same."""

from __future__ import annotations

import ast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from adk_tool_lens.source.cells import Cell, CellsText, cells_of, placed
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.magics import hidden
from adk_tool_lens.source.rowtext import RowText

PIECES = (
    "%pip install x\n", "!ls 'a (\n", "  !ls\n", "x = !ls\n", "x = %time f()\n", "Agent?\n", "??f\n",
    "%%bash\n", "%%time\n", "x = (a\n% b)\n", "'''\n%no\n'''\n", "!a \\\nb\n", "def f():\n",
    "    return 1\n", "\r\n", "é", "\n", "await f()\n", '"""', "(", "# %x\n",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("%pip install google-adk\nx = 1", "#pip install google-adk\nx = 1"),
        ("if a:\n    !ls -l\nb", "if a:\n    _     \nb"),
        ("files = !ls", "files = _  "),
        ("out = %time f()", "out = _        "),
        ("Agent?\n%%no", "#gent?\n#%no"),
        ("!a \\\n  b\nc", "#a \\\n# b\nc"),
        ("x = (a\n  % b)", "x = (a\n  % b)"),
        ("'''\n%no\n!no\n'''", "'''\n%no\n!no\n'''"),
        ("x = a % b\ny = 'a?'", "x = a % b\ny = 'a?'"),
        ("%%bash\nls\n\n  cat", "#%bash\n#s\n\n# cat"),
        ("%%time\nx = 1", "#%time\nx = 1"),
        ("await f()", "await f()"),
    ],
)
def test_what_only_ipython_understands_is_hidden(text: str, python: str) -> None:
    found = hidden(text)
    assert found.text == python
    ast.parse(found.text)


@given(texts)
def test_hiding_keeps_every_place(text: str) -> None:
    found = hidden(text)
    assert len(found.text) == len(text)
    assert [i for i, c in enumerate(found.text) if c in "\r\n"] == [
        i for i, c in enumerate(text) if c in "\r\n"
    ]
    inside = {index for span in found.spans for index in range(span.start, span.end)}
    assert {i for i, (a, b) in enumerate(zip(found.text, text, strict=True)) if a != b} <= inside


@given(st.lists(texts, min_size=1, max_size=4))
def test_each_cell_is_seen_as_it_is_alone(cells: list[str]) -> None:
    whole = CellsText.joined(cells_of(list(enumerate(cells, 1))))
    for index, text in enumerate(cells):
        alone, seen, span = RowText.of(text), whole.view(index), whole.span(index)
        assert span.end - span.start == len(text)
        if text.endswith("\r"):  # with the line end behind the cell it is one line end
            continue
        for offset in range(len(text) + 1):
            place = alone.line_column(offset) if text else (0, 0)
            assert seen.line_column(span.start + offset) == place
            assert seen.offset(*place) == span.start + (alone.offset(*place) if text else 0)
            assert placed(whole, span.start + offset) == (index + 1, *place)


@given(st.lists(texts, min_size=2, max_size=4, unique=True), texts)
def test_cells_that_did_not_change_keep_their_blocks(cells: list[str], fresh: str) -> None:
    assume(fresh not in cells)
    before = cells_of(list(enumerate(cells, 1)))
    after = cells_of(list(enumerate([fresh, *reversed(cells)], 1)), before)
    kept = {cell.source.text: cell.blocks for cell in before}
    assert all(kept.get(cell.source.text) in {None, cell.blocks} for cell in after[1:])
    edited = Cell.of(RowText.of(f"{cells[0]}\nnew = 1"), 1, before[0])
    assert "".join(block.text for block in edited.blocks) == f"{hidden(edited.source.text).text}\n"


def test_a_bracket_left_open_in_one_cell_leaves_the_others_alone() -> None:
    whole = CellsText.joined(cells_of([(1, "x = ("), (2, "def f(): pass"), (4, 'y = """')]))
    assert [block.tree is not None for block in whole.row.blocks] == [False, True, False]


def test_edits_stay_in_their_cells() -> None:
    whole = CellsText.joined(cells_of([(1, "%%time\nx = 1"), (2, "!ls\ny = 2")]))
    first, second = whole.span(0), whole.span(1)
    assert whole.by_cell([Edit(first.end, first.end, "0"), Edit(second.start, second.start, "z = 0\n")]) == {
        0: (Edit(first.end, first.end, "0"),),
        1: (Edit(second.start, second.start, "z = 0\n"),),
    }
    assert whole.by_cell([Edit(first.end, second.end, "")]) is None
    assert whole.by_cell([Edit(first.start, first.start, "import os\n")]) is None
    assert whole.by_cell([Edit(second.start + 1, second.start + 2, "x")]) is None
