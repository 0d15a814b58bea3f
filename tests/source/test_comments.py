"""Suppression comments: where they stand, what they name, and that adding one keeps every other byte."""

from __future__ import annotations

import pytest

from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.comments import comments_of, ignored_rules, ignoring_edit
from adk_tool_lens.source.edits import apply

ADDED = "  # adk-tool-lens: ignore[a-rule]"


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("def f(): pass\n", 0, f"def f(): pass{ADDED}\n"),
        ("def f(): pass", 0, f"def f(): pass{ADDED}"),
        ("def f(): pass\r\nx\r\n", 0, f"def f(): pass{ADDED}\r\nx\r\n"),
        ("x = 1 \t\n", 0, "x = 1 \t# adk-tool-lens: ignore[a-rule]\n"),
        ("x = 1  # noqa\n", 0, f"x = 1  # noqa{ADDED}\n"),
        (
            "x = 1  # adk-tool-lens: ignore[other]\n",
            0,
            "x = 1  # adk-tool-lens: ignore[other, a-rule]\n",
        ),
        ("x = 1  # adk-tool-lens: ignore[]  # noqa\n", 0, "x = 1  # adk-tool-lens: ignore[a-rule]  # noqa\n"),
        ('def f():\n    """Do\n    it."""\n', 1, f'def f():\n    """Do\n    it."""{ADDED}\n'),
        ('def f():\n    """Do\n    it."""\n', 0, f'def f():{ADDED}\n    """Do\n    it."""\n'),
        ("x = 1 + \\\n    2\n", 0, f"x = 1 + \\\n    2{ADDED}\n"),
        ('x = f"""a {\n1} b\n"""\n', 0, f'x = f"""a {{\n1}} b\n"""{ADDED}\n'),
        ("x = '#'\n", 0, f"x = '#'{ADDED}\n"),
        ("é = '\U0001f600' # c\n", 0, f"é = '\U0001f600' # c{ADDED}\n"),
        ("x = (1,\n  2)\n", 0, f"x = (1,{ADDED}\n  2)\n"),
    ],
)
def test_a_comment_is_added_or_extended(text: str, line: int, expected: str) -> None:
    block = Block(text)
    comments = comments_of(block)
    assert comments is not None
    edit = ignoring_edit(block, comments, line, ["a-rule"])
    assert edit is not None
    after = Block(apply(text, [edit]))
    assert after.text == expected
    again = comments_of(after)
    assert again is not None
    named = ignored_rules(after, again, line)
    assert named is not None
    assert "a-rule" in named
    assert ignoring_edit(after, again, line, ["a-rule"]) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\n", frozenset()),
        ("x = 1  # adk-tool-lens: ignore\n", None),
        ("x = 1  # adk-tool-lens: ignore[a-rule,b-rule ]\n", frozenset({"a-rule", "b-rule"})),
        ("x = 1  # adk-tool-lens: ignore-file\n", frozenset()),
        ("x = '# adk-tool-lens: ignore'\n", frozenset()),
        ("x = 1  # noqa  #adk-tool-lens:ignore[a-rule]\n", frozenset({"a-rule"})),
    ],
)
def test_what_a_comment_names(text: str, expected: frozenset[str] | None) -> None:
    block = Block(text)
    comments = comments_of(block)
    assert comments is not None
    assert ignored_rules(block, comments, 0) == expected


def test_code_that_is_no_python_is_left_alone() -> None:
    assert comments_of(Block("x = ( '''\n")) is None
