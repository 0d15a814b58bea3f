"""What repairs are given and what they give: edits placed in blocks, under a title that says all they do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from adk_tool_lens.discovery.model import Parameter, Tool
from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.discovery.world import World
from adk_tool_lens.docstrings.model import Style
from adk_tool_lens.rules.model import AgentView, CallbacksView, Facts, Finding, ToolView
from adk_tool_lens.source.blocks import Block
from adk_tool_lens.source.text import Span


@dataclass(frozen=True)
class PlacedEdit:
    """Replace the text of a place."""

    place: Place
    text: str


@dataclass(frozen=True)
class FileEdit:
    """Replace code points `start` to `end` of a file that is not read as Python (`pyproject.toml`)."""

    path: Path
    start: int
    end: int
    text: str
    create: bool = False
    """Whether the file is not there yet."""


AnyEdit = PlacedEdit | FileEdit


@dataclass(frozen=True)
class Repair:
    """A code action: its title and its edits."""

    title: str
    edits: tuple[AnyEdit, ...]
    safe: bool = True
    """Whether it can be applied unseen: only what the model is told changes, and nothing is guessed."""
    snippet: bool = False
    """Whether the text holds placeholders that a person has to fill in."""
    freed: tuple[str, ...] = ()
    """Imported names that may be left unused; they go, too, when nothing else in the file uses them."""


@dataclass(frozen=True)
class Taste:
    """How a project wants docstrings to be written."""

    style: Style | None = None
    """The configured style; None where there is none."""
    usual: Callable[[], Style | None] = field(default=lambda: None, compare=False)
    """Tells the style most used in the project; None where that is not known, which follows the file."""
    width: int = 88
    """The longest line, in columns."""


@dataclass(frozen=True)
class Case:
    """What a repair is asked about."""

    module: Module
    """The file at hand."""
    world: World = field(default_factory=lambda: World(find=lambda _name, _module: None))
    view: ToolView | AgentView | CallbacksView | None = None
    """The tool, agent or plugin that the finding is about."""
    agent: AgentView | None = None
    """The agent in whose call the finding is."""
    finding: Finding | None = None
    arguments: tuple[str, ...] = ()
    facts: Facts = field(default_factory=Facts)
    taste: Taste = field(default_factory=Taste)
    root: Path | None = None
    """The project's folder."""

    @property
    def tool(self) -> Tool | None:
        """The tool, when it is about one."""
        return self.view.tool if isinstance(self.view, ToolView) else None

    @property
    def place(self) -> Place | None:
        """Where the finding is."""
        return None if self.finding is None else self.finding.place

    def module_of(self, place: Place) -> Module | None:
        """The newest version of a place's file; None when it no longer has the place."""
        if place.path == self.module.path:
            module: Module | None = self.module
        else:
            module = self.world.module_at(place.path) if place.path is not None else None
        return module if module is not None and place.block in module.starts else None

    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters that are meant: those named, else the one whose text the finding is at."""
        tool = self.tool
        if tool is None:
            return ()
        named = tuple(p for p in tool.parameters if p.name in self.arguments)
        if named or self.place is None:
            return named
        return tuple(p for p in tool.parameters if self.place.within(p.whole))

    def parameter(self) -> Parameter | None:
        """The one parameter that is meant."""
        return next(iter(self.parameters()), None)


def edit(where: Place, start: int, end: int, text: str) -> PlacedEdit:
    """Replaces offsets of the block that a place is in."""
    return PlacedEdit(Place(where.path, where.block, Span(start, end)), text)


def block_edit(module: Module, block: Block, span: Span, text: str) -> PlacedEdit:
    """Replaces a span of one of a module's blocks."""
    return PlacedEdit(Place(module.path, block, span), text)


def quoted(names: Iterable[str]) -> str:
    """Names for a title: `'a', 'b'`."""
    return ", ".join(f"'{name}'" for name in names)
