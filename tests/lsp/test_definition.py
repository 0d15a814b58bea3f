"""Go to definition on what an agent is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

TEXT = """from google.adk.agents import Agent
from google.adk.tools import google_search


def find(order: str) -> dict:
    \"\"\"Find an order.\"\"\"
    return {}


root_agent = Agent(name="root", model="gemini-2.5-flash", tools=[find, google_search])
print(find)
"""


async def leads_to(editor: Any, uri: str, line: int, part: str) -> types.Location | None:
    """Where the editor is sent from a part of a line."""
    character = TEXT.splitlines()[line].index(part) + 1
    params = types.DefinitionParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
    found = await editor.client.text_document_definition_async(params)
    assert found is None or isinstance(found, types.Location)
    return found


async def test_elements_lead_to_the_project_and_to_installed_packages(connect: Any, tmp_path: Path) -> None:
    editor = await connect(adk="2.13.0")
    uri = (tmp_path / "agent.py").as_uri()
    editor.open(uri, TEXT)
    await editor.until("the first diagnostics", lambda: any(p.uri == uri for p in editor.published))
    own = await leads_to(editor, uri, 9, "find")
    assert own is not None
    assert (own.uri, own.range.start.line) == (uri, 4)
    installed = await leads_to(editor, uri, 9, "google_search")
    assert installed is not None
    assert installed.uri.endswith("/site-packages/google/adk/tools/google_search_tool.py")
    assert await leads_to(editor, uri, 10, "find") is None
