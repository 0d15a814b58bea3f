"""What the client waits for at the start: the protocol's library and nothing else."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys

from adk_tool_lens.lsp import handlers
from adk_tool_lens.lsp.connection import OFFERS, PULL

LATER = ("adk_tool_lens.ide", "adk_tool_lens.rules", "adk_tool_lens.discovery", "jedi", "google", "pydantic")
OFFERED = """
import json, sys
from adk_tool_lens.lsp.connection import create_connection
create_connection()
print(json.dumps(sorted(sys.modules)))
"""


def test_what_analyses_is_imported_behind_the_answer_to_initialize() -> None:
    done = subprocess.run([sys.executable, "-c", OFFERED], capture_output=True, text=True, check=True)
    loaded: list[str] = json.loads(done.stdout)
    assert "pygls.lsp.server" in loaded
    assert [name for name in loaded if name.startswith(LATER)] == []


def test_each_offer_has_a_handler_of_its_kind() -> None:
    for offer in (*OFFERS, PULL):
        handler = getattr(handlers, offer.handler)
        assert inspect.iscoroutinefunction(handler) == offer.waits, offer.method
        assert len(inspect.signature(handler).parameters) == 2, offer.method
