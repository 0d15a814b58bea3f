"""What rules are given and what they report; plain data, offsets relative to blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any

from adk_tool_lens.declaration.frames import Approximation
from adk_tool_lens.declaration.model import Backend, Declared, Refused
from adk_tool_lens.discovery.model import (
    Agent,
    AgentKeyword,
    Callback,
    Entry,
    Parameter,
    ParameterKind,
    Plugin,
    Tool,
)
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.docstrings.mentions import describes_result, mentions
from adk_tool_lens.docstrings.model import Docstring
from adk_tool_lens.docstrings.reader import read


class Severity(str, Enum):
    """How grave a finding is; the order of the design: error, warning, info, hint."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    HINT = "hint"


class Tag(str, Enum):
    """How an editor may show the range beside the squiggle."""

    UNNECESSARY = "unnecessary"
    DEPRECATED = "deprecated"


@dataclass(frozen=True)
class Fix:
    """Names a repair: which one of `fixes/`, and for what. The edit is made when it is asked for."""

    kind: str
    """The module of `fixes/` in kebab case."""
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Related:
    """Another place that belongs to a finding."""

    place: Place
    message: str


@dataclass(frozen=True)
class Finding:
    """One fault: what, why and what to do, at the narrowest range."""

    rule: str
    severity: Severity
    message: str
    place: Place
    tool: str = ""
    fixes: tuple[Fix, ...] = ()
    """The preferred one first."""
    related: tuple[Related, ...] = ()
    tags: tuple[Tag, ...] = ()


@dataclass(frozen=True)
class RuleSettings:
    """Settings that single rules read."""

    token_budget: int = 1000
    """Tokens of one declaration beyond which description-over-budget speaks."""
    max_tools: int = 20
    """Tools of one agent beyond which too-many-tools speaks."""


@dataclass(frozen=True)
class Selection:
    """Which rules run, and what becomes of their findings."""

    on: frozenset[str] = frozenset()
    """Rules that run although they are off by default."""
    off: frozenset[str] = frozenset()
    severities: tuple[tuple[str, Severity], ...] = ()
    """Severities that replace those of the rules."""
    per_file: tuple[tuple[str, frozenset[str]], ...] = ()
    """Patterns as in a .gitignore, with the rules that are left out there."""
    folder: Path | None = None
    """What the patterns are relative to."""

    def runs(self, name: str, *, by_default: bool) -> bool:
        """Whether a rule runs."""
        return name in self.on or (by_default and name not in self.off)


@dataclass(frozen=True)
class Facts:
    """What a project's environment is, as far as rules depend on it."""

    adk: str | None = None
    """The google-adk version that built the declarations; None when there is none."""
    backend: Backend = Backend.GEMINI
    requirement: str | None = None
    """The google-adk versions that the project supports: `>=1.19,<3`; None when it does not say."""
    settings: RuleSettings = RuleSettings()
    selection: Selection = Selection()

    @property
    def judged_by(self) -> str:
        """For messages: by what a finding was judged."""
        return f"google-adk {self.adk}" if self.adk else "google-adk"


@dataclass(frozen=True)
class ToolView:
    """A tool and what google-adk makes of it: what a rule about tools is given."""

    tool: Tool
    answer: Declared | Refused | None
    """The declaration, google-adk's refusal, or None while neither is known."""
    facts: Facts = Facts()
    approximations: tuple[Approximation, ...] = ()
    agents: tuple[Agent, ...] = ()
    """The agents that hold the tool, as far as they are known."""
    settings: RuleSettings = RuleSettings()

    @property
    def declaration(self) -> Mapping[str, Any] | None:
        """The declaration as JSON, when there is one."""
        return self.answer.declaration if isinstance(self.answer, Declared) else None

    @cached_property
    def description(self) -> str:
        """The description that the model is sent; empty when there is none."""
        declaration = self.declaration or {}
        return str(declaration.get("description") or "")

    @cached_property
    def docstring(self) -> Docstring:
        """The docstring's parts."""
        text = self.tool.docstring.value if self.tool.docstring else ""
        return read(text, [parameter.name for parameter in self.tool.parameters])

    @cached_property
    def schema(self) -> Mapping[str, Any]:
        """The parameters' schema, of either form google-adk has."""
        declaration = self.declaration or {}
        schema = declaration.get("parameters_json_schema") or declaration.get("parameters") or {}
        return schema if isinstance(schema, Mapping) else {}

    @cached_property
    def sent(self) -> Mapping[str, Any]:
        """The schema of each parameter that the model is told of."""
        properties = self.schema.get("properties") or {}
        return properties if isinstance(properties, Mapping) else {}

    def sent_description(self, name: str) -> str:
        """The description of one parameter in the schema."""
        schema = self.sent.get(name) or {}
        return str(schema.get("description") or "") if isinstance(schema, Mapping) else ""

    @property
    def has_response_schema(self) -> bool:
        """Whether the model is sent a schema of the result."""
        declaration = self.declaration or {}
        return bool(declaration.get("response_json_schema") or declaration.get("response"))

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters that the model is told of, with their text."""
        return tuple(p for p in self.tool.parameters if p.name in self.sent)

    def reads_about(self, name: str) -> bool:
        """Whether the model can read anything about a parameter, in schema or description."""
        return bool(self.sent_description(name)) or mentions(self.description, name)

    @cached_property
    def reads_about_result(self) -> bool:
        """Whether the model can read anything about the result."""
        return self.has_response_schema or describes_result(self.description)


@dataclass(frozen=True)
class AgentView:
    """An agent with the views of its tools: what a rule about agents is given."""

    agent: Agent
    tools: tuple[tuple[Entry, ToolView | None], ...]
    """Every entry of `tools`, in order; the view of those that are functions with a known text."""
    facts: Facts = Facts()
    settings: RuleSettings = RuleSettings()

    def keyword(self, name: str) -> AgentKeyword | None:
        """A keyword argument of the agent's call."""
        return next((k for k in self.agent.keywords if k.name == name), None)


@dataclass(frozen=True)
class CallbacksView:
    """What has callbacks, an agent or a plugin: what a rule about callbacks is given."""

    holder: Agent | Plugin
    facts: Facts = Facts()

    @property
    def in_plugin(self) -> bool:
        """Whether they are the methods of a plugin."""
        return isinstance(self.holder, Plugin)

    @property
    def callbacks(self) -> tuple[Callback, ...]:
        """The callbacks."""
        return self.holder.callbacks

    def place_of(self, callback: Callback, place: Place) -> Place:
        """A place in a callback, or where that is handed over when it stands in another file."""
        return place if place.path == self.holder.place.path else callback.place

    def related(self, callback: Callback) -> tuple[Related, ...]:
        """Where the callback is handed over; a plugin's method is handed over by its name alone."""
        message = f"given as `{callback.kind}` here"
        return () if self.in_plugin else (Related(callback.place, message),)


@dataclass(frozen=True)
class Suppression:
    """A suppression comment, and the rules whose findings it keeps quiet."""

    place: Place
    rules: tuple[tuple[str, Place], ...] | None
    """The names that it gives; None for all rules."""
    used: frozenset[str] = frozenset()


@dataclass(frozen=True)
class FileView:
    """A file after all other rules: what a rule about comments, or about the file as text, is given."""

    suppressions: tuple[Suppression, ...]
    facts: Facts = Facts()
    unread: tuple[tuple[Place, str, str], ...] = ()
    """Statements that are not read although tools may be in them: how each begins, and why."""


CALLABLE_KINDS = frozenset({ParameterKind.NORMAL, ParameterKind.KEYWORD_ONLY, ParameterKind.POSITIONAL_ONLY})
