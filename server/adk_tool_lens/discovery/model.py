"""Tools and agents as plain data: what rules, fixes and views are given instead of syntax trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path

from adk_tool_lens.discovery.module import Place
from adk_tool_lens.discovery.signature import (
    DocstringText,
    Expression,
    Layout,
    Metadata,
    MetadataKind,
    Opening,
    OpeningKind,
    Option,
    Parameter,
    ParameterKind,
    TypeKind,
    TypeTree,
)

__all__ = [
    "Agent",
    "AgentKeyword",
    "Argument",
    "Body",
    "BodyCall",
    "Callback",
    "DocstringText",
    "Effects",
    "Entry",
    "EntryKind",
    "Expression",
    "Layout",
    "Metadata",
    "MetadataKind",
    "Opening",
    "OpeningKind",
    "Option",
    "Parameter",
    "ParameterKind",
    "Plugin",
    "Raised",
    "Registration",
    "Returned",
    "Tool",
    "TypeKind",
    "TypeTree",
    "Use",
]


class EntryKind(Enum):
    """What an element of `tools=[...]` is."""

    FUNCTION = "function"
    BUILT_IN = "built-in"
    TOOLSET = "toolset"
    AGENT = "agent"
    CUSTOM = "custom"
    """A `BaseTool` of the project that makes its own declaration."""
    CLASS = "class"
    """A class itself, where an object of it was meant."""
    NOT_A_TOOL = "not a tool"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Registration:
    """One place where a tool is handed to an agent (or only wrapped, `agent` is then None)."""

    place: Place
    agent: str | None
    agent_place: Place | None = None
    conditional: bool = False


@dataclass(frozen=True)
class Argument:
    """One argument of a call in a function's body."""

    keyword: str | None
    expression: Expression
    parameters: frozenset[str] = frozenset()
    """Parameters of the tool whose value is part of it, also through local names and f-strings."""
    literal: object = field(default=None, hash=False)
    """Its value when it is a constant, the leading text of an f-string included."""


class Use(str, Enum):
    """What is done with a value, as far as a coroutine that nobody awaits would notice."""

    DISCARDED = "discarded"
    RETURNED = "returned"
    """It is returned, alone or as a part of a display."""
    READ = "read"
    """It is looked into: `f().x`, `f()["k"]`, `f() + 1`, `for x in f()`, also through a local name."""
    PASSED = "passed"
    """It is handed on: as an argument, in a list, to a name."""


@dataclass(frozen=True)
class BodyCall:
    """A call in a function's body."""

    callee: str
    """The full name where the text tells it (`requests.get`, `sqlite3.connect.cursor.execute` for the
    method of what calls gave, `builtins.open`, `shop.orders.find` for the project's own), else as
    written (`cursor.fetchall`)."""
    place: Place
    awaited: bool = False
    target_is_async: bool = False
    """Whether it calls an `async def` of the project."""
    use: Use = Use.PASSED
    read_arguments: Callable[[], tuple[Argument, ...]] = field(default=tuple, compare=False, repr=False)

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments, in order; read when first asked for."""
        return self.read_arguments()

    @property
    def used(self) -> bool:
        """Whether anything is done with the result."""
        return self.use is not Use.DISCARDED


@dataclass(frozen=True)
class Returned:
    """One value of a `return` or `yield`: each branch of `a if c else b` counts on its own."""

    place: Place
    """The value; the statement of a bare `return`."""
    text: str
    """Empty for a bare `return`."""
    keys: tuple[str, ...] | None = None
    """The keys of a dict display, also when it is returned through a local name; None when some of
    them cannot be told."""
    kind: str = "other"
    """`dict`, `list`, `tuple`, `set`, `str`, `bytes`, `number`, `bool`, `none`, `generator`, `lambda`,
    `exception` (a caught one), `call`, `name` or `other`; a local name that is bound once counts as
    what it is bound to."""
    callee: str | None = None
    """For a returned call: its full name, as in `BodyCall`."""
    values: tuple[Returned, ...] = ()
    """The values of a dict display and the elements of a list."""
    literal: object = field(default=None, hash=False)


@dataclass(frozen=True)
class Raised:
    """A `raise` that leaves the function."""

    place: Place
    text: str
    exception: str | None = None
    """The full name of the class (`builtins.ValueError`); None when it cannot be told."""


@dataclass(frozen=True)
class Body:
    """What a function does, as far as its text tells; nested functions are not part of it."""

    calls: tuple[BodyCall, ...] = ()
    returns: tuple[Returned, ...] = ()
    raises: tuple[Raised, ...] = ()
    names: frozenset[str] = frozenset()
    """All names that are read, by nested functions, too."""
    attributes: frozenset[str] = frozenset()
    """The attributes of names that are read or set, as written: `context.state`."""
    checked: frozenset[str] = frozenset()
    """Parameters that are compared with something or given to a check before they are used."""
    end: Place | None = None
    """The last statement, when control can run past it; None when each way ends in `return` or `raise`."""


@dataclass(frozen=True)
class Tool:
    """A function (or callable) that the model can call, as written."""

    name: str
    """The name of the function or class, as Python knows it."""
    qualname: str
    place: Place
    """The name at its `def` (or the expression, for a lambda)."""
    whole: Place
    parameters: tuple[Parameter, ...]
    docstring: DocstringText | None
    returns: Expression | None
    layout: Layout | None
    result: TypeTree | None = None
    """What the return annotation means; None without one."""
    opening: Opening | None = None
    """What stands in the docstring's place; None when it is a docstring, or nothing."""
    is_object: bool = False
    """Whether it is an object of a class with `__call__`; parameters and layout are the method's."""
    is_async: bool = False
    is_generator: bool = False
    annotations_are_texts: bool = False
    """Whether `from __future__ import annotations` keeps them unevaluated."""
    decorators: tuple[Expression, ...] = ()
    hidden_by: Expression | None = None
    """The decorator that puts another function in its place without `functools.wraps`, with its `@`."""
    bound: tuple[Argument, ...] = ()
    """What `functools.partial` gives the function beforehand."""
    wrapper: str | None = None
    """The full name of the tool class it is wrapped in, None for a bare function."""
    registrations: tuple[Registration, ...] = ()
    shadows: tuple[Place, ...] = ()
    """The names of earlier definitions that this one replaces before anything reads them."""
    read_body: Callable[[], Body] = field(default=Body, compare=False, repr=False)
    """Reads the body, once."""

    @cached_property
    def body(self) -> Body:
        """What the function does; read when first asked for."""
        return self.read_body()

    @property
    def path(self) -> Path | None:
        """The file that defines it."""
        return self.place.path


@dataclass(frozen=True)
class Effects:
    """What a callback does to the response it is given."""

    lost: tuple[Place, ...] = ()
    """Changes of a copy that nothing reads, in a callback that returns nothing."""
    shortened: tuple[Place, ...] = ()
    """Where the response is cut off or sampled and the rest is handed on."""
    marked: bool = False
    """Whether a text in the function may tell the model of the cut."""


@dataclass(frozen=True)
class Callback:
    """A function given to an agent or plugin as a callback."""

    kind: str
    """The keyword: `after_tool_callback`."""
    place: Place
    """Where it is given."""
    function: Tool | None
    """The function's text; None when it cannot be reached."""
    effects: Effects = Effects()


@dataclass(frozen=True)
class Plugin:
    """A class that derives from google-adk's `BasePlugin`; its methods are called back."""

    name: str
    place: Place
    """The name at its `class`."""
    callbacks: tuple[Callback, ...]


@dataclass(frozen=True)
class AgentKeyword:
    """One keyword argument of an agent's call, as written."""

    name: str
    """`**` for a `**kwargs` whose keys are not known."""
    place: Place
    """Name and value."""
    value: Expression
    literal: object = field(default=None, hash=False)
    """Its value when it is a constant."""
    shape: str = "unknown"
    """What the value is: `list`, `tuple`, `set`, `dict`, `function`, `class`, `NoneType`, `str`, `tool`,
    `agent`, `instance` or another `call`."""


@dataclass(frozen=True)
class Entry:
    """One element of an agent's tools, in order."""

    kind: EntryKind
    name: str
    place: Place
    tool: Tool | None = None
    reason: str = ""
    conditional: bool = False
    shape: str = "unknown"
    """What the element is, as in `AgentKeyword`."""
    called: Tool | None = None
    """The function of the project that the element calls: `tools=[weather()]`."""
    bases: tuple[str, ...] = ()
    """For an object or class of the project: the full names of its bases outside, `?` for an unknown one."""
    methods: frozenset[str] = frozenset()
    """For an object or class of the project: the methods that the project's classes define."""
    arguments: tuple[AgentKeyword, ...] = ()
    """The keyword arguments it is made with: `FunctionTool(f, require_confirmation=True)`."""
    confirmation: Callback | None = None
    """The function given as `require_confirmation`."""
    agent: Agent | None = None
    """The agent in `AgentTool(agent)`, without its tools and sub-agents."""

    def argument(self, name: str) -> AgentKeyword | None:
        """A keyword argument it is made with."""
        return next((a for a in self.arguments if a.name == name), None)


@dataclass(frozen=True)
class Agent:
    """An agent as far as its text tells."""

    name: str | None
    kind: str
    """The full name of its class."""
    place: Place
    """The name of the class in the call."""
    whole: Place
    variable: str | None
    model: Expression | None
    instruction: str | None
    """The text, when it is a literal or a constant."""
    entries: tuple[Entry, ...]
    gaps: tuple[tuple[Place | None, str], ...] = ()
    """Parts of the tools that cannot be told, with the reason."""
    keywords: tuple[AgentKeyword, ...] = ()
    callbacks: tuple[Callback, ...] = ()
    sub_agents: tuple[Agent, ...] = ()
    """Without their own tools and sub-agents."""
    sub_agent_places: tuple[Place, ...] = ()
    """Where each of them is listed."""
    read_texts: Callable[[], frozenset[str]] = field(default=frozenset, compare=False, repr=False)
    """Gives `texts`."""
    own_class: bool = False
    """Whether it is made by a class of the project that derives from `kind`."""
    instruction_place: Place | None = None
    """The literal of the instruction."""
    model_name: str | None = None
    """The model's name (`gemini-2.5-flash`, `openai/gpt-4o`), when it is known."""
    provider: str | None = None
    """`gemini`, `openai`, `anthropic` or another provider's name as LiteLLM has it, when it is known."""

    @cached_property
    def texts(self) -> frozenset[str]:
        """All short texts and keywords in the file that creates it, as keys of the state may be."""
        return self.read_texts()

    def keyword(self, name: str) -> AgentKeyword | None:
        """What is given under a name; the last one where it is set again later."""
        return next((k for k in reversed(self.keywords) if k.name == name), None)

    @property
    def is_complete(self) -> bool:
        """Whether all that the call is given is known, so that what is not there is absent."""
        return all(k.name != "**" for k in self.keywords)
