"""Notebooks as files: which cells are Python, and edits that leave every other byte alone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adk_tool_lens.project.files import UnreadableError
from adk_tool_lens.project.notebooks import edited, file_lines, python_cells, text_of
from adk_tool_lens.source.edits import Edit


def notebook(*sources: Any, indent: int | None = 1, **metadata: Any) -> str:
    """A notebook with a code cell for each source, after a cell of text."""
    code = [{"cell_type": "code", "outputs": [{"data": {"a": "source"}}], "source": s} for s in sources]
    cells = [{"cell_type": "markdown", "source": ["# é"]}, *code]
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=indent, ensure_ascii=False)


def test_cells_count_from_one_with_those_that_are_no_python() -> None:
    found = python_cells(notebook(["a = 1\n", "b"], "c = 3"))
    assert [(cell.number, cell.text) for cell in found] == [(2, "a = 1\nb"), (3, "c = 3")]


@pytest.mark.parametrize(
    "metadata", [{"language_info": {"name": "R"}}, {"kernelspec": {"language": "julia", "name": "j"}}]
)
def test_notebooks_of_other_languages_have_no_python(metadata: dict[str, Any]) -> None:
    assert python_cells(notebook("x = 1", **metadata)) == ()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"cells": 1}', '{"cells": [1]}', '{"worksheets": []}', "[" * 9999]
)
def test_what_is_no_notebook_is_said(text: str) -> None:
    with pytest.raises(UnreadableError, match=r"n.ipynb: is no notebook"):
        python_cells(text, "n.ipynb")


lines = st.lists(st.sampled_from(["a\n", "b = 'é'\n", "\n", "c", '"\\"\n', "last"]), max_size=6)


@given(st.lists(lines, min_size=1, max_size=3), lines, st.sampled_from([None, 0, 1, 4]), st.booleans())
def test_an_edit_changes_its_cell_only(
    sources: list[list[str]], new: list[str], indent: int | None, as_text: bool
) -> None:
    before = notebook(*("".join(s) if as_text else s for s in sources), indent=indent)
    whole = text_of(before)
    span = whole.span(0)
    after = edited(before, [Edit(span.start, span.end, "".join(new))])
    assert after is not None
    cells = json.loads(after)["cells"]
    texts = ["".join(cell["source"]) for cell in cells[1:]]
    assert texts == ["".join(new), *("".join(source) for source in sources[1:])]
    expected = json.loads(before)
    for each, other in zip(expected["cells"], cells, strict=True):
        each["source"] = other["source"]
    assert json.loads(after) == expected


def test_lines_that_stay_keep_their_bytes() -> None:
    before = notebook(["a = '\\u00e9'\n", "b = 2\n", "c = 3"]).replace("é", "\\u00e9", 1)
    start = text_of(before).text.index("b = 2")
    after = edited(before, [Edit(start, start + 1, "bee\nbob")])
    assert after == before.replace('"b = 2\\n"', '"bee\\n",\n    "bob = 2\\n"')


def test_lines_of_the_file_are_told_for_lines_of_a_cell() -> None:
    text = notebook(["a\n", "b\n", "c"], "d\ne")
    (first, second) = file_lines(text).values()
    rows = text.split("\n")
    assert [rows[line].strip(' ",') for line in first] == ["a\\n", "b\\n", "c"]
    assert {rows[line].strip() for line in second} == {'"source": "d\\ne"'}
