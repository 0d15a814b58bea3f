"""`rule`, `doctor`, `verify`, `check --add-ignore` and `check --watch`."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from adk_tool_lens.rules.catalogue import catalogue

from .conftest import SHOP, Lens


def test_rules_are_listed_and_explained(lens: Lens) -> None:
    listed = lens("rule", "--all", python=None)
    assert listed.status == 0
    assert len(listed.out.splitlines()) == len(catalogue())
    data = lens("rule", "--all", "--output-format", "json", python=None).json
    assert [rule["name"] for rule in data] == sorted(catalogue())
    one = lens("rule", "missing-description", "--output-format", "json", python=None).json
    assert set(one) == {"name", "group", "severity", "on_by_default", "summary", "page"}
    page = lens("rule", "missing-description", python=None).out
    assert "## Why it matters" in page
    assert "\x1b[" in lens("rule", "missing-description", "--color", "always", python=None).out


def test_a_rule_that_is_not_there(lens: Lens) -> None:
    ran = lens("rule", "missing-descriptions", python=None)
    assert (ran.status, ran.out) == (2, "")
    assert "Did you mean missing-description" in ran.err
    assert lens("rule", python=None).status == 2


def test_doctor_tells_what_answers_depend_on(lens: Lens, project: Path) -> None:
    (project / ".gitignore").write_text("hidden/\n", "utf-8")
    (project / "hidden").mkdir()
    (project / "hidden" / "agent.py").write_text(SHOP, "utf-8")
    (project / "notes.txt").write_text("no code\n", "utf-8")
    (project / "latin.py").write_bytes(b"# caf\xe9\n")
    ran = lens(
        "doctor", "shop/agent.py", "hidden/agent.py", "notes.txt", "latin.py", "--output-format", "json"
    )
    assert ran.status == 0
    facts = ran.json
    assert facts["environment"]["google-adk"] == "2.9.0"
    assert facts["environment"]["pydantic"]
    assert facts["worker"]["works"] is True
    assert [each["why"] for each in facts["interpreters"] if each["chosen"]] == ["set explicitly"]
    seen, hidden, notes, latin = facts["files"]
    assert (seen["left_out"], seen["tools"], seen["agents"]) == (None, ["find_order", "cancel"], ["shop"])
    assert "hidden is ignored by git" in hidden["left_out"]
    assert "no Python file" in notes["left_out"]
    assert "Save it as UTF-8" in latin["problem"]
    text = lens("doctor", "shop/agent.py", "hidden/agent.py")
    assert "is left out when its folder is checked" in text.out


def test_doctor_says_when_no_declaration_can_be_built(lens: Lens, project: Path) -> None:
    venv = project / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    ran = lens("doctor", "shop", python=None)
    assert ran.status == 2
    assert str(venv) in ran.out
    assert "google-adk" in ran.out
    assert "Traceback" not in ran.err


def test_verify_asks_for_consent(lens: Lens, project: Path) -> None:
    (project / "shop" / "agent.py").write_text("open('ran', 'w')\n" + SHOP, "utf-8")
    ran = lens("verify", "shop")
    assert (ran.status, ran.out) == (2, "")
    assert "--run-my-code" in ran.err
    assert not list(project.rglob("ran"))


def test_verify_compares_with_the_live_tools(lens: Lens, project: Path) -> None:
    def status(*more: str) -> dict[str, str]:
        rows: Any = lens("verify", "--run-my-code", "--output-format", "json", *more).json
        return {f"{Path(row['path']).stem}.{row['name']}": row["status"] for row in rows}

    changed = SHOP.replace("root_agent", "exec('find_order.__doc__ = str(1)')\nprint('hi')\nroot_agent")
    (project / "shop" / "changed.py").write_text(changed, "utf-8")
    (project / "shop" / "broken.py").write_text("import no_such_module\n" + SHOP, "utf-8")
    (project / "shop" / "leaving.py").write_text("import os\nos._exit(3)\n" + SHOP, "utf-8")
    local = SHOP.replace("\ndef cancel(order_id):", "\ndef cancel(order_id):\n    'Cancel.'\n", 1)
    (project / "shop" / "local.py").write_text(local, "utf-8")
    found = status()
    assert found == {
        "agent.find_order": "equal",
        "agent.cancel": "equal",
        "broken.find_order": "not importable",
        "broken.cancel": "not importable",
        "changed.find_order": "different",
        "changed.cancel": "equal",
        "leaving.find_order": "not importable",
        "leaving.cancel": "not importable",
        "local.find_order": "equal",
        "local.cancel": "equal",
    }
    ran = lens("verify", "--run-my-code", "shop")
    assert ran.status == 1
    assert "5 equal, 1 different, 4 not importable." in ran.out
    assert "status 3" in ran.out


def test_verify_tells_modules_of_one_name_apart(lens: Lens, project: Path) -> None:
    agent = "from google.adk.agents import Agent\nfrom google.adk.tools import AgentTool\n"
    made = 'helper = Agent(name="helper")\nroot = Agent(name="root", tools=[find, AgentTool(agent=helper)])\n'
    for name in ("first", "second"):
        (project / name).mkdir()
        (project / name / "tools.py").write_text(f"def find(a: int) -> int:\n    '{name}'\n", "utf-8")
        (project / name / "agent.py").write_text(f"{agent}from tools import find\n{made}", "utf-8")
    ran = lens("verify", "--run-my-code", "--output-format", "json", "first", "second")
    found = [(row["name"], row["status"]) for row in ran.json]
    assert sorted(set(found)) == [("find", "equal"), ("helper", "equal")]
    assert found.count(("find", "equal")) == 2


def test_verify_ends_modules_that_hang(lens: Lens, project: Path) -> None:
    (project / "shop" / "agent.py").write_text("import time\ntime.sleep(60)\n" + SHOP, "utf-8")
    ran = lens("verify", "--run-my-code", "shop", "--timeout", "1")
    assert ran.status == 0
    assert "took longer than 1 s" in ran.out


def test_add_ignore_adds_a_comment_at_each_finding(lens: Lens, project: Path) -> None:
    path = project / "shop" / "agent.py"
    before = ("\ufeff" + SHOP.replace("\n", "\r\n")).encode("utf-8")
    path.write_bytes(before)
    places = {
        (row["range"]["start"]["line"], row["rule"]) for row in lens("check", "--output-format", "json").json
    }
    ran = lens("check", "--add-ignore")
    assert ran.status == 0
    after = path.read_bytes()
    lines = after.decode("utf-8").split("\r\n")
    for line, rule in places:
        assert rule in lines[line].partition("# adk-tool-lens: ignore[")[2]
    stripped = [line.partition("  # adk-tool-lens:")[0] for line in lines]
    assert "\r\n".join(stripped).encode("utf-8") == before
    assert lens("check", "--add-ignore").err.endswith("added or extended 0 comments in 0 files.\n")
    assert path.read_bytes() == after
    assert lens("check").status == 0


def test_add_ignore_does_not_change_standard_input(lens: Lens, project: Path) -> None:
    import io

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SHOP.encode())))
        assert lens("check", "-", "--add-ignore").status == 2


def test_watch_checks_again_when_a_file_changes(project: Path, cache: Path, adk_python: Any) -> None:
    command = [
        sys.executable,
        "-m",
        "adk_tool_lens",
        "check",
        "--watch",
        "shop",
        "--output-format",
        "concise",
    ]
    environment = os.environ | {"XDG_CACHE_HOME": str(cache), "PYTHONUNBUFFERED": "1"}
    output = project / "out.txt"
    with output.open("w") as out:
        process = subprocess.Popen(
            [*command, "--python", str(adk_python("2.9.0"))], stdout=out, stderr=out, env=environment
        )
        try:
            _wait_for(output, "waiting for changes", 1)
            assert "missing-description" in output.read_text()
            (project / "shop" / "agent.py").write_text("x = 1\n", "utf-8")
            _wait_for(output, "All tools tell the model what they should.", 1)
        finally:
            process.kill()
            process.wait()


def _wait_for(path: Path, text: str, times: int) -> None:
    for _ in range(600):
        if path.read_text().count(text) >= times:
            return
        time.sleep(0.1)
    raise AssertionError(f"{text!r} did not appear in:\n{path.read_text()}")
