"""Tells when typing pauses, so that what takes longer than a key is not done between two keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

PAUSE = 0.01
"""Seconds without an edit that are a pause."""
LONGEST = 0.5
"""Seconds after which edits without any pause count as one, too."""
_NOW = 0.001
"""Seconds that are not worth another timer."""


@dataclass
class _Edits:
    first: float
    last: float
    timer: asyncio.TimerHandle


class Pauses:
    """Waits for the next pause in the edits of each document.

    Args:
        loop: Whose clock counts; without one there is never a pause.
        call: Called with the document's key in its pause.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop | None, call: Callable[[str], None]) -> None:
        self._loop = loop
        self._call = call
        self._edits: dict[str, _Edits] = {}

    def __contains__(self, key: str) -> bool:
        """Whether a document was edited and there was no pause yet."""
        return key in self._edits

    def edited(self, key: str) -> None:
        """Effect: waits for the pause after this edit."""
        if self._loop is None:
            return
        now, known = self._loop.time(), self._edits.get(key)
        if known is not None:
            known.last = now
        else:
            self._edits[key] = _Edits(now, now, self._loop.call_later(PAUSE, self._look, self._loop, key))

    def forget(self, key: str) -> None:
        """Effect: waits for a document's pause no longer."""
        edits = self._edits.pop(key, None)
        if edits is not None:
            edits.timer.cancel()

    def _look(self, loop: asyncio.AbstractEventLoop, key: str) -> None:
        edits = self._edits[key]
        left = min(edits.last + PAUSE, edits.first + LONGEST) - loop.time()
        if left > _NOW:
            edits.timer = loop.call_later(left, self._look, loop, key)
        else:
            del self._edits[key]
            self._call(key)
