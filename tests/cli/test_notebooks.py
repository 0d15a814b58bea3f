"""Notebooks on the command line: their cells are one module, places name the cell, repairs keep the rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Lens

IMPORTS = ["%pip install google-adk\n", "from google.adk.agents import Agent"]
TOOL = '''\
def look_up(order: str) -> dict:
    """Looks up.

    Args:
        order: Six digits.
        by: Who.
    """
    return {}'''.splitlines(keepends=True)
AGENT = ["!ls\n", 'root = Agent(name="a", model="gemini-2.5-flash", instruction="x", tools=[look_up])']


def write(folder: Path, *sources: list[str]) -> Path:
    """A notebook as Jupyter writes it."""
    code: list[dict[str, Any]] = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}
        for source in sources
    ]
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Orders"]}, *code]
    path = folder / "orders.ipynb"
    whole = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(whole, indent=1) + "\n", "utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_places_name_the_cell(lens: Lens, folder: Path) -> None:
    write(folder, IMPORTS, TOOL, AGENT)
    ran = lens("check", ".", "--output-format", "concise")
    assert "orders.ipynb:cell 3:6:9: warning[unknown-parameter-documented]" in ran.out
    rows = {row["rule"]: row for row in lens("check", ".", "--output-format", "json").json}
    row = rows["unknown-parameter-documented"]
    assert (row["cell"], row["range"]["start"]) == (3, {"line": 5, "character": 8})
    lines = (folder / "orders.ipynb").read_text("utf-8").split("\n")
    ran = lens("check", ".", "--output-format", "github")
    number = next(i for i, line in enumerate(lines, 1) if "by: Who." in line)
    assert f"line={number},endLine={number}::Cell 3, line 6: " in ran.out
    (shown,) = lens("show", ".", "--output-format", "json").json
    assert (shown["name"], shown["agents"], shown["cell"], shown["line"]) == ("look_up", ["a"], 3, 1)


def test_repairs_change_nothing_else(lens: Lens, folder: Path) -> None:
    path = write(folder, IMPORTS, TOOL, AGENT)
    before = path.read_text("utf-8")
    lens("check", ".", "--fix", "--unsafe-fixes", "--select", "unknown-parameter-documented")
    after = path.read_text("utf-8")
    assert after == before.replace('    "        by: Who.\\n",\n', "")
    lens("check", ".", "--add-ignore")
    assert "# adk-tool-lens: ignore[" in path.read_text("utf-8")
    assert lens("check", ".").status == 0


def test_a_module_s_tools_are_registered_in_a_notebook(lens: Lens, folder: Path) -> None:
    (folder / "tools.py").write_text("".join(TOOL), "utf-8")
    write(folder, [*IMPORTS, "\nfrom tools import look_up"], AGENT)
    (shown,) = lens("show", "tools.py", "--output-format", "json").json
    assert (shown["name"], shown["agents"]) == ("look_up", ["a"])


def test_what_is_no_notebook_is_said(lens: Lens, folder: Path) -> None:
    (folder / "broken.ipynb").write_text('{"cells": [agent', "utf-8")
    ran = lens("check", "broken.ipynb")
    assert (ran.status, "broken.ipynb: is no notebook" in ran.err) == (2, True)
