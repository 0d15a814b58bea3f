"""The page of each rule: its example triggers it, what to use instead triggers nothing."""

from __future__ import annotations

import pytest

from adk_tool_lens.rules.catalogue import Rule, catalogue
from adk_tool_lens.rules.generate import COMMAND, PATH, render
from adk_tool_lens.rules.pages import HEADINGS, PageError, page
from rules.checking import CheckText, Hit, completed

RULES = [pytest.param(rule, id=name) for name, rule in catalogue().items()]


def _told(hits: list[Hit], about: Rule) -> list[Hit]:
    """What a user with the default settings, and this rule on, is told."""
    return [hit for hit in hits if hit.rule == about.name or catalogue()[hit.rule].on_by_default]


@pytest.mark.parametrize("rule", RULES)
def test_the_example_triggers_exactly_its_rule(rule: Rule, check_text: CheckText) -> None:
    example = page(rule.page).example
    hits = check_text(completed(example.code), example.adk or "2.9.0", example.backend or "gemini")
    told = _told(hits, rule)
    assert {rule.name} == {hit.rule for hit in told}, told


@pytest.mark.parametrize("rule", RULES)
def test_what_to_use_instead_triggers_nothing(rule: Rule, check_text: CheckText) -> None:
    page_of = page(rule.page)
    adk = page_of.instead.adk or page_of.example.adk or "2.9.0"
    backend = page_of.instead.backend or page_of.example.backend or "gemini"
    assert _told(check_text(completed(page_of.instead.code), adk, backend), rule) == []


def test_the_page_of_all_rules_is_up_to_date() -> None:
    written = PATH.read_text(encoding="utf-8") if PATH.exists() else ""
    assert render() == written, f"server/RULES.md is out of date. Run: {COMMAND}"


def test_a_page_with_other_headings_is_refused() -> None:
    code = "```python\nx = 1\n```\n"
    sections = [f"## {name}\n{code}" for name in HEADINGS]
    assert page("Title.\n\n" + "\n".join(sections)).summary == "Title."
    for wrong in (sections[:-1], [*sections, sections[0]], sections[::-1]):
        with pytest.raises(PageError, match="headings"):
            page("Title.\n\n" + "\n".join(wrong))
    with pytest.raises(PageError, match="nothing is said under What it does"):
        page("Title.\n\n" + "\n".join(["## What it does\n", *sections[1:]]))
    with pytest.raises(PageError, match="no block"):
        page("Title.\n\n" + "\n".join([*sections[:3], "## Example\nNone.\n", *sections[4:]]))


def test_an_example_says_where_it_holds() -> None:
    parts = [f"## {name}\n```python adk=2.13.0 backend=vertex\nx = 1\n```\n" for name in HEADINGS]
    example = page("Title.\n\n" + "\n".join(parts)).example
    assert (example.code, example.adk, example.backend) == ("x = 1\n", "2.13.0", "vertex")
