"""Where the tool or sub-agent that an element of a list names is defined."""

from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.discovery.module import Place
from adk_tool_lens.discovery.resolve import Question
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.workspace import Workspace


def definition(analysis: Analysis, offset: int) -> Place | None:
    """The name at its `def` for what stands at an offset in `tools=[...]` or `sub_agents=[...]`."""
    starts = analysis.module.starts
    for place, target in _links(analysis):
        if place.block in starts and analysis.module.absolute(place).contains(offset):
            return target
    return None


def unfollowed(analysis: Analysis, offset: int, workspace: Workspace) -> Question | None:
    """What to ask jedi at an offset: about an element that the project does not define."""
    module = analysis.module
    if module.path is None or not any(
        place.block in module.starts and module.absolute(place).contains(offset)
        for agent in analysis.agents
        for place in (*(entry.place for entry in agent.entries), *agent.sub_agent_places)
    ):
        return None
    line, column = module.source.line_column(offset)
    return Question(module.text, module.path, line, column, workspace.search_path(module))


def _links(analysis: Analysis) -> Iterator[tuple[Place, Place]]:
    for report in (*analysis.reports, *analysis.foreign):
        for registration in report.tool.registrations:
            yield registration.place, report.tool.place
    for agent in analysis.agents:
        for place, member in zip(agent.sub_agent_places, agent.sub_agents, strict=True):
            yield place, member.place
