"""Messages in a stream of bytes: a header that tells the length, then as many bytes of JSON."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Sequence
from typing import Any

log = logging.getLogger(__name__)

_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,15})[ \t]*(?=\r\n)", re.IGNORECASE)
_PLAIN = re.compile(rb"Content-Length: (\d{1,15})")
"""How nearly all headers are written."""
LONGEST_HEADER = 1 << 16
"""Bytes; what goes on without an end is no header."""


class Frames:
    """Cuts the bytes that come in into the bodies of messages."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def take(self, data: bytes) -> list[bytes]:
        """The bodies that are complete with some more bytes.

        What is no header is passed over, up to the end of the next one: a broken message costs only itself.
        """
        rest = self._rest
        rest += data
        bodies, at = [], 0
        while (end := rest.find(_END, at)) >= 0:
            start = end + len(_END)
            length = _length(bytes(rest[at:end]))
            if start + length > len(rest):
                break
            at = start + length
            if length:
                bodies.append(bytes(rest[start:at]))
        if end < 0 and len(rest) - at > LONGEST_HEADER:
            log.warning("what comes in is no message: %d bytes are passed over", LONGEST_HEADER // 2)
            at = len(rest) - LONGEST_HEADER // 2
        del rest[:at]
        return bodies


def parsed(bodies: Sequence[bytes]) -> list[Any]:
    """The JSON of each body, in its place the error where it is none; many are read in one go."""
    if len(bodies) > 1:
        together = _parsed(b"[" + b",".join(bodies) + b"]")
        if isinstance(together, list) and len(together) == len(bodies):
            return together
    return [_parsed(body) for body in bodies]


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(str(body, "utf-8", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        return error


def _length(header: bytes) -> int:
    """The length that a header tells; zero where it tells none."""
    if plain := _PLAIN.fullmatch(header):
        return int(plain[1])
    found = _LENGTH.findall(header + b"\r\n")
    if not found:
        log.warning("a header without a length: %.200r", header)
        return 0
    return int(found[-1])
