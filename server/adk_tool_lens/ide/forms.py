"""In whose form a declaration is shown first: that of the model that gets it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from adk_tool_lens.declaration.model import Answer, Declared, Provider, Refused, Request, Stage
from adk_tool_lens.discovery.model import Agent
from adk_tool_lens.ide.analysis import Analysis, ToolReport

PROVIDERS = {
    Provider.ADK: "google-adk's declaration",
    Provider.GEMINI: "as the Gemini API receives it",
    Provider.OPENAI: "as OpenAI receives it",
    Provider.ANTHROPIC: "as Anthropic receives it",
}
_OF_MODEL = {"openai": Provider.OPENAI, "azure": Provider.OPENAI, "anthropic": Provider.ANTHROPIC}
Peek = Callable[[Request], "Answer | None"]
"""Gives an answer that is known already, and has others come in time."""


def own_provider(analysis: Analysis, subject: ToolReport | Agent) -> Provider:
    """Whose form is shown where none is asked for.

    It is google-adk's own unless every agent that gets the tool, as far as its `model=` is known, is OpenAI's
    or Anthropic's.
    """
    agents = [subject] if isinstance(subject, Agent) else _agents_of(analysis, subject)
    known = {_OF_MODEL.get(agent.provider or "", Provider.ADK) for agent in agents}
    return known.pop() if len(known) == 1 else Provider.ADK


def _agents_of(analysis: Analysis, report: ToolReport) -> list[Agent]:
    places = {registration.agent_place for registration in report.tool.registrations}
    return [agent for agent in analysis.holders if agent.whole in places]


def missing_converter(answer: Answer | None) -> str | None:
    """Why a declaration cannot be put into a provider's form."""
    match answer:
        case Refused(stage=Stage.CONVERT, message=message):
            return message
    return None


def own_form(
    analysis: Analysis, report: ToolReport, peek: Peek
) -> tuple[Provider, Mapping[str, object] | None, str | None]:
    """A tool in the form of its model's provider, as far as it is known, or why it cannot be shown in it."""
    provider = own_provider(analysis, report)
    if provider is Provider.ADK or report.request is None:
        return Provider.ADK, None, None
    answer = peek(replace(report.request, provider=provider))
    form = answer.provider_form if isinstance(answer, Declared) else None
    return provider, form, missing_converter(answer)
