"""What a worker does to the machine while it answers about hostile files: it reads packages, and no more."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from .conftest import FILES, HOSTILE, Command
from .tracing import TRACERS, Did


def is_below(path: str, *folders: Path) -> bool:
    """Whether a path lies in one of the folders."""
    return any(Path(path).is_relative_to(folder) for folder in folders)


def is_harmless(did: Did, cache: Path) -> bool:
    """Whether a process only read, or wrote into its cache."""
    if did.reaches:
        return False
    return not did.writes or all(is_below(path, cache, Path("/dev/null")) for path in did.paths)


@pytest.fixture
def cache(trace: Path, tmp_path: Path, hostile_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache without answers, but with the bytecode of google-adk that other tests have compiled."""
    assert trace.parent == tmp_path
    compiled = hostile_cache / "adk-tool-lens" / "bytecode"
    compiled.mkdir(parents=True, exist_ok=True)
    own = tmp_path / "cache" / "adk-tool-lens"
    own.mkdir(parents=True)
    (own / "bytecode").symlink_to(compiled)
    monkeypatch.setenv("XDG_CACHE_HOME", str(own.parent))
    return own.parent


@pytest.mark.parametrize("tracer", TRACERS)
def test_a_worker_reads_packages_and_no_more(
    tracer: str, command: Command, cache: Path, tmp_path: Path, python: Path
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    for name in FILES:
        (folder / name).write_bytes((HOSTILE / name).read_bytes())
    traced, read = TRACERS[tracer](tmp_path, python)
    done = command("show", ".", "--python", traced, "--output-format", "json", cwd=folder)
    rows = json.loads(done.stdout)
    assert len(rows) > 60
    assert sum(row["declaration"] is not None for row in rows) > 40
    found = read()
    assert len(found) > 500
    assert [did.what for did in found if not is_harmless(did, cache)] == []
    assert [did.what for did in found if any(is_below(path, folder) for path in did.paths)] == []


@pytest.mark.parametrize("tracer", TRACERS)
def test_the_tracer_sees(tracer: str, tmp_path: Path, python: Path) -> None:
    traced, read = TRACERS[tracer](tmp_path, python)
    module = tmp_path / "does.py"
    module.write_text(
        "import os, socket, subprocess\n"
        f"open({str(tmp_path / 'written')!r}, 'w').close()\n"
        f"os.mkdir({str(tmp_path / 'made')!r})\n"
        "socket.socket().close()\n"
        "subprocess.run(['true'])\n",
        "utf-8",
    )
    subprocess.run([traced, "-I", str(module)], check=True)
    bad = [did for did in read() if not is_harmless(did, tmp_path / "cache")]
    assert {str(tmp_path / "written"), str(tmp_path / "made")} <= {path for did in bad for path in did.paths}
    assert sum(did.reaches for did in bad) >= 2
