"""Which rules run, how grave their findings are and where they are left out: settings, resolved once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from adk_tool_lens.project.settings import Loaded, Problem, Settings, locate
from adk_tool_lens.rules.catalogue import Rule, catalogue
from adk_tool_lens.rules.model import RuleSettings, Selection, Severity

ALL = "ALL"


def resolve(settings: Settings) -> Selection:
    """The rules that settings let run.

    The more exact selector wins: a rule's name over its group, a group over `ALL`; of two alike, `ignore`.
    """
    runs = {name: _runs(rule, settings) for name, rule in catalogue().items()}
    off = frozenset(n for n, rule in catalogue().items() if rule.on_by_default and not runs[n])
    on = frozenset(n for n, rule in catalogue().items() if not rule.on_by_default and runs[n])
    severities = dict(_severities(settings))
    off |= {name for name, severity in severities.items() if severity is None}
    known = tuple(sorted((name, s) for name, s in severities.items() if s is not None))
    return Selection(on - off, off, known, tuple(_per_file(settings)), settings.folder)


def rule_settings(settings: Settings) -> RuleSettings:
    """The numbers that single rules read."""
    default = RuleSettings()
    return RuleSettings(
        settings.token_budget or default.token_budget, settings.max_tools or default.max_tools
    )


def _runs(rule: Rule, settings: Settings) -> bool:
    runs = rule.on_by_default if settings.select is None else False
    for selector in (ALL, rule.group, rule.name):
        if selector in (settings.select or ()) or selector in settings.extend_select:
            runs = True
        if selector in settings.ignore:
            runs = False
    return runs


def _severities(settings: Settings) -> Iterator[tuple[str, Severity | None]]:
    """Severities of rules; None for `off`. The more exact selector wins, then the later one."""
    order = sorted(settings.severity, key=lambda row: (row[0] in catalogue()) * 2 + (row[0] != ALL))
    for selector, word in order:
        for name in expand(selector):
            yield name, None if word == "off" else Severity(word)


def _per_file(settings: Settings) -> Iterator[tuple[str, frozenset[str]]]:
    for pattern, selectors in settings.per_file_ignores:
        yield pattern, frozenset(name for selector in selectors for name in expand(selector))


def expand(selector: str) -> frozenset[str]:
    """The rules that a selector names."""
    rules = catalogue()
    if selector == ALL:
        return frozenset(rules)
    return frozenset(name for name, rule in rules.items() if selector in {name, rule.group})


def problems(loaded: Loaded) -> Iterator[Problem]:
    """What is wrong in settings: what reading them found, and selectors that name nothing."""
    yield from loaded.problems
    for keys in _selectors(loaded.settings):
        selector = keys[-1]
        if not expand(selector):
            line, column, length = locate(loaded.text, keys)
            yield Problem(unknown(selector), loaded.path, line, column, length)


def unknown(selector: str) -> str:
    """The message about a selector that names no rule."""
    names = [*catalogue(), *{rule.group for rule in catalogue().values()}, ALL]
    close = get_close_matches(selector, names, n=1)
    hint = f" Did you mean `{close[0]}`?" if close else " `adk-tool-lens rule --all` lists the rules."
    return f"`{selector}` is no rule and no group of rules.{hint}"


def _selectors(settings: Settings) -> Iterator[tuple[str, ...]]:
    lists: Iterable[tuple[str, tuple[str, ...]]] = (
        ("select", settings.select or ()),
        ("extend-select", settings.extend_select),
        ("ignore", settings.ignore),
    )
    for key, selectors in lists:
        yield from ((key, selector) for selector in selectors)
    for pattern, selectors in settings.per_file_ignores:
        yield from (("per-file-ignores", pattern, selector) for selector in selectors)
    yield from (("severity", selector) for selector, _ in settings.severity)
