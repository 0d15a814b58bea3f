"""Edits of the layers under the session.

`ADK_TOOL_LENS_FUZZ_EDITS` makes the run as long as wanted: a million edits take a quarter of an hour.
"""

from __future__ import annotations

import os

from .texts import play

EDITS = int(os.environ.get("ADK_TOOL_LENS_FUZZ_EDITS", "1200"))
SEED = int(os.environ.get("ADK_TOOL_LENS_FUZZ_SEED", "1"))
ONE_PLAY = 300


def test_after_each_edit_every_layer_is_as_a_first_look_is() -> None:
    for number in range(EDITS // ONE_PLAY):
        play(SEED + number, ONE_PLAY)
