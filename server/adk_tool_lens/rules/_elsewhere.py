"""What rules find under other google-adk versions that the project's requirement allows.

A rule whose answer depends on the version names the versions in which it answers otherwise, `DIFFERS`. Its
own check is asked again as if one of them were installed; a rule that reads the declaration, which there is
for the installed version alone, has a function `elsewhere` that tells it from the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from adk_tool_lens.rules._versions import Versions
from adk_tool_lens.rules.model import AgentView, CallbacksView, Finding, Severity, ToolView

V = TypeVar("V", ToolView, AgentView, CallbacksView)


def found_elsewhere(
    view: V, check: Callable[[V], Iterator[Finding]], differs: tuple[Versions, ...], known: list[Finding]
) -> Iterator[Finding]:
    """The first finding that other allowed versions give beyond those of the installed one, as a hint.

    Args:
        view: What the rule was given.
        check: What to ask about other versions.
        differs: The versions in which the rule answers otherwise.
        known: What it found for the installed version.
    """
    facts = view.facts
    places = {finding.place for finding in known}
    for versions in differs:
        other = _allowed(versions, facts.requirement)
        if other is None or facts.adk is None or versions.has(facts.adk):
            continue
        for finding in check(replace(view, facts=replace(facts, adk=other))):
            if finding.place not in places:
                yield _hint(finding, versions, facts.requirement or "")
                return


@lru_cache(maxsize=256)
def _allowed(versions: Versions, requirement: str | None) -> str | None:
    """One of the versions that a requirement allows, told once: rules ask for each tool of a project."""
    return versions.allowed(requirement)


def _hint(finding: Finding, versions: Versions, requirement: str) -> Finding:
    message = f"With google-adk {versions}, which the requirement `{requirement}` allows: {finding.message}"
    return replace(finding, severity=Severity.HINT, message=message)
