"""Everything that is known of one version of one document."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from adk_tool_lens.declaration.frames import Approximation
from adk_tool_lens.declaration.model import Answer, Backend, Declared, Refused, Request, Unavailable
from adk_tool_lens.declaration.stub import NotBuilt, build
from adk_tool_lens.discovery.evaluate import World, kept
from adk_tool_lens.discovery.find import Discovery, Found, completed, listed, together
from adk_tool_lens.discovery.memo import identity
from adk_tool_lens.discovery.model import Agent, Plugin, Tool
from adk_tool_lens.discovery.module import Module, Place
from adk_tool_lens.discovery.world import begin
from adk_tool_lens.ide import suppression
from adk_tool_lens.ide.links import registered
from adk_tool_lens.rules._elsewhere import found_elsewhere
from adk_tool_lens.rules.catalogue import Rule, catalogue
from adk_tool_lens.rules.model import AgentView, CallbacksView, Facts, FileView, Finding, ToolView
from adk_tool_lens.source.text import Span

log = logging.getLogger(__name__)
V = TypeVar("V")
W = TypeVar("W", ToolView, AgentView, CallbacksView)
_NEVER_RUN = "a part of the tool must not run for a preview, so what the model is told is not known"
_SPEAKS_OF_TOOLS = re.compile(r"\bdef\b|[Aa]gent|[Tt]ool")
_HEAD = re.compile(r"\S+(?:[ \t]+\w+)?")
Ask = Callable[[Request], "Answer | None"]
Check = Callable[[V], Iterator[Finding]]


@dataclass(frozen=True, eq=False)
class ToolReport:
    """One tool with the request for its declaration and, once it is there, the answer."""

    found: Found
    request: Request | None
    approximations: tuple[Approximation, ...]
    answer: Answer | NotBuilt | None
    """None while the worker has not answered."""
    stale: bool = False
    """Whether the answer is the one to an earlier version of the text."""

    @property
    def tool(self) -> Tool:
        """The tool's text."""
        return self.found.tool


@dataclass(frozen=True, eq=False)
class Analysis:
    """One version of a document: agents, tools, findings."""

    module: Module
    discovery: Discovery
    reports: tuple[ToolReport, ...]
    facts: Facts
    findings: tuple[Finding, ...] = field(default=())
    world: World | None = field(default=None, repr=False)
    """How other modules are found, for repairs."""
    foreign: tuple[ToolReport, ...] = ()
    """Tools that the document registers and another file defines; their findings belong there."""
    elsewhere: tuple[Discovery, ...] = ()
    """What other files of the project register; among it are tools of this document."""

    @cached_property
    def pending(self) -> tuple[Request, ...]:
        """Requests that the worker has not answered yet."""
        return tuple(
            r.request
            for r in (*self.reports, *self.foreign)
            if (r.answer is None or r.stale) and r.request is not None
        )

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The agents that the document creates."""
        return self.discovery.agents

    @cached_property
    def holders(self) -> tuple[Agent, ...]:
        """The agents that may hold the document's tools: its own, and those of other files."""
        return tuple(
            _alone(agent, self.world) for found in (self.discovery, *self.elsewhere) for agent in found.agents
        )

    def view(self, report: ToolReport) -> ToolView:
        """What rules and repairs are given of a tool."""
        return view_of(report, self.facts, self.holders)

    def check(self, report: ToolReport) -> list[Finding]:
        """The findings of all rules about one tool."""
        return suppression.kept(run_rules(self.view(report)), self.module, self.facts)[0]


def view_of(report: ToolReport, facts: Facts, agents: tuple[Agent, ...]) -> ToolView:
    """What rules and repairs are given of a tool; `agents` are those that may hold it."""
    answer = report.answer if isinstance(report.answer, Declared | Refused) else None
    holders = {registration.agent_place for registration in report.tool.registrations}
    held_by = tuple(agent for agent in agents if agent.whole in holders)
    return ToolView(report.tool, answer, facts, report.approximations, held_by, facts.settings)


def _alone(agent: Agent, world: World | None) -> Agent:
    """An agent without its tools and sub-agents, so that a tool's view does not depend on the others'."""
    alone = replace(agent, entries=(), sub_agents=())
    if world is None or world.memo is None:
        return alone
    known: Agent | None = world.memo.latest.get(("agent", agent.whole.block, agent.whole.span))
    if known is not None and known == alone:
        return known
    world.memo.latest["agent", agent.whole.block, agent.whole.span] = alone
    return alone


def unanswered(analysis: Analysis) -> Iterator[str]:
    """For each tool of the document that google-adk gave no answer about, the reason."""
    for report in analysis.reports:
        if isinstance(report.answer, Unavailable):
            yield report.answer.reason


def analyse(
    module: Module, world: World, ask: Ask, facts: Facts, elsewhere: tuple[Discovery, ...] = ()
) -> Analysis:
    """Finds agents and tools, asks for their declarations and runs the rules.

    Args:
        module: The document's text.
        world: How other modules are found.
        ask: Gives an answer that is already known (language server) or waits for one (command line).
        facts: The environment that declarations are judged by.
        elsewhere: What other files register; tools of this document among it are reported here.
    """
    found = registered(module, world)
    added = [addition for other in elsewhere for addition in other.additions]
    found = replace(found, agents=completed(found.agents, added)) if added else found
    reports = tuple(_report(f, world, ask, facts.backend) for f in together(module, (found, *elsewhere)))
    foreign = tuple(_report(f, world, ask, facts.backend) for f in listed(module, (found, *elsewhere)))
    draft = Analysis(module, found, reports, facts, world=world, foreign=foreign, elsewhere=elsewhere)
    checked = [_checked(report, facts, draft.holders, world) for report in reports]
    views = [view for view, _ in checked]
    findings = [finding for _, about in checked for finding in about]
    known = [*views, *(draft.view(report) for report in foreign)]
    for agent in found.agents:
        findings += _checked_agent(agent_view(agent, known, facts), world)
    findings += _about_callbacks([*found.agents, *found.plugins], facts)
    return replace(draft, findings=tuple(_finished(dict.fromkeys(findings), draft)))


def _finished(findings: Iterable[Finding], draft: Analysis) -> Iterator[Finding]:
    """The findings that settings and comments leave, and what there is to say about the comments."""
    left, used = suppression.kept(findings, draft.module, draft.facts)
    yield from left
    if not draft.pending and next(unanswered(draft), None) is None:
        comments = tuple(suppression.suppressions(draft.module, used))
        unread = tuple(_unread(draft.module))
        about = run_file_rules(FileView(comments, draft.facts, unread)) if comments or unread else ()
        yield from suppression.kept(about, draft.module, draft.facts, comments=False)[0]


def _unread(module: Module) -> Iterator[tuple[Place, str, str]]:
    """The blocks that are not read although they are complete and may have to do with tools."""
    for block in module.blocks:
        if block.unread is not None and _SPEAKS_OF_TOOLS.search(block.text):
            head = _HEAD.match(block.text)
            if head is not None:
                yield Place(module.path, block, Span(*head.span())), head.group(), block.unread


def _checked(
    report: ToolReport, facts: Facts, agents: tuple[Agent, ...], world: World
) -> tuple[ToolView, tuple[Finding, ...]]:
    """A tool's view and findings: the ones of before while nothing about the tool has changed."""
    view = view_of(report, facts, agents)
    if world.memo is None:
        return view, tuple(run_rules(view))
    key = ("findings", identity(report.found.value), report.tool.registrations[:1])
    known: tuple[ToolView, tuple[Finding, ...]] | None = world.memo.latest.get(key)
    if known is not None and known[0] == view and known[0].tool.body is view.tool.body:
        return known
    fresh = world.memo.latest[key] = (view, tuple(run_rules(view)))
    return fresh


def _checked_agent(view: AgentView, world: World) -> tuple[Finding, ...]:
    """An agent's findings: the ones of before while neither it nor its tools have changed."""
    if world.memo is None:
        return tuple(run_agent_rules(view))
    key = ("agent findings", view.agent.whole.block, view.agent.whole.span)
    known: tuple[AgentView, tuple[Finding, ...]] | None = world.memo.latest.get(key)
    if known is not None and known[0] == view and _read_alike(known[0], view):
        return known[1]
    findings = tuple(run_agent_rules(view))
    world.memo.latest[key] = (view, findings)
    return findings


def _read_alike(before: AgentView, now: AgentView) -> bool:
    """Whether what rules read lazily of an agent, and equality leaves out, is still the same."""
    if "texts" in vars(before.agent) and before.agent.texts != now.agent.texts:
        return False
    pairs = zip(_tools_of(before), _tools_of(now), strict=True)
    return all("body" not in vars(old) or old.body is new.body for old, new in pairs)


def _tools_of(view: AgentView) -> list[Tool]:
    own = [entry.tool for entry, _ in view.tools if entry.tool is not None]
    return own + [tool_view.tool for _, tool_view in view.tools if tool_view is not None]


def agent_view(agent: Agent, views: list[ToolView], facts: Facts) -> AgentView:
    """What rules about agents are given."""
    by_place = {
        (registration.place, view.tool.whole, view.tool.wrapper): view
        for view in views
        for registration in view.tool.registrations
        if registration.agent_place == agent.whole
    }
    tools = tuple(
        (entry, by_place.get((entry.place, entry.tool.whole, entry.tool.wrapper)) if entry.tool else None)
        for entry in agent.entries
    )
    return AgentView(agent, tools, facts, facts.settings)


def _report(found: Found, world: World, ask: Ask, backend: Backend) -> ToolReport:
    begin(world)
    built = kept(world, ("stub", identity(found.value)), lambda: build(found, world))
    if isinstance(built, NotBuilt):
        return ToolReport(found, None, (), built)
    request = Request(built.stub, backend)
    answer = ask(request)
    if isinstance(answer, Refused) and answer.type == "StubRejectedError":
        # Said by the worker's own wall (`worker.verify`): nothing that google-adk says of the tool.
        return ToolReport(found, None, (), NotBuilt(f"{_NEVER_RUN} ({answer.message})"))
    return ToolReport(found, request, built.approximations, answer)


def run_rules(view: ToolView) -> Iterator[Finding]:
    """The findings of all rules about one tool; a rule that fails is logged and left out.

    An agent that is used as a tool has no signature and no docstring: rules about agents speak of it.
    """
    if (view.tool.wrapper or "").endswith(".AgentTool"):
        return
    for rule in catalogue().values():
        yield from _found(rule, rule.check_tool, view, elsewhere=rule.elsewhere)


def run_agent_rules(view: AgentView) -> Iterator[Finding]:
    """The findings of all rules about one agent; a rule that fails is logged and left out."""
    for rule in catalogue().values():
        yield from _found(rule, rule.check_agent, view)


def _about_callbacks(holders: list[Agent | Plugin], facts: Facts) -> Iterator[Finding]:
    for holder in holders:
        if holder.callbacks:
            yield from run_callback_rules(CallbacksView(holder, facts))


def run_callback_rules(view: CallbacksView) -> Iterator[Finding]:
    """The findings of all rules about callbacks; a rule that fails is logged and left out."""
    for rule in catalogue().values():
        yield from _found(rule, rule.check_callbacks, view)


def run_file_rules(view: FileView) -> Iterator[Finding]:
    """The findings of all rules about a file as a whole; a rule that fails is logged and left out."""
    for rule in catalogue().values():
        if rule.check_file is not None and _runs(rule, view.facts):
            yield from _guarded(rule.name, rule.check_file, view)


def _found(
    rule: Rule, check: Check[W] | None, view: W, elsewhere: Check[W] | None = None
) -> Iterator[Finding]:
    """What a rule finds, then what it finds only under another google-adk that the requirement allows."""
    if check is None or not _runs(rule, view.facts):
        return
    found = _guarded(rule.name, check, view)
    yield from found
    if rule.differs and view.facts.requirement is not None:
        other = elsewhere or check
        yield from _guarded(rule.name, lambda each: found_elsewhere(each, other, rule.differs, found), view)


def _runs(rule: Rule, facts: Facts) -> bool:
    return facts.selection.runs(rule.name, by_default=rule.on_by_default)


def _guarded(name: str, check: Check[V], view: V) -> list[Finding]:
    try:
        return list(check(view))
    except Exception:
        if RAISE_BUGS:
            raise
        log.exception("rule %s failed", name)
        return []


RAISE_BUGS = False
"""Set by tests: a rule that raises fails the test instead of being left out."""
