"""Adding a rule to `ignore` in pyproject.toml: what is written, and that nothing else changes."""

from __future__ import annotations

import pytest

from adk_tool_lens.fixes.toml_text import with_value
from adk_tool_lens.source.edits import apply

TABLE = ("tool", "adk-tool-lens")
CASES = {
    "": '[tool.adk-tool-lens]\nignore = ["r"]\n',
    "[project]\nname = 'a'": "[project]\nname = 'a'\n\n[tool.adk-tool-lens]\nignore = [\"r\"]\n",
    "[tool.adk-tool-lens]  # ours\nstyle = 'x'\r\n": (
        "[tool.adk-tool-lens]  # ours\r\nignore = [\"r\"]\nstyle = 'x'\r\n"
    ),
    '[tool.adk-tool-lens]\nignore = ["a"] # why ]\n': '[tool.adk-tool-lens]\nignore = ["a", "r"] # why ]\n',
    "[tool.adk-tool-lens]\nignore = []\n": '[tool.adk-tool-lens]\nignore = ["r"]\n',
    '[tool . "adk-tool-lens"]\nignore = [\n  "a", # ]\n  "b",\n]\n[x]\nignore = []\n': (
        '[tool . "adk-tool-lens"]\nignore = [\n  "a", # ]\n  "b",\n  "r",\n]\n[x]\nignore = []\n'
    ),
    "[tool.adk-tool-lens]\nignore = [\n  'a'\n]\n": "[tool.adk-tool-lens]\nignore = [\n  'a',\n  \"r\"\n]\n",
    "[tool.adk-tool-lens.sub]\nx = 1\n": (
        '[tool.adk-tool-lens.sub]\nx = 1\n\n[tool.adk-tool-lens]\nignore = ["r"]\n'
    ),
}
LEFT = (
    '[tool.adk-tool-lens]\nignore = ["r"]\n',
    "[tool.adk-tool-lens]\nignore = 'a'\n",
    "tool = { adk-tool-lens = { ignore = ['a'] } }\n",
    "[tool.adk-tool-lens\n",
)


@pytest.mark.parametrize("text", CASES)
def test_the_rule_is_added(text: str) -> None:
    edit = with_value(text, TABLE, "ignore", "r")
    assert edit is not None
    assert apply(text, [edit]) == CASES[text]


@pytest.mark.parametrize("text", LEFT)
def test_what_cannot_be_changed_safely_is_left(text: str) -> None:
    assert with_value(text, TABLE, "ignore", "r") is None
