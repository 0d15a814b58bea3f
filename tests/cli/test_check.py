"""`check` from the outside: statuses, files, formats, and that order and processes do not matter."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from adk_tool_lens.cli.formats import FORMATS

from .conftest import SHOP, AdkPython, Lens


def test_findings_follow_the_contract(lens: Lens, project: Path) -> None:
    ran = lens("check", "shop", "--output-format", "json")
    assert ran.status == 1
    first = ran.json[0]
    assert list(first) == ["rule", "severity", "message", "path", "range", "tool", "fixes"]
    assert first["rule"] == "field-description-lost"
    assert first["path"] == "shop/agent.py"
    assert first["range"]["start"] == {"line": 8, "character": 40}
    assert first["tool"] == "find_order"
    assert first["fixes"][0]["safe"] is True


def test_nothing_found_is_status_zero(lens: Lens, project: Path) -> None:
    ran = lens("check", "shop/__init__.py")
    assert (ran.status, ran.out) == (0, "All tools tell the model what they should.\n")


@pytest.mark.parametrize("name", FORMATS)
def test_output_depends_on_neither_processes_nor_order(lens: Lens, project: Path, name: str) -> None:
    for number in range(4):
        (project / f"tools_{number}.py").write_text(SHOP, "utf-8")
    files = sorted(str(path.relative_to(project)) for path in project.rglob("*.py"))
    once = lens("check", *files, "--output-format", name)
    assert once.out == lens("check", *reversed(files), files[2], "--output-format", name, "--jobs", "1").out
    if name in {"json", "full"}:
        assert once.out == lens("check", *files, "--output-format", name, "--jobs", "3").out


def test_exit_zero_statistics_and_files(lens: Lens, project: Path) -> None:
    ran = lens("check", "--exit-zero", "--statistics")
    assert ran.status == 0
    assert "field-description-lost" in ran.out
    counted = lens("check", "--statistics", "--output-format", "json")
    assert counted.status == 1
    assert {row["rule"]: row["count"] for row in counted.json}["missing-description"] == 1
    assert lens("check", "--show-files").out == "shop/__init__.py\nshop/agent.py\n"


def test_standard_input(lens: Lens, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SHOP.encode())))
    ran = lens("check", "-", "--stdin-filename", "shop/new.py", "--output-format", "concise")
    assert ran.status == 1
    assert ran.out.startswith("shop/new.py:9:41: warning[field-description-lost]")


def test_output_file(lens: Lens, project: Path) -> None:
    ran = lens("check", "--output-format", "sarif", "--output-file", "out.sarif")
    assert (ran.status, ran.out) == (1, "")
    assert json.loads((project / "out.sarif").read_text("utf-8"))["version"] == "2.1.0"


def test_colour_is_asked_for(lens: Lens, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in lens("check").out
    assert "\x1b[" in lens("check", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in lens("check").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in lens("check").out
    assert "\x1b[" not in lens("check", "--output-format", "json", "--color", "always").out


def test_files_that_cannot_be_read(lens: Lens, project: Path) -> None:
    (project / "shop" / "latin.py").write_bytes(b"# caf\xe9\n")
    found_in_folder = lens("check", "shop", "--output-format", "json")
    assert found_in_folder.status == 1
    assert "latin.py" in found_in_folder.err
    named = lens("check", "shop/latin.py")
    assert named.status == 2
    assert "Save it as UTF-8 or declare its encoding" in named.err
    assert "Traceback" not in named.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "nowhere.py"], "nowhere.py: no such file or folder"),
        (["check", "--jobs", "-2"], "cannot be negative"),
        (["check", "--output-file", "no/such/folder/x"], "cannot be written"),
        (["check", "--python", "/no/such/python"], "/no/such/python"),
        (["check", "--python", "shop"], "is a folder"),
        (["check", "-", "--fix"], "Name the file instead of -"),
        (["check", "--output-format", "yaml"], "invalid choice"),
        (["show", "nowhere.py::x"], "nowhere.py: no such file or folder"),
        (["frobnicate"], "invalid choice"),
    ],
)
def test_bad_input_is_explained(lens: Lens, project: Path, arguments: list[str], words: str) -> None:
    ran = lens(*arguments, python=None)
    assert ran.status == 2
    assert words in ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


def test_the_installed_command_ends_quietly_when_its_reader_does(project: Path, cache: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    command = [sys.executable, "-m", "adk_tool_lens", "check", "--show-files"]
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, env=environment, check=False)
    os.close(writer)
    assert b"Traceback" not in ran.stderr


def test_version(lens: Lens) -> None:
    assert lens("--version", python=None).out.startswith("adk-tool-lens 0.")


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion(lens: Lens, shell: str) -> None:
    ran = lens("--print-completion", shell, python=None)
    assert ran.status == 0
    assert "--output-format" in ran.out


def test_without_google_adk_nothing_is_called_right(lens: Lens, project: Path) -> None:
    venv = project / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    ran = lens("check", "shop", python=None)
    assert ran.status == 2
    assert "2 tools could not be judged" in ran.err
    assert "google-adk" in ran.err
    assert "All tools tell" not in ran.out
    for command in ("lock", "verify"):
        more = ["--run-my-code"] if command == "verify" else []
        refused = lens(command, "shop", *more, python=None)
        assert (refused.status, refused.out) == (2, "")
        assert "no declaration to go by" in refused.err
    assert not (project / "adk-tools.lock.json").exists()
    shown = lens("show", "shop", "--output-format", "json", python=None)
    assert shown.status == 2
    assert all(row["declaration"] is None and row["approximate"] for row in shown.json)


def test_a_long_run_shows_how_far_it_is_on_terminals_only(
    project: Path, cache: Path, adk_python: AdkPython
) -> None:
    import pty

    for number in range(45):
        (project / f"m{number}.py").write_text("x = 1\n", "utf-8")
    command = [sys.executable, "-m", "adk_tool_lens", "check", "--python", str(adk_python("2.9.0"))]
    environment = os.environ | {"XDG_CACHE_HOME": str(cache), "TERM": "xterm"}
    ours, theirs = pty.openpty()
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, env=environment, check=False)
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "checking" in shown
    assert "/47" in shown
    assert b"checking" not in ran.stdout
    quiet = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert quiet.stderr == b""
    assert quiet.stdout == ran.stdout
