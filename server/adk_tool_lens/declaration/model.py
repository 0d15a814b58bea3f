"""Plain data between the server and the declaration worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

TOOL_NAME = "__lens_tool__"
"""The name that a stub's last module binds to the tool object (a function, a callable or a `BaseTool`)."""


class Backend(str, Enum):
    """The Google back end a declaration is built for: it decides whether results get a schema."""

    GEMINI = "gemini"
    VERTEX = "vertex"


class Provider(str, Enum):
    """In whose form a declaration is shown; `ADK` is google-adk's own `FunctionDeclaration`."""

    ADK = "adk"
    GEMINI = "gemini"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"


@dataclass(frozen=True)
class StubModule:
    """One module of a stub: the name the user's module has, and the whitelisted text that stands for it."""

    name: str
    source: str


@dataclass(frozen=True)
class Stub:
    """What is handed to the worker instead of the user's code.

    `modules` come in dependency order; a later one may import an earlier one by its name. The last
    one binds `TOOL_NAME`.
    """

    modules: tuple[StubModule, ...]


@dataclass(frozen=True)
class Environment:
    """What an interpreter has installed; `problem` says why no declaration can be built with it."""

    interpreter: str
    python: str | None = None
    adk: str | None = None
    genai: str | None = None
    pydantic: str | None = None
    problem: str | None = None


@dataclass(frozen=True)
class Request:
    """One question to the worker."""

    stub: Stub
    backend: Backend = Backend.GEMINI
    provider: Provider = Provider.ADK


class Stage(str, Enum):
    """Where building a declaration ended."""

    STUB = "stub"
    """The stub itself could not be executed: what it models fails when the user's module is imported."""
    CONSTRUCT = "construct"
    """`FunctionTool(...)` refused the object."""
    DECLARE = "declare"
    """`_get_declaration()` raised: the first request with this tool fails."""
    CONVERT = "convert"
    """The declaration exists but could not be put into the provider's form."""


@dataclass(frozen=True)
class Declared:
    """The declaration, exactly `model_dump(exclude_none=True, mode="json")`; None when ADK sends none."""

    tool_class: str
    name: str
    declaration: Mapping[str, Any] | None = field(hash=False)
    provider_form: Mapping[str, Any] | None = field(default=None, hash=False)
    logs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused:
    """google-adk (or Python, for the stub) raised; `type` is the exception's class name."""

    stage: Stage
    type: str
    message: str


@dataclass(frozen=True)
class Unavailable:
    """No answer can be had now: `reason` says what, why and what to do, for a person to read."""

    reason: str


Answer = Declared | Refused | Unavailable
