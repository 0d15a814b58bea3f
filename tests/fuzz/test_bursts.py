"""Edits without a pause between them: the last version is shown, at the cost of one, and none before it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from adk_tool_lens.lsp.pauses import LONGEST, PAUSE, Pauses
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.rowtext import RowText

from .stage import Client, Theatre, interpreter, staged

URI = "file:///work/agent.py"
TEXT = '''from google.adk.agents import Agent


def find(order) -> dict:
    """Finds an order by its number."""
    return {}


agent = Agent(name="a", model="m", instruction="x", tools=[find])
'''
EDITS = 200


class Burst:
    """A document that a client edits as fast as it can."""

    def __init__(self, stage: Theatre, client: Client) -> None:
        self.stage = stage
        self.client = client
        self.version = 1
        item = types.TextDocumentItem(URI, "python", 1, TEXT)
        client.handle(types.TEXT_DOCUMENT_DID_OPEN, types.DidOpenTextDocumentParams(item))
        stage.quiet()
        client.versions.clear()

    def edit(self, line: int = 4, character: int = 7, text: str = "x") -> bytes:
        """The next edit as the client sends it."""
        self.version += 1
        at = {"line": line, "character": character}
        change = {"range": {"start": at, "end": at}, "text": text}
        params = {
            "textDocument": {"uri": URI, "version": self.version},
            "contentChanges": [change],
        }
        return json.dumps(
            {"jsonrpc": "2.0", "method": types.TEXT_DOCUMENT_DID_CHANGE, "params": params}
        ).encode()

    def take(self, *bodies: bytes) -> None:
        """Effect: messages come in together."""
        self.client.connection.transport.take(bodies)

    def take_each_turn(self, edits: int) -> None:
        """Effect: an edit comes in with each turn of the event loop."""
        self.take(self.edit())
        if edits > 1:
            self.stage.loop.call_soon(self.take_each_turn, edits - 1)

    def lines(self) -> list[int]:
        """The lines of what is shown."""
        return sorted({each["range"]["start"]["line"] for each in self.client.shown(URI)})


@pytest.fixture
def burst(tmp_path: Path) -> Iterator[Burst]:
    with staged() as stage:
        client = Client(stage, tmp_path, {"settings": {"interpreter": interpreter("2.9.0")}})
        yield Burst(stage, client)
        client.server.close_projects()


def test_edits_that_come_together_are_published_once(burst: Burst) -> None:
    burst.take(*(burst.edit() for _ in range(EDITS)))
    burst.stage.loop.pass_time(0)
    assert burst.client.versions == [EDITS + 1]
    burst.stage.quiet()
    assert burst.client.server.texts.by_uri[URI].source.text == TEXT.replace("Finds", "x" * EDITS + "Finds")


def test_edits_that_come_one_after_the_other_are_published_once(burst: Burst) -> None:
    burst.stage.loop.call_soon(burst.take_each_turn, EDITS)
    burst.stage.loop.pass_time(0.001)
    assert burst.client.versions == [EDITS + 1]


def test_a_burst_changes_the_text_once(burst: Burst, monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[Edit] = []
    after = RowText.after

    def counted(text: RowText, edit: Edit) -> RowText:
        applied.append(edit)
        return after(text, edit)

    monkeypatch.setattr(RowText, "after", counted)
    burst.take(*(burst.edit() for _ in range(EDITS)))
    burst.stage.quiet()
    assert len(applied) == 1


def test_what_is_shown_moves_along_with_all_of_a_burst(burst: Burst) -> None:
    before = burst.lines()
    burst.take(burst.edit(0, 0, "\n"), burst.edit(), burst.edit(0, 0, "\n\n"), burst.edit(8, 0, "    y"))
    burst.stage.loop.pass_time(0)
    assert burst.client.versions == [5]
    assert burst.lines() == [line + 3 for line in before]


def test_what_comes_between_edits_is_answered_in_its_place(burst: Burst) -> None:
    params = {"textDocument": {"uri": URI}, "position": {"line": 4, "character": 5}}
    hover = {"jsonrpc": "2.0", "id": 7, "method": types.TEXT_DOCUMENT_HOVER, "params": params}
    burst.take(burst.edit(0, 0, "\n"), json.dumps(hover).encode(), burst.edit(0, 0, "\n"), b"{", burst.edit())
    burst.stage.loop.pass_time(0)
    card = next(answer for answer in burst.client.answers if answer["id"] == 7)
    assert card["result"]["range"]["start"] == {"line": 4, "character": 4}
    assert burst.client.versions[-1] == burst.version


def test_a_pause_follows_the_last_edit_and_edits_without_one_are_not_waited_out(burst: Burst) -> None:
    analysed: list[int] = []
    settle = burst.client.server.settle

    def counted(key: str) -> None:
        analysed.append(burst.version)
        settle(key)

    burst.client.server.pauses = Pauses(burst.stage.loop, counted)
    for _ in range(20):
        burst.take(burst.edit())
        burst.stage.loop.pass_time(PAUSE * 0.6)
    assert analysed == []
    burst.stage.loop.pass_time(PAUSE)
    assert analysed == [burst.version]
    for _ in range(round(2.5 * LONGEST / (PAUSE * 0.6))):
        burst.take(burst.edit())
        burst.stage.loop.pass_time(PAUSE * 0.6)
    assert len(analysed) == 3
