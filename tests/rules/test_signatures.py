"""How the rules about signatures share what there is to say, and what they know of versions."""

from __future__ import annotations

import pytest

from adk_tool_lens.rules._versions import at_least
from adk_tool_lens.rules.model import Severity
from rules.checking import CheckText, completed

CONTEXT = "from google.adk.tools import ToolContext\n"


@pytest.mark.parametrize(
    ("code", "adk", "rule", "text"),
    [
        (
            CONTEXT + "def f(q: str, a: ToolContext, b: ToolContext): ...",
            "2.9.0",
            "second-context-parameter",
            "b",
        ),
        (
            CONTEXT + "def f(q: str, a: ToolContext, b: ToolContext): ...",
            "1.39.1",
            "second-context-parameter",
            "b",
        ),
        ("def f(q: str, __base__: str): ...", "2.13.0", "reserved-parameter-name", "__base__"),
        ("def f(model_dump: str, q: str): ...", "2.9.0", "reserved-parameter-name", "model_dump"),
        (
            "from pydantic import Field\ndef f(q: str = Field(description='d')): ...",
            "1.39.1",
            "field-as-default",
            "Field(description='d')",
        ),
        ("class C: ...\ndef f(q: str, c: list[C]): ...", "2.9.0", "declaration-fails", "C"),
        (
            "from typing import Callable\ndef f(q: str, c: Callable[[], int]): ...",
            "2.9.0",
            "declaration-fails",
            "Callable[[], int]",
        ),
        ("def f(q: str, c: 'list[Missing]'): ...", "2.9.0", "declaration-fails", "Missing"),
        ("def f(q: str, c: 'list[Missing]'): ...", "2.13.0", "parameters-dropped", "Missing"),
    ],
)
def test_one_rule_speaks_for_a_refusal(
    code: str, adk: str, rule: str, text: str, check_text: CheckText
) -> None:
    hits = [hit for hit in check_text(completed(code), adk) if hit.severity is Severity.ERROR]
    assert [(hit.rule, hit.text) for hit in hits] == [(rule, text)], hits


def test_what_a_decorator_hides_is_said_once(check_text: CheckText) -> None:
    code = "def d(g):\n    def w(*a, **k): ...\n    return w\n@d\ndef f(q, *rest, _x): ...\n"
    loud = [hit for hit in check_text(completed(code)) if hit.severity in {Severity.ERROR, Severity.WARNING}]
    about_f = [hit for hit in loud if hit.finding.tool == "f"]
    assert [hit.rule for hit in about_f] == ["decorator-hides-signature"], loud


def test_types_without_schema_are_refused_by_vertex(check_text: CheckText) -> None:
    code = completed("def f(q: int | str, n: str | None = None): ...")
    rule = "unsupported-by-provider"
    assert check_text(code, "2.9.0", "gemini", rule=rule) == []
    assert [hit.text for hit in check_text(code, "2.9.0", "vertex", rule=rule)] == ["int | str"]


@pytest.mark.parametrize(
    ("version", "wanted", "is_so"),
    [
        ("2.13.0", "2.13", True),
        ("2.9.2", "2.13", False),
        ("2.12.9", "2.13", False),
        ("3.0", "2.13", True),
        ("2.13.0rc1", "2.13", True),
        (None, "2.13", True),
    ],
)
def test_versions_are_compared_by_number(version: str | None, wanted: str, is_so: bool) -> None:
    assert at_least(version, wanted) is is_so
