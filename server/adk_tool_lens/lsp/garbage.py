"""Collects garbage when nobody waits for an answer.

CPython's collector stops everything for as long as it takes to look at all objects, and a server holds some
hundred thousand that never become garbage: its libraries, and the syntax trees of the workspace. These are
frozen (`gc.freeze`), so that a collection looks at what is new, and the large collections happen in pauses.
"""

from __future__ import annotations

import asyncio
import gc

IDLE = 2.0
"""Seconds without a change after which garbage is collected."""
FULL_EVERY = 20
"""Every so many collections, what was frozen is looked at again: it may have become garbage in cycles."""
THRESHOLDS = (10_000, 20, 50)
"""Of the collections that cannot wait for a pause, as for `gc.set_threshold`."""


def settle_in() -> None:
    """Effect: takes all that was imported out of the collector's sight; collections become rare."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


class Garbage:
    """Plans collections on an event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None) -> None:
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None
        self._collections = 0

    def later(self) -> None:
        """Effect: plans a collection for the next pause, in place of the one that is planned."""
        if self._timer is not None:
            self._timer.cancel()
        if self._loop is not None:
            self._timer = self._loop.call_later(IDLE, self._collect)

    def _collect(self) -> None:
        self._timer = None
        self._collections += 1
        if self._collections % FULL_EVERY == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
