"""A file is replaced as a whole or stays as it is, whatever happens to it or to the disk meanwhile."""

from __future__ import annotations

import codecs
import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adk_tool_lens.project.files import UnreadableError
from adk_tool_lens.project.writing import Original, UnwritableError, replace, write
from adk_tool_lens.source.edits import Edit, apply

BEFORE = b"x = 1\r\ny = '\xc3\xa9'\r\n"
EXAMPLES = 5_000 if os.environ.get("ADK_TOOL_LENS_TESTS") == "long" else 150
PIECES = [
    b"x = 1", b"\n", b"\r\n", b"\r", b"\t", b"\x0c", b"\x00", b"\x1a", b"# \xc3\xa9",
    b"'\xf0\x9f\x98\x80'", b"\xff", b"\xe9", b"\xe2\x80\xa8", b"\xc2\x85", b"\\\n", b'"""', b" ",
    b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x1b$B",
]  # fmt: skip
HEADS = [
    b"", b"\xef\xbb\xbf", b"# coding: latin-1\n", b"#!/usr/bin/python\n# -*- coding: cp1252 -*-\n",
    b"# coding: utf-8\r\n", b"\xef\xbb\xbf# coding: utf-8\r", b"# coding: utf-16\n",
    b"# coding: no-such\n", b"# coding: ascii\n", b"# coding: shift_jis\n", b"# coding: iso2022_jp\n",
    b"# coding: utf-7\n", b"# coding: rot13\n", b"# coding: idna\n", b"# coding: utf-8-sig\n",
    b"# coding: unicode_escape\n", b"# coding: punycode\n", b"# coding: mac-greek\n",
]  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with line ends and a character that are easily lost."""
    path = tmp_path / "a.py"
    path.write_bytes(BEFORE)
    return path


def left(file: Path) -> list[str]:
    """What is in the file's folder."""
    return sorted(path.name for path in file.parent.iterdir())


def test_a_text_takes_the_place_of_another(file: Path) -> None:
    write(Original.of(file), "z = '漢'\r\n", file.parent)
    assert file.read_bytes() == "z = '漢'\r\n".encode()
    assert left(file) == ["a.py"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755, 0o4755, 0o222])
def test_the_mode_is_kept(file: Path, mode: int) -> None:
    original = Original.of(file)
    file.chmod(mode)
    write(original, "z", file.parent)
    assert stat.S_IMODE(file.stat().st_mode) == mode


def test_a_new_file_has_the_mode_of_new_files(tmp_path: Path) -> None:
    (tmp_path / "by open").touch()
    replace(tmp_path / "by us", b"x")
    assert (tmp_path / "by us").stat().st_mode == (tmp_path / "by open").stat().st_mode


@pytest.mark.parametrize("after", [b"", b"x = 2\n", BEFORE + b"\n", BEFORE.replace(b"\r\n", b"\n")])
def test_a_file_that_changed_since_is_left(file: Path, after: bytes) -> None:
    original = Original.of(file)
    file.write_bytes(after)
    with pytest.raises(UnwritableError, match="was changed meanwhile"):
        write(original, "z", file.parent)
    assert file.read_bytes() == after
    assert left(file) == ["a.py"]


def test_a_file_that_is_gone_is_not_made_again(file: Path) -> None:
    original = Original.of(file)
    file.unlink()
    with pytest.raises(UnwritableError, match="cannot be written"):
        write(original, "z", file.parent)
    assert left(file) == []


def test_a_read_only_file_is_left(file: Path) -> None:
    original = Original.of(file)
    file.chmod(0o444)
    with pytest.raises(UnwritableError, match="is read-only"):
        write(original, "z", file.parent)
    assert file.read_bytes() == BEFORE


def test_links_are_followed_within_the_project_only(file: Path, tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    project.mkdir()
    outside.mkdir()
    (outside / "b.py").write_bytes(BEFORE)
    (project / "c.py").write_bytes(BEFORE)
    (project / "out.py").symlink_to(outside / "b.py")
    (project / "folder").symlink_to(outside)
    (project / "in.py").symlink_to("c.py")
    for name in ("out.py", "folder/b.py", "../outside/b.py"):
        with pytest.raises(UnwritableError, match="lies outside"):
            write(Original.of(project / name), "z", project)
    assert (outside / "b.py").read_bytes() == BEFORE
    write(Original.of(project / "in.py"), "z", project)
    assert (project / "in.py").is_symlink()
    assert (project / "c.py").read_bytes() == b"z"


def test_a_file_that_became_a_link_is_left(file: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    inner = project / "a.py"
    inner.write_bytes(BEFORE)
    original = Original.of(inner)
    inner.unlink()
    inner.symlink_to(file)
    with pytest.raises(UnwritableError, match="replaced by a link"):
        write(original, "z", project)
    assert file.read_bytes() == BEFORE


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_disk_that_fails(file: Path, monkeypatch: pytest.MonkeyPatch, number: int, step: str) -> None:
    def fails(*_arguments: object) -> None:
        raise OSError(number, os.strerror(number))

    original = Original.of(file)
    monkeypatch.setattr(os if step == "fsync" else Path, step, fails)
    with pytest.raises(UnwritableError, match=os.strerror(number)):
        write(original, "z" * 100_000, file.parent)
    assert file.read_bytes() == BEFORE
    assert left(file) == ["a.py"]


def test_a_full_disk(file: Path) -> None:
    program = """
import resource, signal, sys
from pathlib import Path
from adk_tool_lens.project.writing import Original, UnwritableError, write
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
original = Original.of(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    write(original, "z" * 100_000, Path(sys.argv[1]).parent)
except UnwritableError as error:
    print(error)
"""
    line = [sys.executable, "-c", program, str(file)]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    assert "cannot be written: File too large" in done.stdout
    assert file.read_bytes() == BEFORE
    assert left(file) == ["a.py"]


def test_an_encoding_that_lacks_a_character(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    before = "# coding: latin-1\nx = 'é'\n".encode("latin-1")
    file.write_bytes(before)
    with pytest.raises(UnwritableError, match="lacks a character"):
        write(Original.of(file), "# coding: latin-1\nx = '漢'\n", tmp_path)
    assert file.read_bytes() == before


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_not_read(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "a.py")
    with pytest.raises(UnreadableError, match="cannot be read"):
        Original.of(tmp_path / "a.py")


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(head=st.sampled_from(HEADS), body=st.lists(st.sampled_from(PIECES), max_size=12), data=st.data())
def test_bytes_that_are_not_touched_stay(
    head: bytes, body: list[bytes], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "bytes.py"
    before = head + b"".join(body)
    file.write_bytes(before)
    try:
        original = Original.of(file)
    except UnreadableError:
        return
    text = original.text.text
    with suppress(UnwritableError):
        write(original, text, file.parent)
    assert file.read_bytes() == before
    at = data.draw(st.integers(0, len(text)))
    write_one(original, apply(text, [Edit(at, at, "x")]), before, file)


def write_one(original: Original, text: str, before: bytes, file: Path) -> None:
    """Writes a text with an added `x`, and looks that all else is as it was."""
    try:
        write(original, text, file.parent)
    except UnwritableError:
        assert file.read_bytes() == before
        return
    after = file.read_bytes()
    assert after.startswith(codecs.BOM_UTF8) == before.startswith(codecs.BOM_UTF8)
    at = next((n for n, (a, b) in enumerate(zip(after, before, strict=False)) if a != b), len(before))
    assert any(after[:n] + after[n + 1 :] == before for n in range(max(0, at - 1), at + 1)), (before, after)
