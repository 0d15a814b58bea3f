"""Answers on disk, so that a hover right after a restart needs no import of google-adk."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from adk_tool_lens.declaration.model import (
    Answer,
    Declared,
    Environment,
    Refused,
    Request,
    Stage,
    Unavailable,
)
from adk_tool_lens.declaration.worker import PROTOCOL

MAX_BYTES = 64 << 20
PRUNE_TO = 0.75
PRUNE_EVERY = 256
MAX_AGE_SECONDS = 60 * 24 * 3600
LEGACY_FLAG = "ADK_DISABLE_JSON_SCHEMA_FOR_FUNC_DECL"
_PASSING = frozenset(
    {"ImportError", "KeyboardInterrupt", "MemoryError", "ModuleNotFoundError", "StubRejectedError"}
)
"""Refusals that another run, an installation or a mended stub builder may turn into an answer."""


def default_cache_dir() -> Path:
    """The folder for this product's cache that the platform's conventions give."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        return Path(base) / "adk-tool-lens" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "adk-tool-lens"
    base = os.environ.get("XDG_CACHE_HOME") or ""
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "adk-tool-lens"


def key_of(environment: Environment, request: Request) -> str:
    """A text that is equal for two requests exactly when google-adk gives the same answer."""
    parts = [
        PROTOCOL,
        environment.python,
        environment.adk,
        environment.genai,
        environment.pydantic,
        os.environ.get(LEGACY_FLAG),
        request.backend.value,
        request.provider.value,
        [[module.name, module.source] for module in request.stub.modules],
    ]
    text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def is_lasting(answer: Answer) -> bool:
    """Whether the same question will have the same answer in every later process."""
    match answer:
        case Declared():
            return True
        case Refused(stage=stage, type=name):
            return stage is not Stage.CONVERT and name not in _PASSING
        case Unavailable():
            return False


def answer_to_json(answer: Declared | Refused) -> dict[str, Any]:
    """The answer in the form that the worker sends."""
    match answer:
        case Declared():
            return {
                "declared": {
                    "tool_class": answer.tool_class,
                    "name": answer.name,
                    "declaration": answer.declaration,
                    "provider_form": answer.provider_form,
                    "logs": list(answer.logs),
                }
            }
        case Refused():
            return {
                "refused": {
                    "stage": answer.stage.value,
                    "type": answer.type,
                    "message": answer.message,
                }
            }


def answer_from_json(data: Mapping[str, Any]) -> Answer:
    """Reads what the worker sends or the cache holds.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: It is no answer.
    """
    if "declared" in data:
        declared = data["declared"]
        return Declared(
            tool_class=_text(declared["tool_class"]),
            name=_text(declared["name"]),
            declaration=_mapping(declared["declaration"]),
            provider_form=_mapping(declared.get("provider_form")),
            logs=tuple(_text(line) for line in declared.get("logs", ())),
        )
    if "refused" in data:
        refused = data["refused"]
        return Refused(Stage(refused["stage"]), _text(refused["type"]), _text(refused["message"]))
    return Unavailable(_text(data["unavailable"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"text expected, not {value!r}")
    return value


def _mapping(value: object) -> Mapping[str, Any] | None:
    if value is not None and not isinstance(value, dict):
        raise TypeError(f"a mapping expected, not {value!r}")
    return value


class DiskCache:
    """One file an answer; safe for several processes at once, and never a reason to fail."""

    def __init__(self, folder: Path, max_bytes: int = MAX_BYTES) -> None:
        self._folder = folder / "declarations"
        self._max_bytes = max_bytes
        self._writes = 0
        self._lock = threading.Lock()

    def get(self, key: str) -> Answer | None:
        """The stored answer, or None; a damaged file counts as none and is removed."""
        path = self._path(key)
        try:
            return _read(path, key)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            with contextlib.suppress(OSError):
                path.unlink()
            return None

    def put(self, key: str, answer: Answer) -> None:
        """Stores the answer if it is lasting; what cannot be written is not stored."""
        if isinstance(answer, Unavailable) or not is_lasting(answer):
            return
        text = json.dumps({"key": key, **answer_to_json(answer)}, ensure_ascii=True)
        with contextlib.suppress(OSError):
            write_sealed(self._path(key), text.encode("ascii"))
        if self._is_time_to_prune():
            self.prune()

    def prune(self) -> None:
        """Removes the oldest answers when the cache has outgrown its limit, and abandoned files."""
        files = sorted(_files(self._folder))
        total = sum(size for _, size, _ in files)
        goal = int(self._max_bytes * PRUNE_TO) if total > self._max_bytes else total
        expired = time.time() - MAX_AGE_SECONDS
        for modified, size, path in files:
            if total <= goal and modified >= expired:
                break
            with contextlib.suppress(OSError):
                path.unlink()
            total -= size

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def _is_time_to_prune(self) -> bool:
        with self._lock:
            self._writes += 1
            return self._writes % PRUNE_EVERY == 1


def _read(path: Path, key: str) -> Answer:
    """Reads a stored answer.

    Raises:
        OSError, KeyError, TypeError, ValueError, AttributeError, RecursionError: There is none.
    """
    data = json.loads(read_sealed(path))
    if data["key"] != key:
        raise ValueError(key)
    return answer_from_json(data)


def _files(folder: Path) -> Iterator[tuple[float, int, Path]]:
    for part in _entries(folder):
        for entry in _entries(Path(part.path)):
            with contextlib.suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                yield status.st_mtime, status.st_size, Path(entry.path)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def read_sealed(path: Path) -> bytes:
    """What `write_sealed` wrote, every bit of it.

    Raises:
        OSError: It cannot be read.
        ValueError: It is damaged.
    """
    seal, _, data = path.read_bytes().partition(b"\n")
    if seal != _seal(data):
        raise ValueError(path)
    return data


def _seal(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest().encode("ascii")


def write_sealed(path: Path, data: bytes) -> None:
    """Writes so that a reader, in this or another process, sees all of it or nothing.

    Raises:
        OSError: It cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(_seal(data) + b"\n" + data)
        Path(name).replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
