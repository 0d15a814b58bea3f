"""Rewrites docstrings in their own style: each function returns the smallest edits of the source.

An edit that would not say what it should, or would change what else is said, is not made: the
answer is None. No edits, `()`, means that the docstring already is as wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adk_tool_lens.docstrings.carry import (
    Check,
    Edits,
    FunctionText,
    Job,
    Plan,
    created,
    edited,
    keeps,
    new_layout,
)
from adk_tool_lens.docstrings.compose import entries_plan, holds, new_section
from adk_tool_lens.docstrings.model import Docstring, Style
from adk_tool_lens.docstrings.rearrange import (
    removal_plan,
    renamed,
    renaming_plan,
    reordered,
    typing_plan,
)
from adk_tool_lens.docstrings.results import new_results, results_plan
from adk_tool_lens.docstrings.wrap import normal

__all__ = [
    "FunctionText",
    "remove_entry",
    "rename_entry",
    "reorder_entries",
    "set_entries",
    "set_entry",
    "set_entry_type",
    "set_returns",
    "write_docstring",
]

WIDTH = 88


def set_entry(  # noqa: PLR0913 - all but the first three are named, most have defaults
    fn: FunctionText,
    name: str,
    description: str,
    *,
    order: Sequence[str],
    style: Style = Style.GOOGLE,
    summary: str = "",
    width: int = WIDTH,
) -> Edits | None:
    """Give a parameter a description.

    Args:
        fn: The function in its source.
        name: The parameter.
        description: What to say; it may have several paragraphs. It is added to what an entry says.
        order: The names of the signature, in order.
        style: How to write entries where the docstring shows no style of its own.
        summary: The first line for a function without a docstring.
        width: The longest line, unless the docstring has longer ones.
    """
    return set_entries(fn, {name: description}, order=order, style=style, summary=summary, width=width)


def set_entries(  # noqa: PLR0913 - as above
    fn: FunctionText,
    descriptions: Mapping[str, str],
    *,
    order: Sequence[str],
    style: Style = Style.GOOGLE,
    summary: str = "",
    width: int = WIDTH,
) -> Edits | None:
    """Give several parameters a description at once."""
    params = _plain(order)
    wanted = _in_order(descriptions, params)
    if not wanted:
        return ()
    job = Job(fn, params, width, _says(wanted))
    chosen = Style.GOOGLE if style is Style.PLAIN else style
    if fn.docstring is None:
        return created(job, summary, new_section(new_layout(fn, width), wanted, chosen))
    return edited(job, lambda reading, layout: entries_plan(reading, layout, wanted, params, chosen))


def write_docstring(  # noqa: PLR0913 - as above
    fn: FunctionText,
    descriptions: Mapping[str, str],
    returns: str,
    *,
    order: Sequence[str],
    style: Style = Style.GOOGLE,
    summary: str = "",
    width: int = WIDTH,
    kind: str = "",
) -> Edits | None:
    """Write a docstring into a function that has none.

    Args:
        fn: The function in its source.
        descriptions: What to say about parameters.
        returns: What to say about the result; empty for nothing.
        order: The names of the signature, in order.
        style: How to write entries.
        summary: The first line.
        width: The longest line.
        kind: The result's type, where the style names it.
    """
    params = _plain(order)
    wanted = _in_order(descriptions, params)
    if fn.docstring is not None or not (wanted or returns or summary):
        return ()
    chosen = Style.GOOGLE if style is Style.PLAIN else style
    layout = new_layout(fn, width)
    sections = [new_section(layout, wanted, chosen)] if wanted else []
    if returns:
        sections.append(new_results(layout, returns, chosen, kind))
    gap = "\n" if chosen in (Style.REST, Style.EPYTEXT) else "\n\n"

    def check(before: Docstring, after: Docstring) -> bool:
        said = holds(after.returns or "", returns) if returns else after.returns is None
        return said and _says(wanted)(before, _with_returns(after, before.returns))

    return created(Job(fn, params, width, check), summary, gap.join(sections))


def set_returns(  # noqa: PLR0913 - as above
    fn: FunctionText,
    description: str,
    *,
    order: Sequence[str] = (),
    style: Style = Style.GOOGLE,
    summary: str = "",
    width: int = WIDTH,
    kind: str = "",
) -> Edits | None:
    """Say what the function returns, besides what is already said about it; `kind` is its type."""
    if not description.strip():
        return ()

    def check(before: Docstring, after: Docstring) -> bool:
        same = keeps(before, _with_returns(after, before.returns), ())
        return same and holds(after.returns or "", description)

    job = Job(fn, _plain(order), width, check)
    chosen = Style.GOOGLE if style is Style.PLAIN else style
    if fn.docstring is None:
        return created(job, summary, new_results(new_layout(fn, width), description, chosen, kind))
    return edited(job, lambda reading, layout: results_plan(reading, layout, description, chosen, kind))


def remove_entry(fn: FunctionText, name: str, *, order: Sequence[str] = ()) -> Edits | None:
    """Take a parameter's entry out, with its section if nothing else is in it."""
    plain = name.lstrip("*")

    def check(before: Docstring, after: Docstring) -> bool:
        return after.entry(plain) is None and keeps(before, after, (plain,))

    return _existing(fn, order, check, lambda reading, _: removal_plan(reading, plain))


def rename_entry(fn: FunctionText, old: str, new: str, *, order: Sequence[str] = ()) -> Edits | None:
    """Put a parameter's entry under another name."""
    names = old.lstrip("*"), new.lstrip("*")

    def check(before: Docstring, after: Docstring) -> bool:
        return keeps(renamed(before, *names), after, ())

    params = [*order, new] if order else ()
    return _existing(fn, params, check, lambda reading, _: renaming_plan(reading, *names))


def set_entry_type(
    fn: FunctionText, name: str, type_text: str | None, *, order: Sequence[str] = ()
) -> Edits | None:
    """Write a type into a parameter's entry, or take it out (None)."""
    plain, wanted = name.lstrip("*"), normal(type_text or "") or None

    def check(before: Docstring, after: Docstring) -> bool:
        old, new = before.entry(plain), after.entry(plain)
        if old is None or new is None or new.type != wanted:
            return False
        shared = [entry.name for entry in before.entries if entry.span == old.span]
        return new.description == old.description and keeps(before, after, shared)

    return _existing(fn, order, check, lambda reading, layout: typing_plan(reading, layout, plain, wanted))


def reorder_entries(fn: FunctionText, order: Sequence[str]) -> Edits | None:
    """Put the entries of each section into the order of the signature."""
    return reordered(fn, _plain(order))


def _existing(fn: FunctionText, order: Sequence[str], check: Check, plan: Plan) -> Edits | None:
    return () if fn.docstring is None else edited(Job(fn, _plain(order), WIDTH, check), plan)


def _plain(order: Sequence[str]) -> list[str]:
    return [name.lstrip("*") for name in order]


def _in_order(descriptions: Mapping[str, str], params: Sequence[str]) -> dict[str, str]:
    """The descriptions that say something, in the order of the signature."""
    plain = {name.lstrip("*"): text for name, text in descriptions.items() if text.strip()}
    rank = {name: index for index, name in enumerate(params)}
    return {name: plain[name] for name in sorted(plain, key=lambda x: rank.get(x, len(rank)))}


def _says(wanted: Mapping[str, str]) -> Check:
    def check(before: Docstring, after: Docstring) -> bool:
        entries = {name: after.entry(name) for name in wanted}
        return keeps(before, after, wanted) and all(
            entry is not None and _grown(before, name, wanted[name], entry.description)
            for name, entry in entries.items()
        )

    return check


def _grown(before: Docstring, name: str, description: str, actual: str) -> bool:
    """Whether an entry says what it said, and the description."""
    old = before.entry(name)
    if old is None or not old.description:
        return normal(actual) == normal(description)
    return holds(actual, description) and normal(actual).startswith(normal(old.description))


def _with_returns(docstring: Docstring, returns: str | None) -> Docstring:
    return replace(docstring, returns=returns)
