"""What a file says of itself never becomes a link, a picture or HTML in a card."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from adk_tool_lens.declaration.model import Answer, Declared, Refused, Request, Stage, Unavailable
from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.ide.agents import agent_card
from adk_tool_lens.ide.analysis import analyse
from adk_tool_lens.ide.hover import card
from adk_tool_lens.ide.markdown import code, prose
from adk_tool_lens.rules.model import Facts

MARKDOWN = MarkdownIt("commonmark")
WORDS = """` `` ``` ~~~ \\ [ ] ( ) ! < > " ' * _ # & : / [x](http://e/) ![](http://e/p.png) <img/src=http://e/p>
    <http://e/> [x]: http://e/ <!-- &lt;img> &#91;x](u) \\[ \\] \\` a"""
SPACES = ["\n", "\n\n", "\r", " ", "    ", "\n> ", "\n- ", "\n# ", "\n```\n", "\n~~~\n", "\u2028"]
PIECES = st.sampled_from([*WORDS.split(), *SPACES])
TEXTS = st.lists(PIECES, max_size=10).map("".join)
BREAKING = [
    "![](http://e/p.png)",
    "` ![](http://e/p.png) `",
    "`` ![](http://e/p.png)",
    "x`](http://e/)![](http://e/p.png)",
    "\n```\n![](http://e/p.png)\n```\n",
    "\n\n<img src=http://e/p.png>\n\n",
    "\\`![](http://e/p.png)\\`",
    "\\[x\\](http://e/)",
    "a\n\n[x]: http://e/\n\n[x]",
]
FILE = '''from google.adk.agents import Agent
from enum import Enum

class E(Enum):
    A = compute({text!r})

def f(x: E = E.B[{text!r}], y: list[{text!r}] = None) -> dict:
    """{{Do}}."""
    return {{}}

def g(x: str):
    {text!r}

root_agent = Agent(name={text!r}, model={text!r}, instruction={text!r}, description={text!r},
    tools=[f, g, find({text!r}), *more[{text!r}]], sub_agents=[Agent(name={text!r})])
'''


def reaching(markdown: str) -> Iterator[str]:
    """What of a card leads out of it, or is fetched when it is shown."""

    def walk(tokens: list[Token]) -> Iterator[str]:
        for token in tokens:
            where = str(token.attrs.get("href") or token.attrs.get("src") or "")
            if token.type in {"image", "html_inline", "html_block"}:
                yield token.type
            elif token.type == "link_open" and not where.startswith("file:"):
                yield where
            yield from walk(token.children or [])

    yield from walk(MARKDOWN.parse(markdown))


@settings(max_examples=300, deadline=None)
@given(text=TEXTS)
def test_texts_stay_texts(text: str) -> None:
    assert list(reaching(prose(text))) == []
    (paragraph,) = [token for token in MARKDOWN.parse(code(text)) if token.type == "inline"]
    assert [child.type for child in paragraph.children or ()] == ["code_inline"]


def test_code_in_messages_is_kept() -> None:
    message = "The model is told nothing about `x[0]` of `f`, see C:\\Users."
    assert prose(message) == message


ANSWERS: list[Answer] = [
    Declared("FunctionTool", "f", {"name": "f", "description": "TEXT"}),
    Refused(Stage.DECLARE, "ValueError", "TEXT"),
    Unavailable("TEXT"),
]


@pytest.mark.parametrize("text", BREAKING)
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_cards_lead_nowhere(text: str, answer: Answer) -> None:
    def ask(_request: Request) -> Answer:
        match answer:
            case Declared(tool_class, name, declaration):
                return Declared(tool_class, name, {**(declaration or {}), "description": text * 50})
            case Refused(stage, kind, _):
                return Refused(stage, kind, text)
        return Unavailable(text)

    module = Module.of(FILE.format(text=text), name="tools")
    analysis = analyse(module, World(lambda _name, _importer: None), ask, Facts("2.9.0"))
    assert analysis.reports
    for report in analysis.reports:
        assert list(reaching(card(report, analysis))) == [], card(report, analysis)
    for agent in analysis.agents:
        assert list(reaching(agent_card(agent, analysis))) == [], agent_card(agent, analysis)
