"""Finds the repairs of a finding.

A repair is a module of this package with `repair(case: Case) -> Repair | None`. Its kind is the module's
name in kebab case. Rules name kinds; `MORE` adds those that follow from the rule alone.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from types import ModuleType

from adk_tool_lens.fixes.model import Case, PlacedEdit, Repair
from adk_tool_lens.rules.model import Finding, Fix
from adk_tool_lens.source.blocks import Block, parse
from adk_tool_lens.source.edits import Edit, OverlapError, apply

log = logging.getLogger(__name__)

MORE: dict[str, tuple[str, ...]] = {
    "allowed-values-in-prose": ("use-literal",),
    "blocking-call": ("run-in-thread",),
    "callback-result-lost": ("return-response",),
    "callback-signature": ("callback-parameters",),
    "class-instead-of-instance": ("create-instance",),
    "context-parameter-documented": ("remove-entry",),
    "context-parameter-exposed": ("annotate-context", "name-context-parameter"),
    "decorator-hides-signature": ("add-functools-wraps",),
    "destructive-without-confirmation": ("require-confirmation",),
    "docstring-type-conflict": ("set-entry-type",),
    "duplicate-tool-name": ("remove-duplicate",),
    "field-as-default": ("field-default-to-annotated",),
    "field-default-ignored": ("field-default-after-annotated",),
    "field-description-lost": ("move-description", "wrap-in-field"),
    "implicit-optional": ("allow-none",),
    "hidden-parameter": ("rename-parameter",),
    "instruction-template-error": ("make-variable-optional",),
    "missing-await": ("add-await",),
    "docstring-not-literal": ("plain-docstring",),
    "missing-description": ("add-docstring",),
    "optional-but-required": ("add-default",),
    "parameters-dropped": ("import-at-run-time",),
    "declaration-fails": ("import-at-run-time",),
    "positional-only-parameter": ("remove-slash",),
    "raises-for-expected-case": ("return-error",),
    "reserved-parameter-name": ("rename-parameter",),
    "result-not-serialisable": ("convert-result",),
    "result-without-status": ("add-status",),
    "sub-agent-without-description": ("describe-agent",),
    "tool-called-instead-of-passed": ("pass-function",),
    "tools-not-a-list": ("list-tools", "correct-element"),
    "unbound-method": ("bind-method",),
    "undocumented-parameter": ("add-entry",),
    "undocumented-return": ("document-result-keys", "add-returns"),
    "unknown-parameter-documented": ("rename-entry", "remove-entry"),
    "unused-suppression": ("remove-suppression",),
    "untyped-parameter": ("annotate-parameter",),
}
"""Repairs by rule, the preferred one first; what a finding names itself comes before them."""

ALWAYS = ("suppress-with-comment", "disable-rule-in-pyproject")
"""What can be done about any finding; never applied unasked."""


@cache
def _module(kind: str) -> ModuleType | None:
    name = f"{__package__}.{kind.replace('-', '_')}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def fixes_of(finding: Finding) -> tuple[Fix, ...]:
    """The repairs to try for a finding, the preferred one first."""
    kinds = MORE.get(finding.rule, ())
    named = {fix.kind: fix for fix in finding.fixes}
    first = (fix for fix in finding.fixes if fix.kind not in kinds)
    return (*first, *(named.get(kind, Fix(kind)) for kind in kinds))


def repair(fix: Fix, case: Case) -> Repair | None:
    """The repair behind a fix; None when it cannot be made safely. A repair that fails is logged."""
    try:
        module = _module(fix.kind)
        made = None if module is None else module.repair(replace(case, arguments=fix.arguments))
    except Exception:
        if RAISE_BUGS:
            raise
        log.exception("repair %s failed", fix.kind)
        return None
    return made if made is not None and made.edits and _sound(made) else None


def _sound(made: Repair) -> bool:
    """Whether all that was Python before is Python afterwards."""
    by_block: dict[Block, list[Edit]] = {}
    for edit in made.edits:
        if isinstance(edit, PlacedEdit):
            span = edit.place.span
            by_block.setdefault(edit.place.block, []).append(Edit(span.start, span.end, edit.text))
    try:
        return all(
            block.tree is None or parse(apply(block.text, edits)) is not None
            for block, edits in by_block.items()
        )
    except OverlapError:
        return False


def is_grouped(kind: str) -> bool:
    """Whether one repair can do the same for several parameters of a tool at once."""
    return bool(getattr(_module(kind), "GROUPED", False))


def repairs(case: Case) -> Iterator[tuple[Fix, Repair]]:
    """All repairs of a case's finding, the preferred one first."""
    assert case.finding is not None  # noqa: S101 - for the type checker
    for fix in fixes_of(case.finding):
        made = repair(fix, case)
        if made is not None:
            yield fix, made


RAISE_BUGS = False
"""Set by tests: a repair that raises fails the test instead of being left out."""
