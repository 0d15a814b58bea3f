"""A folder that was made to be run is only read: by every command, by servers however they are started."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Declared, Request, Stub, StubModule

from . import workspace
from .wire import Wire

ROOT = Path(__file__).parents[2]
PROGRAM = str(Path(sys.executable).parent / "adk-tool-lens")
PYTHON_VARIABLES = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE", "PYTHONPLATLIBDIR")


@pytest.fixture
def folder(trace: Path, tmp_path: Path, python: Path) -> Path:
    """The hostile folder, with the trace beside it."""
    assert trace.parent == tmp_path
    return workspace.make(tmp_path, python)


@pytest.fixture
def bundled(tmp_path: Path) -> list[str]:
    """A server as the extension starts it, with the libraries of the tests' environment."""
    bundle = tmp_path / "bundled"
    bundle.mkdir()
    (bundle / "run.py").write_bytes((ROOT / "vscode-extension" / "scripts" / "run.py").read_bytes())
    (bundle / "adk_tool_lens").symlink_to(ROOT / "server" / "adk_tool_lens")
    (bundle / "libs").symlink_to(Path(pytest.__file__).parents[1])
    return [sys.executable, "-I", "-S", str(bundle / "run.py")]


def ran(folder: Path, *line: object) -> subprocess.CompletedProcess[str]:
    """What came of a program in the hostile folder."""
    words = [str(word) for word in line]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def traces(folder: Path) -> list[str]:
    """The files that have run."""
    trace = folder.parent / "trace-of-running"
    return trace.read_text("utf-8").splitlines() if trace.exists() else []


def test_the_workspace_is_hostile(folder: Path) -> None:
    ran(folder, sys.executable, "-c", "import multiprocessing")
    ran(folder, folder / ".venv" / "bin" / "python", "-c", "1")
    assert [str(folder / "multiprocessing.py"), str(folder / ".venv" / "bin" / "python")] == traces(folder)


@pytest.mark.parametrize(
    "words",
    [
        ("show", "agent.py", "--output-format", "json"),
        ("check", ".", "--jobs", "2", "--exit-zero", "--fix"),
    ],
    ids=" ".join,
)
def test_commands_run_nothing(words: tuple[str, ...], folder: Path, python: Path) -> None:
    done = ran(folder, PROGRAM, *words, "--python", python)
    assert done.returncode == 0, done.stderr
    assert "agent.py" in done.stdout or words[0] in {"lock", "check"}
    assert traces(folder) == []


def test_the_command_line_trusts_the_folder_it_is_called_for(folder: Path) -> None:
    done = ran(folder, PROGRAM, "show", "agent.py", "--output-format", "json")
    (row,) = json.loads(done.stdout)
    assert row["adk_version"] == "2.9.0"
    assert {str(folder / ".venv" / "bin" / "python")} == set(traces(folder))


def test_python_m_does_not_import_from_the_working_directory(folder: Path) -> None:
    # Python itself imports a few modules from there before it comes to us: nothing can be done about these.
    shutil.rmtree(folder)
    folder.mkdir()
    for name in ("asyncio", "json", "typing", "pygls", "shtab", "argparse"):
        (folder / f"{name}.py").write_text(workspace.TRACE, "utf-8")
    done = ran(folder, sys.executable, "-m", "adk_tool_lens", "rule", "--all", "--output-format", "json")
    assert len(json.loads(done.stdout)) > 50
    assert traces(folder) == []


@pytest.mark.parametrize("how", ["program", "bundled"])
def test_a_server_that_is_started_in_the_folder(
    how: str, folder: Path, python: Path, bundled: list[str], wire: Callable[..., Wire]
) -> None:
    server = wire(program=bundled if how == "bundled" else [PROGRAM], cwd=folder)
    server.start(folder, settings={"interpreter": str(python)}, trusted=True)
    uri = server.open(folder / "agent.py", workspace.AGENT)
    assert '"Do."' in server.hover_until(uri, 4, 4, "```json")
    assert server.end() == 0
    assert traces(folder) == []


def test_nothing_of_an_untrusted_folder_is_started(
    folder: Path, bundled: list[str], wire: Callable[..., Wire]
) -> None:
    inside = str(folder / ".venv" / "bin" / "python")
    environment = {"VIRTUAL_ENV": str(folder / "venv"), "CONDA_PREFIX": str(folder / ".env")}
    chosen: list[dict[str, Any]] = [
        {"interpreter": inside, "source": source} for source in ("setting", "python-extension", "venv")
    ]
    named = {"settings": {"interpreter": ".venv/bin/python"}, "pythonExtensionInterpreter": inside}
    folders = [{"uri": folder.as_uri()} | each for each in chosen]
    server = wire(environment=environment, program=bundled, cwd=folder)
    server.start(folder, **named, folders=folders, trusted=False)
    uri = server.open(folder / "agent.py", workspace.AGENT)
    status = server.until("a status", lambda m: m.get("params", {}).get("state") in {"ready", "no-adk"})
    assert status["params"]["interpreter"] == sys.executable
    # Settings that do not speak of trust do not give it, whatever they look like.
    for settings in ({"settings": {"interpreter": inside}, "folders": folders}, [1], None, {}):
        server.notify("workspace/didChangeConfiguration", {"settings": settings})
    asked = {"textDocument": {"uri": uri}, "position": {"line": 4, "character": 4}, "interpreter": inside}
    assert "error" not in server.ask("adkToolLens/preview", asked)
    assert "error" not in server.ask("adkToolLens/environments", asked | {"candidates": [inside]})
    assert server.hover(uri, 4, 4)
    assert server.end() == 0
    assert traces(folder) == []


def test_a_trusted_folder_starts_its_environment_and_nothing_else(
    folder: Path, bundled: list[str], wire: Callable[..., Wire]
) -> None:
    server = wire(program=bundled, cwd=folder)
    server.start(folder, trusted=True)
    uri = server.open(folder / "agent.py", workspace.AGENT)
    assert '"Do."' in server.hover_until(uri, 4, 4, "```json")
    assert server.end() == 0
    assert {str(folder / ".venv" / "bin" / "python")} == set(traces(folder))


def test_variables_of_python_do_not_reach_the_worker(
    folder: Path, python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for variable in PYTHON_VARIABLES:
        monkeypatch.setenv(variable, str(folder))
    client = DeclarationClient(python)
    stub = Stub((StubModule("agent", "def f(x: str) -> dict: 'Do.'\n__lens_tool__ = f\n"),))
    try:
        answer = client.declare(Request(stub))
    finally:
        client.close()
    assert isinstance(answer, Declared), answer
    assert traces(folder) == []


def test_files_that_never_end_are_left_out(tmp_path: Path, python: Path) -> None:
    folder = tmp_path / "endless"
    workspace.make_endless(folder)
    done = ran(folder, PROGRAM, "check", ".", "--exit-zero", "--python", python)
    assert done.returncode == 0, done.stderr
    assert "sub/agent.py" in done.stdout
    by_venv = ran(folder, PROGRAM, "doctor", "sub/agent.py")
    assert by_venv.returncode in {0, 2}
    refused = ran(folder, PROGRAM, "check", "zero.py", "pipe.py", "--python", python)
    assert refused.returncode == 2
    assert refused.stderr.count("it is no regular file") == 2


def test_a_server_on_files_that_never_end(tmp_path: Path, python: Path, wire: Callable[..., Wire]) -> None:
    folder = tmp_path / "endless"
    workspace.make_endless(folder)
    server = wire()
    server.start(folder, settings={"interpreter": str(python)})
    uri = server.open(folder / "sub" / "agent.py", (folder / "sub" / "agent.py").read_text("utf-8"))
    server.hover_until(uri, 6, 4, "```json")
    changes = [{"uri": path.as_uri(), "type": 2} for path in sorted(folder.glob("*.py"))]
    changes += [{"uri": (folder / "sub" / "pyproject.toml").as_uri(), "type": 1}]
    server.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    server.hover_until(uri, 6, 4, "```json")
    assert "error" not in server.ask("adkToolLens/agents", {})
    assert server.end() == 0


ODD_FILES = ["naïve/ü.py", "a%41/%2e%2e.py", "x#y/?.py", "sp ace/q&a.py", "'\"/$HOME;`id`.py", "\n/\t.py"]


def test_odd_names_of_files(tmp_path: Path, python: Path, wire: Callable[..., Wire]) -> None:
    paths = [tmp_path / name for name in ODD_FILES]
    for path in paths:
        path.parent.mkdir()
        path.write_text(workspace.AGENT, "utf-8")
    done = ran(tmp_path, PROGRAM, "show", *paths, "--python", python, "--output-format", "json")
    rows = json.loads(done.stdout)
    assert sorted((row["path"], row["error"]) for row in rows) == sorted((str(path), None) for path in paths)
    server = wire(cwd=tmp_path)
    server.start(tmp_path, settings={"interpreter": str(python)})
    for path in paths:
        uri = server.open(path, workspace.AGENT)
        assert server.published(uri)["uri"] == uri
        server.hover_until(uri, 4, 4, "```json")
    assert server.end() == 0
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == sorted(paths)
