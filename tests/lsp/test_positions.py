"""Byte-level inputs: what is found stands where an editor sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from adk_tool_lens.project.files import UnreadableError, decode

FIXTURES = Path(__file__).parents[2] / "fixtures" / "lsp"
EXPECTED = json.loads((FIXTURES / "expected.json").read_text("utf-8"))
PLACED = sorted(name for name, case in EXPECTED.items() if "range" in case)
UNPLACED = sorted(name for name in EXPECTED if "range" not in EXPECTED[name] and name.endswith(".py"))


@pytest.mark.parametrize("name", PLACED)
async def test_a_fault_is_reported_where_it_stands(connect: Any, tmp_path: Path, name: str) -> None:
    editor = await connect(adk="2.13.0")
    uri = (tmp_path / name).as_uri()
    editor.open(uri, decode((FIXTURES / name).read_bytes()).text)
    (a, b), (c, d) = EXPECTED[name]["range"]
    wanted = types.Range(types.Position(a, b), types.Position(c, d))
    await editor.until(f"a diagnostic at {wanted}", lambda: wanted in [x.range for x in editor.shown(uri)])


@pytest.mark.parametrize("name", UNPLACED)
async def test_nothing_is_too_odd_for_the_server(connect: Any, tmp_path: Path, name: str) -> None:
    editor = await connect(adk="2.13.0")
    try:
        text = decode((FIXTURES / name).read_bytes()).text
    except UnreadableError:
        text = (FIXTURES / name).read_bytes().decode("latin-1")
    uri = (tmp_path / name).as_uri()
    editor.open(uri, text)
    await editor.until("diagnostics", lambda: any(p.uri == uri for p in editor.published))
    good = (tmp_path / "good.py").as_uri()
    editor.open(good, "from google.adk.agents import Agent\ndef f(x): ...\nAgent(name='a', tools=[f])\n")
    await editor.until("the server to live on", lambda: editor.shown(good))
