"""`show` for a person: tables of agents and their tools, then each declaration as the model gets it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from adk_tool_lens.cli.paint import console
from adk_tool_lens.cli.rows import place_of
from adk_tool_lens.cli.run import Target
from adk_tool_lens.cli.toolrows import Rows, asked_agents, shown_path, where
from adk_tool_lens.discovery.model import Agent, Entry, EntryKind
from adk_tool_lens.discovery.module import Place
from adk_tool_lens.ide.agents import shortened
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.tokens import estimate
from adk_tool_lens.rules.model import Facts
from adk_tool_lens.source.cells import placed

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 110
"""Columns of the output where it is no terminal, so that it is the same on every machine."""
Row = dict[str, Any]


def page(analyses: list[tuple[Target, Analysis]], rows: Rows, facts: Facts, *, colour: bool) -> str:
    """Everything about some files, or about the agents in them that were asked for."""
    out = console(colour, width=None if colour else WIDTH)
    out.print(Text(f"google-adk {facts.adk or '(none)'}, {facts.backend.value}", "dim"))
    by_place = {where(row): row for row in rows}
    finder = _finder(analyses, by_place)
    told: list[Row] = []
    for target, analysis in analyses:
        for agent in analysis.agents:
            asked = not target.qualnames or agent in asked_agents(target, analysis)
            if asked:
                told += _agent(out, agent, finder, in_full=bool(target.qualnames))
    _rest(out, rows, told)
    if not rows and not any(analysis.agents for _, analysis in analyses):
        out.print("No tools or agents found.")
    text = out.export_text(styles=colour)
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


Finder = Callable[[Entry], "Row | None"]


def _finder(analyses: list[tuple[Target, Analysis]], by_place: dict[str, Row]) -> Finder:
    """Finds the row of an entry of an agent's tools by the place of its definition."""
    paths = {analysis.module.path: (str(target.path), analysis) for target, analysis in analyses}

    def find(entry: Entry) -> Row | None:
        place = entry.tool.place if entry.tool is not None else None
        known = paths.get(place.path) if place is not None else None
        if place is None or known is None or place.block not in known[1].module.starts:
            return None
        cell, line, _ = placed(known[1].module.source, known[1].module.absolute(place).start)
        return by_place.get(place_of(known[0], cell, line))

    return find


def _agent(out: Console, agent: Agent, find: Finder, *, in_full: bool) -> list[Row]:
    """Effect: prints an agent; gives the rows of its tools that were printed in full."""
    found = [(entry, find(entry)) for entry in agent.entries]
    _heading(out, agent, [row for _, row in found if row is not None])
    if in_full:
        _instruction(out, agent)
    if agent.entries:
        out.print(_table(found))
    for reason in _unknown(agent):
        out.print(Text(f"  ? {reason}", "yellow"))
    if agent.sub_agents:
        names = ", ".join(each.name or each.variable or "?" for each in agent.sub_agents)
        out.print(Text(f"  sub-agents: {names}; the model gets `transfer_to_agent` for them"))
    rows = list({id(row): row for _, row in found if row is not None}.values())
    for row in rows if in_full else ():
        _declaration(out, row)
    return rows if in_full else []


def _heading(out: Console, agent: Agent, rows: Rows) -> None:
    name = agent.name or agent.variable or "an agent without a known name"
    facts = [agent.kind.rpartition(".")[2]]
    facts += [agent.model_name] if agent.model_name else []
    facts.append(f"{len(agent.entries)} {'tool' if len(agent.entries) == 1 else 'tools'}")
    total = sum(row["tokens"] for row in rows)
    if agent.instruction:
        total += estimate({"instruction": agent.instruction})
    facts.append(f"about {total} tokens in every request, as far as known")
    out.print()
    out.print(Text.assemble((name, "bold"), (f"  {' · '.join(facts)}", "dim")), soft_wrap=True)
    place = _where(agent.whole)
    if place:
        out.print(Text(f"  {place}", "dim"), soft_wrap=True)


def _where(place: Place) -> str:
    return "" if place.path is None else str(shown_path(place.path))


def _instruction(out: Console, agent: Agent) -> None:
    given = agent.keyword("instruction")
    if agent.instruction is not None:
        tokens = estimate({"instruction": agent.instruction})
        out.print(Text(f"Instruction, about {tokens} tokens:", "bold"))
        out.print(Text(agent.instruction.rstrip()), soft_wrap=True)
    elif given is not None:
        out.print(
            Text(f"Instruction: made at run time by `{shortened(given.value.text)}`, not known", "yellow")
        )
    else:
        out.print(Text("Instruction: none", "yellow"))
    out.print()


def _table(found: list[tuple[Entry, Row | None]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("#", justify="right", style="dim")
    table.add_column("tool", style="cyan", overflow="fold")
    table.add_column("tokens", justify="right")
    table.add_column("parameters", overflow="fold")
    table.add_column("", overflow="fold")
    for number, (entry, row) in enumerate(found, 1):
        name = row["name"] if row is not None else shortened(entry.name)
        tokens = str(row["tokens"]) if row is not None and row["declaration"] is not None else ""
        parameters = ", ".join(_parameters(row)) if row is not None else ""
        table.add_row(str(number), name, tokens, parameters, "; ".join(_notes(entry, row)))
    return table


def _parameters(row: Row) -> Iterator[str]:
    """The parameters that the model is told of; those it may leave out have a question mark."""
    declaration = row["declaration"] or {}
    schema = declaration.get("parameters_json_schema") or declaration.get("parameters") or {}
    required = schema.get("required") or ()
    for name in schema.get("properties") or ():
        yield name if name in required else f"{name}?"


def _notes(entry: Entry, row: Row | None) -> Iterator[str]:
    if entry.kind is EntryKind.UNKNOWN:
        yield f"not known: {entry.reason}"
    elif entry.kind is not EntryKind.FUNCTION:
        yield entry.kind.value
    if entry.conditional:
        yield "under a condition"
    if row is not None and row["error"]:
        yield f"google-adk raises {row['error']['type']}"
    if row is not None and row["approximate"]:
        yield "approximate"


def _unknown(agent: Agent) -> Iterator[str]:
    for entry in agent.entries:
        if entry.kind is EntryKind.UNKNOWN:
            yield f"`{shortened(entry.name)}` is not known: {entry.reason}"
    for _, reason in agent.gaps:
        yield f"some tools are not known: {reason}"


def _rest(out: Console, rows: Rows, told: list[Row]) -> None:
    """Effect: prints the declarations that no agent's page has."""
    shown = {id(row) for row in told}
    left = [row for row in rows if id(row) not in shown]
    loose = [row for row in left if not row["agents"]]
    if loose:
        out.print()
        out.print(Text("Tools of no known agent", "bold"))
        for row in loose:
            out.print(Text(f"  {row['name']}  {row['tokens']} tokens  {where(row)}"))
    for row in left:
        _declaration(out, row)


def _declaration(out: Console, row: Row) -> None:
    out.print()
    place = f"  {where(row)} · about {row['tokens']} tokens"
    out.print(Text.assemble((row["name"], "bold cyan"), (place, "dim")), soft_wrap=True)
    if row["agents"]:
        out.print(Text(f"  used by {', '.join(row['agents'])}", "dim"), soft_wrap=True)
    if row["error"]:
        text = f"  google-adk raises {row['error']['type']}: {row['error']['message']}"
        out.print(Text(text, "red"), soft_wrap=True)
    for reason in row["approximate"]:
        out.print(Text(f"  approximate because {reason}", "yellow"), soft_wrap=True)
    if row["declaration"] is not None:
        text = json.dumps(row["declaration"], ensure_ascii=False, indent=2)
        out.print(_coloured_json(text), soft_wrap=True)


def _coloured_json(text: str) -> Text:
    from rich.highlighter import JSONHighlighter

    coloured = Text(text)
    JSONHighlighter().highlight(coloured)
    return coloured
