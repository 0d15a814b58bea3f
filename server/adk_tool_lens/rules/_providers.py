"""Whose model is sent a tool, as far as the agents that hold it tell."""

from __future__ import annotations

from adk_tool_lens.rules.model import ToolView

GEMINI = frozenset({"gemini", "vertex_ai"})


def providers(view: ToolView) -> frozenset[str]:
    """The providers of the agents' models; Gemini where no agent says otherwise, as google-adk has it."""
    known = {agent.provider for agent in view.agents if agent.provider}
    unknown = any(agent.provider is None and agent.model is not None for agent in view.agents)
    if unknown and any("LiteLlm" in agent.model.text for agent in view.agents if agent.model is not None):
        return frozenset(known)
    return frozenset(known) or frozenset({"gemini"})


def for_gemini(view: ToolView) -> bool:
    """Whether a Gemini model is sent the tool."""
    return bool(providers(view) & GEMINI)
