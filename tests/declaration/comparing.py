"""Compares stubs with the truth: every tool of a project, previewed and really imported."""

from __future__ import annotations

import ast
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import Backend, Declared, Refused, Request
from adk_tool_lens.declaration.stub import Built, build
from adk_tool_lens.discovery.classify import Found, classify
from adk_tool_lens.discovery.evaluate import World, evaluate
from adk_tool_lens.discovery.module import Module
from adk_tool_lens.discovery.values import Either, Item, Scope
from adk_tool_lens.ide.workspace import Workspace
from adk_tool_lens.source.blocks import Block

TRUTH = Path(__file__).with_name("truth.py")
BACKENDS = (Backend.GEMINI, Backend.VERTEX)


class Truth:
    """A process of an environment that really imports modules."""

    def __init__(self, python: Path) -> None:
        command = [str(python), str(TRUTH)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, folder: Path, module: str, expressions: Sequence[str]) -> dict[str, Any]:
        """What the environment's google-adk says."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"folder": str(folder), "module": module, "expressions": list(expressions)}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._process.stdout.close()


@dataclass(frozen=True)
class Comparison:
    """One tool under one back end."""

    expression: str
    backend: str
    truth: dict[str, Any]
    preview: dict[str, Any]
    reasons: tuple[str, ...]
    """Why the preview is approximate, or why there is none."""
    stub: str

    @property
    def equal(self) -> bool:
        """Whether the preview is google-adk's own answer: the declaration, or the class of what it raised."""
        if "error" in self.truth:
            return bool(self.truth["error"] == self.preview.get("error"))
        return self.truth == self.preview

    @property
    def silent(self) -> bool:
        """The worst there can be: another answer without a word."""
        return not self.equal and not self.reasons

    def __str__(self) -> str:
        rows = [f"{self.expression} ({self.backend})", f"truth:   {json.dumps(self.truth)}"]
        rows += [f"preview: {json.dumps(self.preview)}", f"reasons: {self.reasons}", self.stub]
        return "\n".join(rows)


class Comparer:
    """Compares tools under one environment."""

    def __init__(self, python: Path, client: DeclarationClient) -> None:
        self.truth = Truth(python)
        self.client = client
        self.python = python
        environment = client.environment()
        assert environment.python is not None
        major, minor, *_ = environment.python.split(".")
        self.version = (int(major), int(minor))

    def compare(self, folder: Path, module: str, expressions: Sequence[str]) -> list[Comparison]:
        """Every expression of a module under both back ends.

        Raises:
            ImportError: the module cannot be imported, so that there is no truth.
        """
        answer = self.truth.ask(folder, module, expressions)
        if answer["failed"] is not None:
            raise ImportError(answer["failed"])
        previews = self.previews(folder, module, expressions)
        return [
            Comparison(expression, backend.value, true[backend.value], *preview)
            for expression, true, by_backend in zip(expressions, answer["answers"], previews, strict=True)
            for backend, preview in zip(BACKENDS, by_backend, strict=True)
        ]

    def previews(
        self, folder: Path, module: str, expressions: Sequence[str]
    ) -> list[list[tuple[dict[str, Any], tuple[str, ...], str]]]:
        """What adk-tool-lens shows for the expressions, the text only read."""
        path = folder.joinpath(*module.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        workspace = Workspace((folder,), str(self.python))
        read = workspace.module_at(path)
        assert read is not None
        lines = "".join(f"{text}\n" for text in expressions)
        shown = workspace.module_of(f"{read.text}\n{lines}", path)
        workspace.overlays[path] = shown
        world = workspace.world(self.version)
        tools = [found_of(shown, block, world) for block in shown.blocks[-len(expressions) :]]
        return [[self._preview(found, world, b) for b in BACKENDS] for found in tools]

    def _preview(
        self, found: Found | str, world: World, backend: Backend
    ) -> tuple[dict[str, Any], tuple[str, ...], str]:
        if isinstance(found, str):
            return {}, (found,), ""
        built = build(found, world)
        if not isinstance(built, Built):
            return {}, (built.reason,), ""
        reasons = tuple(a.reason for a in built.approximations)
        text = "\n".join(f"### {m.name}\n{m.source}" for m in built.stub.modules)
        match self.client.declare(Request(built.stub, backend)):
            case Declared(declaration=declaration):
                return {"declaration": declaration}, reasons, text
            case Refused(type=kind, message=message):
                return {"error": kind, "message": message}, reasons, text
            case other:
                raise AssertionError(f"{other}\n{text}")


def found_of(module: Module, block: Block, world: World) -> Found | str:
    """The tool that an expression statement stands for, or why there is none."""
    assert block.tree is not None
    statement = block.tree.body[0]
    assert isinstance(statement, ast.Expr)
    scope = Scope(module, block)
    value = evaluate(statement.value, scope, world)
    if isinstance(value, Either):
        return "which of several values it is is decided when the code runs"
    entry, found = classify(value, Item(value, statement.value, scope), world)
    return found or f"{entry.kind.value}: {entry.reason}"
