"""What a function's body does, as plain facts."""

from __future__ import annotations

from adk_tool_lens.discovery.evaluate import World
from adk_tool_lens.discovery.model import Body
from adk_tool_lens.discovery.values import Function


def body_of(function: Function, world: World) -> Body:
    """The facts of a function's body."""
    del function, world
    return Body()
