"""What is kept between versions never differs from what a fresh look gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Environment
from adk_tool_lens.discovery.memo import Memo
from adk_tool_lens.ide.analysis import Analysis, analyse
from adk_tool_lens.ide.index import Index
from adk_tool_lens.ide.session import Project, Session
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.project.interpreters import Interpreter
from adk_tool_lens.rules.model import Facts
from adk_tool_lens.source.edits import Edit
from adk_tool_lens.source.rowtext import RowText

START = '''from __future__ import annotations

from typing import Annotated, Literal

from google.adk.agents import Agent
from google.adk.tools import FunctionTool
from pydantic import BaseModel, Field

LIMIT = 5


class Line(BaseModel):
    sku: str
    count: int = LIMIT


def first(line: Line, limit: int = LIMIT) -> dict:
    """First tool."""
    return {"status": "ok"}


def second(kind: Literal["a", "b"], note: Annotated[str, Field(description="A note")] = "x") -> str:
    """Second tool.

    Args:
        kind: The kind.
    """
    return "done"


def make(prefix: str):
    def search(query: str = "q") -> list:
        """Search."""
        return []

    return search


TOOLS = [first, FunctionTool(second)]
TOOLS.append(make("docs"))

root_agent = Agent(name="a", model="gemini-2.5-flash", instruction="Use `first`.", tools=TOOLS)
'''
PIECES = (
    "", "x", " ", "\n", "    ", "(", ")", '"""', "'", "#", ":", "def new(a, b=1):\n    return a\n",
    "LIMIT = 7\n", "class Line(BaseModel):\n    other: int\n", "first", "second", "TOOLS", ", second", "@",
    "if LIMIT:\n    pass\n", "from typing import Any\n", "Any", "int", "-> str", "\r\n", "TOOLS = []\n",
)  # fmt: skip
edits = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(PIECES)), min_size=1, max_size=12
)


def facts_of(analysis: Analysis) -> list[Any]:
    """Everything an editor shows of an analysis."""
    place = analysis.module.absolute
    return [
        [
            (r.tool.qualname, place(r.tool.place), r.request, [a.reason for a in r.approximations])
            for r in analysis.reports
        ],
        [(f.rule, f.message, place(f.place), f.fixes) for f in analysis.findings],
        [(a.name, [(e.kind, e.name, e.reason) for e in a.entries]) for a in analysis.agents],
    ]


def project_at(folder: Path) -> Project:
    """A project whose worker is never asked."""
    python = str(folder / "python")
    project = Project(
        folder, Interpreter(python, "for the test"), DeclarationClient(python), Workspace((folder,), "")
    )
    project.environment = Environment(python, "3.12.1", "2.9.0", "2.34.0", "2.14.4")
    return project


def fresh(text: str, path: Path, folder: Path) -> list[Any]:
    """What a first look at a text gives."""
    workspace = Workspace((folder,), "")
    module = workspace.module_of(text, path)
    workspace.overlays[path] = module
    return facts_of(analyse(module, workspace.world(), lambda _request: None, Facts("2.9.0")))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits)
def test_after_edits_it_is_as_if_the_text_was_seen_first(changes: list[tuple[float, int, str]]) -> None:
    folder = Path("/nowhere")
    path = folder / "agent.py"
    project = project_at(folder)
    try:
        session = Session(lambda _path: project, lambda call: call())
        source = RowText.of(START)
        session.update("uri", path, source)
        for where, length, text in changes:
            start = round(where * source.length)
            source = source.after(Edit(start, min(source.length, start + length), text))
            analysis = session.update("uri", path, source)
            assert fresh(source.text, path, folder) == facts_of(analysis)
    finally:
        project.close()


def test_an_edit_of_a_docstring_is_work_for_one_tool_only() -> None:
    folder = Path("/nowhere")
    path = folder / "agent.py"
    project = project_at(folder)
    memo = project.workspace.memo = Memo()
    session = Session(lambda _path: project, lambda call: call())
    source = RowText.of(START)
    session.update("uri", path, source)
    all_at_first = memo.computed
    at = START.index("First tool")
    session.update("uri", path, source.after(Edit(at, at, "The ")))
    assert 0 < memo.computed - all_at_first < all_at_first / 2
    project.close()


def test_a_tool_registered_elsewhere_follows_its_own_file(tmp_path: Path) -> None:
    tools, agent = tmp_path / "tools.py", tmp_path / "agent.py"
    text = 'LIMIT = 5\n\n\ndef find(limit: int = LIMIT) -> dict:\n    """Find."""\n    return {}\n'
    tools.write_text(text, "utf-8")
    agent.write_text(
        "from google.adk.agents import Agent\nfrom tools import find\n\nA = Agent(name='a', tools=[find])\n",
        "utf-8",
    )
    project = project_at(tmp_path)
    project.workspace.memo = Memo()
    project.index = Index((tmp_path,))
    project.index.build(project.workspace, project.workspace.world())
    session = Session(lambda _path: project, lambda call: call())
    for limit in ("5", "6", "7"):
        analysis = session.update("uri", tools, text.replace("5", limit))
        (report,) = analysis.reports
        assert report.request is not None
        assert f"LIMIT = {limit}\n" in report.request.stub.modules[-1].source
    project.close()


AGENT_WITH_STATE = """\
from google.adk.agents import Agent

root = Agent(name="root", model="gemini-2.5-flash", instruction="Greet ${customer}.")

KEYS = ["other"]
"""


def test_a_hint_about_an_instruction_follows_the_rest_of_the_file() -> None:
    """The rule reads texts of the whole file: keys that some other part of it puts into the state."""
    path = Path("/nowhere/agent.py")
    project = project_at(path.parent)
    project.workspace.memo = Memo()
    session = Session(lambda _path: project, lambda call: call())
    for key, told in (("other", True), ("customer", False), ("else", True)):
        analysis = session.update("uri", path, AGENT_WITH_STATE.replace("other", key))
        found = [finding.rule for finding in analysis.findings]
        assert ("instruction-template-error" in found) is told
    project.close()
