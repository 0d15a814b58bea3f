"""Runs the rules on a text, with a real google-adk behind them, and tells what they found."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import pytest

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Backend
from adk_tool_lens.discovery import body
from adk_tool_lens.ide import analysis
from adk_tool_lens.ide.session import Project, analyse_now
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.project.interpreters import Interpreter
from adk_tool_lens.rules.catalogue import Rule, catalogue
from adk_tool_lens.rules.model import Finding, Severity

FILE = "agent.py"
"""The name of the file that a text is checked as."""


@dataclass(frozen=True)
class Hit:
    """A finding with its place in the text: zero-based lines, columns in code points."""

    finding: Finding
    text: str
    start: tuple[int, int]
    end: tuple[int, int]

    @property
    def rule(self) -> str:
        """The rule's name."""
        return self.finding.rule

    @property
    def severity(self) -> Severity:
        """The finding's severity."""
        return self.finding.severity

    @property
    def message(self) -> str:
        """What people read."""
        return self.finding.message

    def __repr__(self) -> str:
        where = f"{self.start[0] + 1}:{self.start[1] + 1}"
        return f"<{where} {self.severity.value}[{self.rule}] {self.text!r}: {self.message}>"


class CheckText(Protocol):
    """`check_text(source)`: what all rules find, those that are off by default included.

    `rule` keeps one rule's findings only; `files` are further modules beside the text, by path.
    """

    def __call__(
        self,
        source: str,
        adk: str = ...,
        backend: str = ...,
        *,
        rule: str | None = ...,
        files: Mapping[str, str] | None = ...,
    ) -> list[Hit]: ...


def checker(client_for: Callable[[str], DeclarationClient]) -> CheckText:
    """The function that tests are given."""

    def check_text(
        source: str,
        adk: str = "2.9.0",
        backend: str = "gemini",
        *,
        rule: str | None = None,
        files: Mapping[str, str] | None = None,
    ) -> list[Hit]:
        with TemporaryDirectory() as folder, all_rules_on():
            hits = _check(Path(folder).resolve(), {**(files or {}), FILE: source}, client_for(adk), backend)
        return [hit for hit in hits if rule in {None, hit.rule}]

    return check_text


def _check(folder: Path, files: Mapping[str, str], client: DeclarationClient, backend: str) -> list[Hit]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    environment = client.environment()
    assert environment.problem is None, environment.problem
    interpreter = environment.interpreter
    project = Project(
        folder,
        Interpreter(interpreter, "a test"),
        client,
        Workspace((folder,), interpreter),
        Backend(backend),
        environment,
        backend_is_chosen=True,
    )
    module = project.workspace.module_of(files[FILE], folder / FILE)
    done = analyse_now(project, module)
    hits = []
    for finding in done.findings:
        if finding.place.block in done.module.starts:
            span = done.module.absolute(finding.place)
            source = done.module.source
            start, end = source.line_column(span.start), source.line_column(span.end)
            hits.append(Hit(finding, files[FILE][span.start : span.end], start, end))
    return sorted(hits, key=lambda hit: (hit.start, hit.end, hit.rule))


@contextmanager
def all_rules_on():  # type: ignore[no-untyped-def]
    """Rules that are off by default run, too, and a fault in a rule or in reading a body shows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "catalogue", _all_on)
        patch.setattr(analysis, "RAISE_BUGS", True)
        patch.setattr(body, "RAISE_BUGS", True)
        yield


def _all_on() -> dict[str, Rule]:
    return {name: replace(rule, on_by_default=True) for name, rule in catalogue().items()}


def completed(code: str) -> str:
    """An example with an agent that holds each of its public functions, unless it has an agent itself."""
    if "Agent(" in code:
        return code
    tree = ast.parse(code)
    names = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
    ]
    agent = (
        "root_agent = Agent(\n"
        '    name="assistant",\n'
        '    model="gemini-2.5-flash",\n'
        '    description="Helps people with what they ask for.",\n'
        '    instruction="Help the user with the tools that you have.",\n'
        f"    tools=[{', '.join(names)}],\n"
        ")\n"
    )
    return f"{code}\n\nfrom google.adk.agents import Agent\n\n{agent}"
