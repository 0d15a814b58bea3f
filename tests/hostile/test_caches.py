"""Caches that are damaged, shared or on a full disk: the answers stay right, and no command fails."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adk_tool_lens.declaration.cache import DiskCache, read_sealed
from adk_tool_lens.declaration.model import Declared
from adk_tool_lens.ide.index import Index
from adk_tool_lens.ide.index_cache import IndexCache, Saved
from adk_tool_lens.ide.workspace import Workspace

from .workspace import AGENT

WRITER = """
import sys
from pathlib import Path
from adk_tool_lens.declaration.cache import DiskCache
from adk_tool_lens.declaration.model import Declared
disk = DiskCache(Path(sys.argv[1]), max_bytes=20_000)
for number in range(400):
    key = f"{number % 7:02}" * 32
    disk.put(key, Declared("FunctionTool", f"f{sys.argv[2]}", {"name": "x" * (number % 50) * 50}))
    if number % 40 == 0:
        disk.prune()
    found = disk.get(key)
    assert found is None or found.name in {"f0", "f1", "f2"}, found
"""
KEY = "ab" * 32


def test_servers_share_a_cache(tmp_path: Path) -> None:
    line = [sys.executable, "-c", WRITER, str(tmp_path)]
    started = [
        subprocess.Popen([*line, str(number)], stderr=subprocess.PIPE, text=True) for number in range(3)
    ]
    assert [process.communicate(timeout=120)[1] for process in started] == ["", "", ""]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert 0 < len(files) <= 7
    for path in files:
        assert json.loads(read_sealed(path))["key"] == path.stem


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder in which one file registers what another one defines."""
    folder = tmp_path / "project"
    folder.mkdir()
    tools, agent = AGENT.split("\n\nroot_agent")
    (folder / "tools.py").write_text(tools, "utf-8")
    start = "from google.adk.agents import Agent\nfrom tools import f\n\nroot_agent"
    (folder / "agent.py").write_text(start + agent, "utf-8")
    (folder / "plain.py").write_text("x = 1\n", "utf-8")
    return folder


def built(folder: Path, cache: Path) -> Index:
    """An index of the folder, by what the cache knows."""
    workspace = Workspace((folder,))
    index = Index((folder,), cache=IndexCache(cache, (folder,), "key"))
    index.build(workspace, workspace.world())
    return index


def damages(data: bytes) -> Iterator[bytes]:
    """The bytes of a file, damaged: cut, with a bit that fell over, or with something else in their place."""
    for at in range(0, len(data), max(1, len(data) // 40)):
        yield data[:at]
        yield data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
    yield from (data + b" ", data[1:], b"\0" * len(data), b"[" * 100_000, b"null", data.partition(b"\n")[2])


def test_a_damaged_index_is_built_anew(project: Path, tmp_path: Path) -> None:
    fresh = built(project, tmp_path / "cache")
    assert fresh.registering(project / "tools.py") == (project / "agent.py",)
    (path,) = (tmp_path / "cache" / "index").iterdir()
    whole = path.read_bytes()
    assert IndexCache(tmp_path / "cache", (project,), "key").load() != Saved()
    for damage in damages(whole):
        path.write_bytes(damage)
        assert IndexCache(tmp_path / "cache", (project,), "key").load() == Saved(), damage
    assert built(project, tmp_path / "cache").registering(project / "tools.py") == (project / "agent.py",)
    assert path.read_bytes() == whole


def test_a_damaged_answer_is_none(tmp_path: Path) -> None:
    disk = DiskCache(tmp_path)
    answer = Declared("FunctionTool", "f", {"name": "f", "description": "Do."})
    disk.put(KEY, answer)
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    whole = path.read_bytes()
    for damage in damages(whole):
        path.write_bytes(damage)
        assert disk.get(KEY) is None, damage
        disk.put(KEY, answer)
        assert disk.get(KEY) == answer


@pytest.mark.parametrize("what", ["file", "folder", "link to nowhere", "link to itself"])
def test_a_cache_that_is_something_else(project: Path, tmp_path: Path, what: str) -> None:
    place = tmp_path / "cache"
    if what == "file":
        place.write_bytes(b"x")
    elif what == "folder":
        (place / "index" / f"{IndexCache(place, (project,), 'key').path.name}").mkdir(parents=True)
    else:
        place.symlink_to(tmp_path / "nowhere" / "x" if what == "link to nowhere" else place)
    assert built(project, place).registering(project / "tools.py") == (project / "agent.py",)
    disk = DiskCache(place)
    disk.put(KEY, Declared("FunctionTool", "f", {}))
    assert disk.get(KEY) is None or what == "folder"


def test_a_full_disk_leaves_nothing_behind(project: Path, tmp_path: Path) -> None:
    program = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from adk_tool_lens.declaration.cache import DiskCache
from adk_tool_lens.declaration.model import Declared
from hostile.test_caches import built
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
project, cache = Path(sys.argv[1]), Path(sys.argv[2])
assert built(project, cache).registering(project / "tools.py") == (project / "agent.py",)
DiskCache(cache).put("ab" * 32, Declared("FunctionTool", "f" * 1000, {}))
"""
    cache = tmp_path / "cache"
    line = [sys.executable, "-B", "-c", program, str(project), str(cache), str(Path(__file__).parents[1])]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path for path in cache.rglob("*") if path.is_file()] == []
