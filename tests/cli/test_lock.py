"""`lock`, `check --locked` and `compare`: what changed for those who rely on a declaration."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import SHOP, Lens


def rewrite(project: Path, *changes: tuple[str, str]) -> None:
    text = SHOP
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (project / "shop" / "agent.py").write_text(text, "utf-8")


def locked(lens: Lens) -> dict[str, list[str]]:
    ran = lens("check", "--locked", "--output-format", "json")
    found: dict[str, list[str]] = {}
    for row in ran.json:
        if row["rule"].startswith("locked-"):
            found.setdefault(row["rule"], []).append(row["message"])
    return found


def test_the_lock_is_stable_and_names_no_place_of_the_machine(lens: Lens, project: Path) -> None:
    assert lens("lock").status == 0
    first = (project / "adk-tools.lock.json").read_bytes()
    assert lens("lock", "shop/agent.py", "shop").status == 0
    assert (project / "adk-tools.lock.json").read_bytes() == first
    assert str(project).encode() not in first
    data = json.loads(first)
    assert [tool["qualname"] for tool in data["tools"]] == ["cancel", "find_order"]
    assert data["google_adk"] == "2.9.0"


def test_nothing_changed(lens: Lens, project: Path) -> None:
    lens("lock")
    assert locked(lens) == {}


@pytest.mark.parametrize(
    ("change", "rule", "words"),
    [
        (("def cancel(order_id):", "def cancel(order: str):"), "locked-declaration-broken", "order_id"),
        (
            ("def cancel(order_id):", "def cancel(order_id, why: str):"),
            "locked-declaration-broken",
            "`why` was added",
        ),
        (
            ("def cancel(order_id):", "def cancel(order_id=None):"),
            "locked-declaration-changed",
            "no longer required",
        ),
        (("def cancel(order_id):", "def cancel(order_id: int):"), "locked-declaration-broken", "narrowed"),
        (("cancel", "revoke"), "locked-declaration-broken", "from `cancel` to `revoke`"),
        ((", cancel]", "]"), "locked-declaration-broken", "was removed"),
        (("Find one order", "Look an order up"), "locked-wording-changed", "the description changed"),
    ],
)
def test_changes_are_named(lens: Lens, project: Path, change: tuple[str, str], rule: str, words: str) -> None:
    lens("lock")
    rewrite(project, change)
    found = locked(lens)
    assert any(words in message for message in found[rule]), found
    lens("lock")
    assert locked(lens) == {}


def test_a_tool_that_moved_to_another_file_is_no_loss(lens: Lens, project: Path) -> None:
    lens("lock")
    (project / "shop" / "agent.py").rename(project / "shop" / "bot.py")
    found = locked(lens)
    assert list(found) == ["locked-declaration-changed"]
    assert all("moved from shop/agent.py" in message for message in found["locked-declaration-changed"])


def test_locks_that_cannot_be_used(lens: Lens, project: Path) -> None:
    missing = lens("check", "--locked")
    assert missing.status == 2
    assert "Make it with `adk-tool-lens lock`" in missing.err
    for text in ("{}", "[]", "nonsense", '{"version": 99, "tools": []}', '{"version": 1, "tools": [3]}'):
        (project / "adk-tools.lock.json").write_text(text, "utf-8")
        ran = lens("check", "--locked")
        assert ran.status == 2
        assert "Make it anew" in ran.err
        assert "Traceback" not in ran.err


def compared(lens: Lens, adk_python: Any, *more: str) -> Any:
    sides = [word for v in ("2.9.0", "2.13.0") for word in ("--python", str(adk_python(v)))]
    return lens("compare", "shop", *sides, *more, python=None)


def test_compare_two_versions(lens: Lens, project: Path, adk_python: Any) -> None:
    ran = compared(lens, adk_python, "--output-format", "json")
    assert ran.status == 1
    (only,) = ran.json
    assert only["name"] == "find_order"
    assert only["changes"] == [
        {
            "kind": "wording",
            "where": "parameters.order_id.description",
            "message": "a description was added",
        }
    ]
    assert (only["old"]["adk_version"], only["new"]["adk_version"]) == ("2.9.0", "2.13.0")
    text = compared(lens, adk_python).out
    assert '+        "description": "Six digits.",' in text
    assert "1 of 2 tools are told differently" in text


def test_compare_back_ends_and_equal_ones(lens: Lens, project: Path, adk_python: Any) -> None:
    ran = lens("compare", "shop", "--backend", "gemini", "--backend", "vertex", "--output-format", "json")
    assert ran.status == 1
    assert {"result"} == {c["where"] for row in ran.json for c in row["changes"]}
    (project / "shop" / "agent.py").write_text("x = 1\n", "utf-8")
    same = lens("compare", "shop", "--backend", "gemini", "--backend", "vertex")
    assert same.status == 0
    assert "told the same" in same.out


def test_compare_needs_two_sides(lens: Lens, project: Path) -> None:
    assert "both sides are the same" in lens("compare", "shop").err
    ran = lens("compare", "shop", "--backend", "gemini", "--backend", "vertex", "--backend", "vertex")
    assert (ran.status, ran.out) == (2, "")
