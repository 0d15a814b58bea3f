"""Writes changed files: whole or not at all, with their mode, encoding and line ends."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from adk_tool_lens.project.files import FileText, UnreadableError, decode, encode


class UnwritableError(Exception):
    """A file is not written; the message says what, why and what to do."""


@dataclass(frozen=True)
class Original:
    """A file as it was when it was read."""

    path: Path
    """Links resolved."""
    data: bytes
    text: FileText

    @classmethod
    def of(cls, path: Path) -> Original:
        """Reads a file.

        Raises:
            UnreadableError: it is missing, too large or no text.
        """
        real = path.resolve()
        try:
            data = real.read_bytes()
        except OSError as error:
            raise UnreadableError(f"{path}: cannot be read: {error.strerror or error}") from error
        return cls(real, data, decode(data, str(path)))


def write(original: Original, text: str, root: Path) -> None:
    """Effect: puts a text in the place of a file's, at once.

    Args:
        original: The file as it was read.
        text: The new text.
        root: The folder that files may be changed in; a link out of it is not followed.

    Raises:
        UnwritableError: the file lies outside, has changed since, cannot hold the text or be written.
    """
    path = original.path
    if not path.is_relative_to(root.resolve()):
        raise UnwritableError(f"{path}: lies outside of {root}, so it was not changed.")
    try:
        data = encode(text, original.text)
    except UnicodeEncodeError as error:
        raise UnwritableError(
            f"{path}: its encoding {original.text.encoding} lacks a character of the new text "
            f"({error.object[error.start]!r}), so it was not changed. Save it as UTF-8."
        ) from error
    try:
        if path.read_bytes() != original.data:
            raise UnwritableError(f"{path}: was changed meanwhile, so it was left alone. Run again.")
        _replace(path, data)
    except OSError as error:
        raise UnwritableError(f"{path}: cannot be written: {error.strerror or error}") from error


def _replace(path: Path, data: bytes) -> None:
    """Effect: writes beside the file and renames, so that nobody ever sees half of it."""
    number, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    fresh = Path(name)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, fresh)
        with suppress(OSError, AttributeError):
            state = path.stat()
            os.chown(fresh, state.st_uid, state.st_gid)
            shutil.copymode(path, fresh)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
