"""Writes files: whole or not at all; changed ones with their mode, encoding and line ends."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from adk_tool_lens.project.files import FileText, UnreadableError, decode, encode, read_bytes


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
            data = read_bytes(real)
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
    if path.resolve() != path:
        raise UnwritableError(f"{path}: was replaced by a link meanwhile, so it was left alone. Run again.")
    try:
        is_kept = encode(original.text.text, original.text) == original.data
        data = encode(text, original.text)
    except UnicodeEncodeError as error:
        raise UnwritableError(
            f"{path}: its encoding {original.text.encoding} lacks a character of the new text "
            f"({error.object[error.start]!r}), so it was not changed. Save it as UTF-8."
        ) from error
    if not is_kept:
        raise UnwritableError(
            f"{path}: its encoding {original.text.encoding} would change what is left as it is, "
            "so it was not changed. Save it as UTF-8."
        )
    try:
        if read_bytes(path) != original.data:
            raise UnwritableError(f"{path}: was changed meanwhile, so it was left alone. Run again.")
        if _is_read_only(path):
            raise UnwritableError(f"{path}: is read-only, so it was not changed. Make it writable.")
        replace(path, data)
    except OSError as error:
        raise UnwritableError(f"{path}: cannot be written: {error.strerror or error}") from error


def _is_read_only(path: Path) -> bool:
    """Whether nobody may write the file; a rename would do it nevertheless."""
    return not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK)


def replace(path: Path, data: bytes) -> None:
    """Effect: puts a file in the place of another one or of none, so that nobody ever sees half of it.

    It gets the other one's mode and owner.

    Raises:
        OSError: it cannot be written; then the other one is still as it was.
    """
    state = path.lstat() if path.exists() else None
    fresh = path.with_name(f".{path.name[:200]}.{secrets.token_hex(8)}.tmp")
    mode = 0o666 if state is None else stat.S_IMODE(state.st_mode) & 0o777
    number = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if state is not None:
            with suppress(OSError, AttributeError):
                os.chown(fresh, state.st_uid, state.st_gid)
            fresh.chmod(stat.S_IMODE(state.st_mode))
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
