"""Lenses, hints, the tree of agents, and findings for clients that ask for them."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from views.conftest import PATIENCE, Connect, Editor

CODE = '''\
from google.adk.agents import Agent

from helpers import convert


def weather(city: str, days: int) -> dict[str, str]:
    """Tells the weather.

    Args:
        days: How many days.

    Returns:
        The weather.
    """
    return {}


agent = Agent(name="guide", model="gemini-2.5-flash", tools=[weather, convert])
'''
HELPERS = '''\
def convert(amount: float) -> float:
    """Converts an amount of money.

    Args:
        amount: What to convert.

    Returns:
        The amount.
    """
    return amount
'''
OTHER = """\
from google.adk.agents import LlmAgent

from helpers import convert

other = LlmAgent(name="other", tools=[convert], sub_agents=[LlmAgent(name="inner")])
"""
FILES = {"agent.py": CODE, "helpers.py": HELPERS, "other.py": OTHER}


async def lenses(editor: Editor, uri: str) -> list[types.CodeLens]:
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    return list(await editor.client.text_document_code_lens_async(params) or [])


async def titles(editor: Editor, uri: str) -> list[str]:
    return [lens.command.title for lens in await lenses(editor, uri) if lens.command is not None]


async def hints(editor: Editor, uri: str) -> list[types.InlayHint]:
    whole = types.Range(types.Position(0, 0), types.Position(1000, 0))
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), whole)
    return list(await editor.client.text_document_inlay_hint_async(params) or [])


def configure(editor: Editor, **settings: Any) -> None:
    editor.client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"settings": settings, "trusted": True})
    )


async def test_lenses_and_hints_follow_answers_and_settings(connect: Connect, adk_python: Any) -> None:
    editor = await connect(FILES)
    uri = editor.open("agent.py")

    async def with_tokens() -> list[str]:
        found = await titles(editor, uri)
        return found if all("tokens" in title for title in found) else []

    found = await editor.until("figures in the lenses", with_tokens)
    weather, guide = found
    assert weather.endswith("1 problem · what the model sees")
    assert guide.startswith("2 tools · about ")
    assert "workspace/codeLens/refresh" in editor.refreshed
    first = (await lenses(editor, uri))[0]
    assert first.range.start.line == CODE[: CODE.index("def weather")].count("\n")
    assert first.command is not None
    assert list(first.command.arguments or ()) == [uri, "tool:weather"]
    assert await hints(editor, uri) == []

    python = str(adk_python("2.9.0"))
    configure(editor, interpreter=python, lens={"enabled": False}, inlayHints={"enabled": True})

    async def switched() -> list[types.InlayHint]:
        return await hints(editor, uri)

    (hint,) = await editor.until("hints are on", switched)
    assert hint.label == "the model is told nothing about it"
    line = CODE.splitlines()[hint.position.line]
    assert line[: hint.position.character].endswith("city: str")
    assert await lenses(editor, uri) == []


async def test_tree_has_the_agents_of_all_files(connect: Connect) -> None:
    editor = await connect(FILES)
    uri = editor.open("agent.py")

    async def both() -> Any:
        found = await editor.ask("adkToolLens/agents")
        return found if len(found) == 3 and found[0]["complete"] else None

    guide, *others = await editor.until("agents of files that are not open, too", both)
    assert {agent["name"] for agent in others} == {"other", "inner"}
    assert [tool["name"] for tool in guide["tools"]] == ["weather", "convert"]
    assert guide["problems"] == 1
    assert guide["location"]["uri"] == uri
    assert guide["tools"][1]["location"]["uri"] == editor.uri("helpers.py")

    other = next(agent for agent in others if agent["name"] == "other")
    full = await editor.ask("adkToolLens/agentTools", uri=editor.uri("other.py"), subject=other["subject"])
    assert full.tools[0].tokens == guide["tools"][1]["tokens"] > 0
    assert list(full.subAgents) == ["inner"]

    editor.agents_changed.clear()
    editor.change(uri, 2, CODE.replace("[weather, convert]", "[weather]"))
    await editor.until("the tree is out of date", lambda: editor.agents_changed)
    after = await editor.ask("adkToolLens/agents")
    assert [tool["name"] for tool in after[0]["tools"]] == ["weather"]


async def pull(editor: Editor, uri: str, before: str | None = None) -> Any:
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri), previous_result_id=before)
    return await editor.client.text_document_diagnostic_async(params)


async def test_findings_that_are_asked_for_are_not_pushed(connect: Connect) -> None:
    editor = await connect(FILES, asks=True)
    uri = editor.open("agent.py")
    await editor.until("findings are pushed", lambda: editor.published.get(uri))
    pushed = editor.published[uri]

    report = await pull(editor, uri)
    assert [(d.code, d.range) for d in report.items] == [(d.code, d.range) for d in pushed]
    await editor.until("what was pushed is taken back", lambda: editor.published[uri] == [])
    assert (await pull(editor, uri, report.result_id)).kind == "unchanged"

    editor.change(uri, 2, CODE.replace("        days: How many days.\n", ""))

    async def more() -> bool:
        return len((await pull(editor, uri)).items) > len(pushed)

    await editor.until("another finding", more)
    assert editor.published[uri] == []


async def pull_workspace(
    editor: Editor, known: dict[str, str], token: str | None = None
) -> types.WorkspaceDiagnosticReport:
    previous = [types.PreviousResultId(uri, value) for uri, value in known.items()]
    params = types.WorkspaceDiagnosticParams(previous, partial_result_token=token)
    report: types.WorkspaceDiagnosticReport = await editor.client.workspace_diagnostic_async(params)
    return report


async def test_findings_of_the_workspace_are_asked_for(connect: Connect, adk_python: Any) -> None:
    files = {**FILES, "closed.py": CODE.replace("weather", "forecast")}
    editor = await connect(files, asks=True, settings={"interpreter": str(adk_python("2.9.0"))})
    assert editor.capabilities.diagnostic_provider is not None
    assert editor.capabilities.diagnostic_provider.workspace_diagnostics is True
    opened, closed = editor.open("agent.py"), editor.uri("closed.py")

    async def both() -> dict[str, Any] | None:
        reports = {report.uri: report for report in (await pull_workspace(editor, {})).items}
        return reports if reports.keys() >= {opened, closed} else None

    reports = await editor.until("findings of both files", both)
    assert {item.code for item in reports[closed].items} == {"undocumented-parameter"}
    assert (reports[opened].version, reports[closed].version) == (1, None)
    known = {uri: report.result_id for uri, report in reports.items()}
    assert {report.kind for report in (await pull_workspace(editor, known)).items} == {"unchanged"}
    assert editor.published.get(closed) is None, "what is asked for is not pushed as well"

    again = await pull_workspace(editor, {**known, "file:///gone.py": "1"})
    assert [(r.kind, r.uri) for r in again.items if r.uri not in known] == [("full", "file:///gone.py")]


async def test_client_that_takes_parts_is_answered_when_there_is_more(
    connect: Connect, adk_python: Any
) -> None:
    files = {**FILES, "closed.py": CODE.replace("weather", "forecast")}
    editor = await connect(files, asks=True, settings={"interpreter": str(adk_python("2.9.0"))})
    editor.open("agent.py")
    parts: list[Any] = []

    editor.client.protocol.fm.features.pop(types.PROGRESS, None)

    def progress(params: types.ProgressParams) -> None:
        parts.extend(editor.client.protocol._converter.unstructure(params.value)["items"])

    editor.client.feature(types.PROGRESS)(progress)
    known: dict[str, str] = {}
    closed = editor.uri("closed.py")

    async def holds() -> asyncio.Future[types.WorkspaceDiagnosticReport] | None:
        asked = asyncio.ensure_future(pull_workspace(editor, known, "parts"))
        while not (await asyncio.wait({asked}, timeout=2))[0]:
            if closed in known:
                return asked
        assert list(asked.result().items) == [], "everything is in the parts"
        known.update({part["uri"]: part["resultId"] for part in parts})
        return None

    waiting = await editor.until("nothing more to tell", holds)
    parts.clear()
    path = editor.folder / "closed.py"
    path.write_text(
        CODE.replace("weather", "forecast").replace("        days: How many days.\n", ""), "utf-8"
    )
    change = types.FileEvent(closed, types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
    await asyncio.wait_for(waiting, PATIENCE)
    assert [len(part["items"]) for part in parts if part["uri"] == closed] == [2]


async def test_client_that_wants_to_be_told_cannot_ask(connect: Connect) -> None:
    editor = await connect(FILES, asks=True, diagnostics="push")
    capabilities = editor.capabilities
    assert capabilities.diagnostic_provider is None
    assert capabilities.code_lens_provider is not None


async def test_files_that_are_not_open_are_reported_on_request(connect: Connect, adk_python: Any) -> None:
    files = {**FILES, "closed.py": CODE.replace("weather", "forecast")}
    editor = await connect(
        files, settings={"interpreter": str(adk_python("2.9.0")), "diagnosticMode": "workspace"}
    )
    editor.open("helpers.py")
    closed = editor.uri("closed.py")
    await editor.until("findings of a closed file", lambda: editor.published.get(closed))
    assert {d.code for d in editor.published[closed]} == {"undocumented-parameter"}

    uri = editor.open("closed.py", CODE.replace("days: How many days.", "city: Where. days: How many."))
    await editor.until("the editor's text counts", lambda: editor.published.get(uri) == [])
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await editor.until("the file counts again", lambda: editor.published.get(uri))

    configure(editor, interpreter=str(adk_python("2.9.0")), diagnosticMode="openFilesOnly")
    await editor.until("open files only", lambda: editor.published.get(closed) == [])
