"""What rules about safety share: calls that are given what the model chose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from adk_tool_lens.discovery.model import Argument, BodyCall, Tool
from adk_tool_lens.rules.model import ToolView


@dataclass(frozen=True)
class Flow:
    """An argument of a call that the model's arguments are part of."""

    call: BodyCall
    argument: Argument
    parameters: tuple[str, ...]
    """Those that nothing checks, in alphabetical order."""

    @property
    def listed(self) -> str:
        """The parameters in a message."""
        return " and ".join(f"`{name}`" for name in self.parameters)

    @property
    def verb(self) -> str:
        """What goes with `listed`."""
        return "is" if len(self.parameters) == 1 else "are"

    @property
    def is_whole(self) -> bool:
        """Whether the argument is the parameter itself, not a text around it."""
        return not isinstance(self.argument.literal, str)


def flows(view: ToolView, position: int | None = 0, keywords: tuple[str, ...] = ()) -> Iterator[Flow]:
    """Calls in the tool's body whose argument at a position, or under a keyword, is chosen by the model.

    Args:
        view: The tool.
        position: Which positional argument; None for each of them.
        keywords: Names under which the argument may be given, too.
    """
    chosen = from_model(view.tool)
    for call in view.tool.body.calls:
        for index, argument in enumerate(call.arguments):
            place = argument.keyword is None and position in {None, index}
            if not place and argument.keyword not in keywords:
                continue
            carried = argument.parameters & chosen - view.tool.body.checked
            if carried:
                yield Flow(call, argument, tuple(sorted(carried)))


def from_model(tool: Tool) -> frozenset[str]:
    """The parameters that may hold any text the model writes."""
    names = set()
    for parameter in tool.parameters:
        text = parameter.annotation.text if parameter.annotation else ""
        free = not text or "str" in text or "Any" in text or text.startswith(("list", "dict", "List", "Dict"))
        if not parameter.receiver and free and "Literal" not in text and parameter.name != "tool_context":
            names.add(parameter.name)
    return frozenset(names)


def last(callee: str) -> str:
    """The name of what is called, without where it comes from."""
    return callee.rpartition(".")[2]
