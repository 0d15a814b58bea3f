"""What rules about registration share: sure entries and the names that the model is told."""

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.model import Agent, Entry, EntryKind
from adk_tool_lens.rules.model import AgentView, ToolView

FUNCTION_BUILT_INS = frozenset(
    {"load_memory", "load_artifacts", "exit_loop", "get_user_choice", "transfer_to_agent", "load_web_page"}
)
"""google-adk's own tools that are declared as functions, not run by the model's side."""


def sure(view: AgentView) -> Iterator[tuple[Entry, ToolView | None]]:
    """The entries that are there whatever a condition says, with their views."""
    return ((entry, tool) for entry, tool in view.tools if not entry.conditional)


def declared_name(entry: Entry, tool: ToolView | None) -> str | None:
    """The name under which the model is told of an entry; None when it cannot be told."""
    match entry.kind:
        case EntryKind.FUNCTION:
            return _function_name(entry, tool)
        case EntryKind.AGENT:
            return entry.agent.name if entry.agent is not None else None
        case EntryKind.BUILT_IN if entry.name in FUNCTION_BUILT_INS:
            return entry.name
    return None


def _function_name(entry: Entry, tool: ToolView | None) -> str | None:
    """By the declaration, unless a decorator gives the name (decorator-hides-signature speaks there).

    Without a declaration only for a plain `def`, whose name nothing can have changed.
    """
    if tool is not None and tool.declaration is not None:
        name = str(tool.declaration.get("name") or "")
        by_decorator = tool.tool.decorators and name != tool.tool.name
        return None if tool.approximations or by_decorator else name or None
    if entry.tool is None or entry.tool.decorators or "." in entry.tool.qualname:
        return None
    return entry.tool.name


def title(agent: Agent) -> str:
    """An agent in a message: its name, else its class."""
    return f"agent `{agent.name}`" if agent.name else "the agent"


def sentence(agent: Agent) -> str:
    """An agent at the beginning of a message."""
    return f"Agent `{agent.name}`" if agent.name else "The agent"
