"""Reads Python files as Python does: encoding cookie, byte order mark, every line end kept."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import tokenize
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 10_000_000
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class FileText:
    """A file's text and how it is encoded."""

    text: str
    encoding: str
    bom: bool


class UnreadableError(Exception):
    """A file cannot be read as Python text; the message says what, why and what to do."""


def read(path: Path) -> FileText:
    """The text of a file.

    Raises:
        UnreadableError: it is missing, too large or not in the encoding it declares.
    """
    try:
        data = read_bytes(path)
    except OSError as error:
        raise UnreadableError(f"{path}: cannot be read: {error.strerror or error}") from error
    return decode(data, str(path))


def read_bytes(path: Path | str) -> bytes:
    """The bytes of a file, one more than `MAX_BYTES` at most.

    Every file of a workspace is read through here: a link to `/dev/zero` would never end, and a named pipe
    without a writer would never begin.

    Raises:
        OSError: it is missing, cannot be read, or is no regular file.
    """
    found = os.stat(path)  # noqa: PTH116 - also for text, which is quicker
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    with open(path, "rb") as file:  # noqa: PTH123
        # Memory for all of `MAX_BYTES` would be asked for before the first byte is read.
        return file.read(min(found.st_size, MAX_BYTES) + 1)


def decode(data: bytes, name: str = "<text>") -> FileText:
    """The text of a file's bytes.

    Raises:
        UnreadableError: it is too large or not in the encoding it declares.
    """
    if len(data) > MAX_BYTES:
        raise UnreadableError(f"{name}: is larger than {MAX_BYTES // 1_000_000} MB and was left out")
    bom = data.startswith(_BOM)
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(_head(data)).readline)[0]
        text = data.decode("utf-8-sig" if encoding.startswith("utf-8") else encoding)
    except (SyntaxError, UnicodeError, LookupError) as error:  # `punycode` raises a bare UnicodeError
        reason = getattr(error, "reason", None) or str(error)
        raise UnreadableError(
            f"{name}: is no Python text: {reason}. Save it as UTF-8 or declare its encoding."
        ) from error
    return FileText(text, "utf-8" if encoding.startswith("utf-8") else encoding, bom)


def _head(data: bytes) -> bytes:
    """The first two lines; a lone carriage return ends a line for Python, too."""
    return re.sub(rb"\r\n?", b"\n", data[:4096])


def encode(text: str, like: FileText) -> bytes:
    """Bytes of a changed text, encoded as the file was.

    Raises:
        UnicodeEncodeError: the text has a character that the file's encoding lacks.
    """
    data = text.encode(like.encoding)
    return _BOM + data if like.bom else data
