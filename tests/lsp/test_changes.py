"""Edits as they come, those that come together, and the stream that they come in."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from lsprotocol import types

from adk_tool_lens.lsp.changes import Changes, Replacement, by_line, change_of, changes_of
from adk_tool_lens.lsp.documents import MOST_PENDING, Documents
from adk_tool_lens.lsp.frames import LONGEST_HEADER, Frames, parsed

UTF16 = types.PositionEncodingKind.Utf16


def edit(*changes: Any, version: Any = 2, uri: Any = "file:///a.py") -> dict[str, Any]:
    """An edit as an editor sends it."""
    document = {"uri": uri, "version": version}
    params = {"textDocument": document, "contentChanges": list(changes)}
    return {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}


def part(a: Any, b: Any, c: Any, d: Any, text: Any = "x", **more: Any) -> dict[str, Any]:
    """The replacement of a range as an editor sends it."""
    return {
        "range": {"start": {"line": a, "character": b}, "end": {"line": c, "character": d}},
        "text": text,
    } | more


# ---------------------------------------------------------------- edits


def test_edits_are_read_as_they_come() -> None:
    message = edit(part(1, 2, 3, 4, "new\n"), part(0, 0, 0, 1, "", rangeLength=1))
    expected = [Replacement(1, 2, 3, 4, "new\n"), Replacement(0, 0, 0, 1, "")]
    assert changes_of(message) == Changes("file:///a.py", 2, list(expected))


@pytest.mark.parametrize(
    "message",
    [
        12,
        None,
        [],
        {},
        edit(part(0, 0, 0, 1)) | {"method": "textDocument/didOpen"},
        edit(part(0, 0, 0, 1)) | {"jsonrpc": "1.0"},
        edit(part(0, 0, 0, 1)) | {"params": None},
        edit(part(0, 0, 0, 1), version=None),
        edit(part(0, 0, 0, 1), version=True),
        edit(part(0, 0, 0, 1), uri=1),
        edit({"text": "all of it"}),
        edit(part(0, 0, 0, 1), {"text": "all of it"}),
        edit(part(0, "0", 0, 1)),
        edit(part(0, 0.0, 0, 1)),
        edit(part(0, False, 0, 1)),
        edit(part(0, -1, 0, 1)),
        edit(part(0, 0, 0, 1, None)),
        edit("text"),
        edit(part(0, 0, 0, 1)) | {"params": {"contentChanges": []}},
    ],
)
def test_anything_else_is_left_to_who_knows_all_of_the_protocol(message: Any) -> None:
    assert changes_of(message) is None


def test_changes_in_the_types_of_the_protocol() -> None:
    where = types.Range(types.Position(1, 2), types.Position(3, 4))
    assert change_of(types.TextDocumentContentChangePartial(where, "x")) == Replacement(1, 2, 3, 4, "x")
    assert change_of(types.TextDocumentContentChangeWholeDocument("all")) == "all"


def test_neighbouring_changes_of_a_line_belong_together() -> None:
    first, second = Replacement(4, 0, 4, 0, "a"), Replacement(4, 1, 4, 1, "b")
    enter, elsewhere = Replacement(4, 2, 4, 2, "\r"), Replacement(5, 0, 5, 0, "c")
    groups = list(by_line([first, second, enter, elsewhere, first]))
    assert groups == [(4, [first, second]), (None, [enter]), (5, [elsewhere]), (4, [first])]


# ---------------------------------------------------------------- texts


def written(text: str, changes: Sequence[Replacement], *, together: bool) -> str:
    """A text after changes that are applied together, or each when the one before has been looked at."""
    documents = Documents()
    document = documents.open(types.TextDocumentItem("u", "python", 1, text))
    for version, change in enumerate(changes, 2):
        changed = documents.change(Changes("u", version, [change]), UTF16)
        assert changed is not None
        document = changed[0]
        assert document.version == version
        if not together:
            assert document.source
    return document.source.text


@pytest.mark.parametrize(
    ("text", "after", "changes"),
    [
        ("", "ab", [(0, 0, 0, 0, "a"), (0, 1, 0, 1, "b")]),
        ("a\rx\nb", "a\r\nyb", [(1, 0, 1, 1, ""), (1, 0, 1, 0, "y")]),
        ("a\nb", "a\nbxy", [(9, 0, 9, 0, "x"), (9, 0, 9, 0, "y")]),
        ("one\n", "o!\n", [(0, 1, 0, 99, ""), (0, 99, 0, 99, "!")]),
        ("😀\n", "😀z\n", [(0, 2, 0, 2, "é"), (0, 2, 0, 3, "z")]),
        ("a\nb\n", "b\na\n", [(0, 0, 1, 0, ""), (0, 1, 0, 1, "\n"), (1, 0, 1, 0, "a")]),
    ],
)
def test_changes_that_come_together_mean_what_each_means(
    text: str, after: str, changes: list[tuple[int, int, int, int, str]]
) -> None:
    replacements = [Replacement(*change) for change in changes]
    assert written(text, replacements, together=False) == after
    assert written(text, replacements, together=True) == after


def test_however_many_edits_come_none_is_lost() -> None:
    changes = [Replacement(0, n, 0, n, str(n % 10)) for n in range(3 * MOST_PENDING)]
    assert written("", changes, together=True) == "".join(change.text for change in changes)


# ---------------------------------------------------------------- bytes


def framed(*bodies: bytes) -> bytes:
    """Bodies with their headers."""
    return b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)


def test_bodies_are_the_same_however_the_stream_is_cut() -> None:
    random = Random(7)
    bodies = [bytes(random.choices(b"ab\r\n:5Content-Length", k=random.randrange(1, 40))) for _ in range(60)]
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
    stream = kind + framed(*bodies[:30]) + b"content-length:3\r\n" + kind + b"\r\nend" + framed(*bodies[30:])
    for step in (1, 2, 7, 64, len(stream)):
        frames = Frames()
        found = [body for at in range(0, len(stream), step) for body in frames.take(stream[at : at + step])]
        assert found == [*bodies[:30], b"end", *bodies[30:]]


@pytest.mark.parametrize(
    "junk", [b"hello\r\n\r\n", b"Content-Length: x\r\n\r\n", b"Content-Length: 0\r\n\r\n", b"{}"]
)
def test_what_is_no_message_is_passed_over(junk: bytes) -> None:
    assert Frames().take(framed(b"one") + junk + framed(b"two")) == [b"one", b"two"]


def test_bytes_without_an_end_are_not_kept(caplog: pytest.LogCaptureFixture) -> None:
    frames = Frames()
    with caplog.at_level(logging.WARNING):
        for _ in range(40):
            assert frames.take(b"x" * 10_000) == []
    assert len(frames._rest) <= LONGEST_HEADER
    assert "is no message" in caplog.text
    assert frames.take(b"\r\n\r\n" + framed(b"next")) == [b"next"]


def test_each_body_is_read_on_its_own_whatever_the_others_are() -> None:
    good = [b'{"a": 1}', b"[2]", '"ż😀"'.encode(), b'"\\ud800"']
    assert parsed(good) == [json.loads(body) for body in good]
    for bad in (b"1, 2", b"", b"]", b"\xff", b"[" * 100_000):
        read = parsed([good[0], bad, good[1]])
        assert (read[0], read[2]) == ({"a": 1}, [2])
        assert isinstance(read[1], ValueError | RecursionError)
    assert parsed([]) == []
