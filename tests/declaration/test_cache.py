"""The cache on disk is quick, bounded and never a reason to fail."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from adk_tool_lens.declaration import cache
from adk_tool_lens.declaration.cache import DiskCache, default_cache_dir, key_of
from adk_tool_lens.declaration.model import (
    Answer,
    Backend,
    Declared,
    Environment,
    Provider,
    Refused,
    Request,
    Stage,
    Stub,
    StubModule,
    Unavailable,
)

ENVIRONMENT = Environment("python", "3.12.1", "2.9.0", "2.1", "2.11")
REQUEST = Request(Stub((StubModule("tools", "def f(): ..."),)))
DECLARED = Declared("FunctionTool", "größe", {"name": "größe", "x": [1, None]}, {"y": "\ud800"}, ("a", "b"))
REFUSED = Refused(Stage.DECLARE, "NameError", "name 'x' is not defined")
KEY = "ab" * 32


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "answer", [DECLARED, REFUSED, replace(DECLARED, declaration=None, provider_form=None, logs=())]
)
def test_what_is_put_is_got(tmp_path: Path, answer: Answer) -> None:
    DiskCache(tmp_path).put(KEY, answer)
    assert answer == DiskCache(tmp_path).get(KEY)


@pytest.mark.parametrize(
    "answer",
    [
        Unavailable("x"),
        Refused(Stage.CONVERT, "ModuleNotFoundError", "x"),
        Refused(Stage.STUB, "ModuleNotFoundError", "x"),
        Refused(Stage.STUB, "MemoryError", ""),
    ],
)
def test_what_may_pass_is_not_kept(tmp_path: Path, answer: Answer) -> None:
    DiskCache(tmp_path).put(KEY, answer)
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"{}",
        b'{"key": "other", "unavailable": "x"}',
        b'{"key": "%s"}' % KEY.encode(),
        b'{"key": "%s", "declared": {"name": 1}}' % KEY.encode(),
        b'{"key": "%s", "refused": {"stage": "x", "type": "", "message": ""}}' % KEY.encode(),
        b"[" * 100_000,
    ],
)
def test_damage_is_a_miss_and_mended(tmp_path: Path, damage: bytes) -> None:
    disk = DiskCache(tmp_path)
    disk.put(KEY, DECLARED)
    (path,) = files(tmp_path)
    path.write_bytes(damage)
    assert disk.get(KEY) is None
    disk.put(KEY, DECLARED)
    assert disk.get(KEY) == DECLARED


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    disk = DiskCache(tmp_path)
    (tmp_path / "declarations" / KEY[:2] / f"{KEY}.json").mkdir(parents=True)
    assert disk.get(KEY) is None
    disk.put(KEY, DECLARED)
    assert disk.get(KEY) is None


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    disk = DiskCache(tmp_path / "file")
    disk.put(KEY, DECLARED)
    assert disk.get(KEY) is None


def test_two_writers_at_once(tmp_path: Path) -> None:
    def write_and_read(number: int) -> Answer | None:
        disk = DiskCache(tmp_path)
        disk.put(KEY, replace(DECLARED, name=f"f{number % 2}"))
        return disk.get(KEY)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(write_and_read, range(200)))
    assert {"f0", "f1"} >= {answer.name for answer in answers if isinstance(answer, Declared)}
    assert None not in answers
    assert len(files(tmp_path)) == 1


def test_the_oldest_go_first(tmp_path: Path) -> None:
    disk = DiskCache(tmp_path, max_bytes=2000)
    keys = [f"{number:02}" * 32 for number in range(20)]
    for age, key in enumerate(keys):
        disk.put(key, REFUSED)
        (path,) = (tmp_path / "declarations" / key[:2]).iterdir()
        os.utime(path, (time.time() - 1000 + age,) * 2)
    disk.prune()
    kept = [key for key in keys if disk.get(key) is not None]
    assert kept == keys[-len(kept) :]
    assert 0 < sum(path.stat().st_size for path in files(tmp_path)) <= 2000


def test_what_is_old_goes_even_if_there_is_room(tmp_path: Path) -> None:
    disk = DiskCache(tmp_path)
    disk.put(KEY, REFUSED)
    (path,) = files(tmp_path)
    os.utime(path, (time.time() - cache.MAX_AGE_SECONDS - 10,) * 2)
    disk.prune()
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("environment", "request_"),
    [
        (replace(ENVIRONMENT, python="3.13.0"), REQUEST),
        (replace(ENVIRONMENT, adk="2.13.0"), REQUEST),
        (replace(ENVIRONMENT, genai="3"), REQUEST),
        (replace(ENVIRONMENT, pydantic="3"), REQUEST),
        (ENVIRONMENT, replace(REQUEST, backend=Backend.VERTEX)),
        (ENVIRONMENT, replace(REQUEST, provider=Provider.OPENAI)),
        (ENVIRONMENT, Request(Stub((StubModule("tools2", "def f(): ..."),)))),
        (ENVIRONMENT, Request(Stub((StubModule("tools", "def g(): ..."),)))),
        (ENVIRONMENT, Request(Stub((StubModule("tools", ""), StubModule("", "def f(): ..."))))),
    ],
)
def test_keys_differ_where_answers_may(environment: Environment, request_: Request) -> None:
    assert key_of(ENVIRONMENT, REQUEST) != key_of(environment, request_)


def test_keys_do_not_depend_on_where_the_interpreter_lies() -> None:
    there = replace(ENVIRONMENT, interpreter="/elsewhere/python")
    assert key_of(ENVIRONMENT, REQUEST) == key_of(there, REQUEST)


def test_the_flag_for_the_old_form_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(cache.LEGACY_FLAG, raising=False)
    before = key_of(ENVIRONMENT, REQUEST)
    monkeypatch.setenv(cache.LEGACY_FLAG, "1")
    assert before != key_of(ENVIRONMENT, REQUEST)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("/var/x", Path("/var/x")), ("relative", Path("/home/me/.cache")), ("", Path("/home/me/.cache"))],
)
def test_the_folder_follows_xdg(monkeypatch: pytest.MonkeyPatch, value: str, expected: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    assert expected / "adk-tool-lens" == default_cache_dir()


@pytest.mark.parametrize(
    ("platform", "expected"),
    [("darwin", "/home/me/Library/Caches/adk-tool-lens"), ("win32", "/local/adk-tool-lens/cache")],
)
def test_the_folder_on_other_systems(monkeypatch: pytest.MonkeyPatch, platform: str, expected: str) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert Path(expected) == default_cache_dir()
