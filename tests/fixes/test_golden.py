"""Each repair on the texts of `fixtures/fixes/<kind>/`: what it makes of them, to the byte."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from adk_tool_lens.fixes.nodes import KNOWS_FSTRINGS
from fixes.conftest import ClientFor
from fixes.pressing import analysed, pressed, version_of

FOLDER = Path(__file__).parents[2] / "fixtures" / "fixes"
CASES = sorted(FOLDER.glob("*/*.before.py"))


@pytest.mark.parametrize("before", CASES, ids=lambda p: f"{p.parent.name}-{p.name.partition('.')[0]}")
def test_repair(before: Path, client_for: ClientFor, tmp_path: Path) -> None:
    text = before.read_bytes().decode()
    after = before.with_name(before.name.replace(".before.", ".after."))
    kind = before.parent.name
    client = client_for(version_of(text))
    analysis = analysed(text, client, tmp_path / "agent.py")
    made = next(pressed(analysis, kind), None)
    if "in_f_strings" in before.name and not KNOWS_FSTRINGS:
        assert made is None, "Python before 3.12 does not tell where names in f-strings stand"
        return
    assert made is not None, f"{kind}: no repair; findings: {[f.rule for f in analysis.findings]}"
    if os.environ.get("ADK_TOOL_LENS_ACCEPT"):
        after.write_bytes(made.text.encode())
    assert made.text == after.read_bytes().decode()
    ast.parse(made.text)
    again = analysed(made.text, client, tmp_path / "agent.py")
    if made.finding is not None and made.finding in analysis.findings:
        assert (made.finding.rule, made.finding.message) not in [(f.rule, f.message) for f in again.findings]
    more = [p for p in pressed(again, kind) if p.action.title == made.action.title]
    assert all(p.text == made.text for p in more), "a second press does more"
