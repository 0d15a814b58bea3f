"""Each rule on its fixture, `fixtures/rules/<rule>.py`, under several versions of google-adk."""

from __future__ import annotations

from pathlib import Path

import pytest

from adk_tool_lens.rules.catalogue import catalogue
from rules.carets import Expected, Mark, code, expected, marked
from rules.checking import CheckText

FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"
VERSIONS = ("1.39.1", "2.9.0", "2.13.0")


def compare(path: Path, adk: str, backend: str, check_text: CheckText) -> None:
    """Fails unless the rule that a fixture is named after finds just what its comments say."""
    name = path.stem.replace("_", "-")
    text = path.read_text(encoding="utf-8")
    wanted = [each for each in expected(text) if each.rule == name and each.holds(adk, backend)]
    hits = check_text(code(text), adk, backend, rule=name)
    assert sorted(each.mark for each in wanted) == sorted(marked(hit, wanted) for hit in hits), hits
    severities = {each.mark: each.severity for each in wanted if each.severity}
    for hit in hits:
        assert severities.get(marked(hit, wanted), hit.severity.value) == hit.severity.value, hit


def runs(path: Path) -> list[tuple[str, str]]:
    """The versions and back ends to run a fixture with: Vertex AI only where a comment tells it apart."""
    text = path.read_text(encoding="utf-8")
    split = any({"vertex", "gemini"} & set(each.conditions) for each in expected(text))
    return [*((adk, "gemini") for adk in VERSIONS), *([("2.9.0", "vertex")] if split else [])]


@pytest.mark.parametrize(
    ("path", "adk", "backend"),
    [
        pytest.param(path, adk, backend, id=f"{path.stem}-{adk}-{backend}")
        for path in sorted(FIXTURES.glob("*.py"))
        for adk, backend in runs(path)
    ],
)
def test_the_fixture(path: Path, adk: str, backend: str, check_text: CheckText) -> None:
    compare(path, adk, backend, check_text)


def test_each_fixture_belongs_to_a_rule_and_expects_it() -> None:
    for path in FIXTURES.glob("*.py"):
        name = path.stem.replace("_", "-")
        assert name in catalogue()
        rules = [each.rule for each in expected(path.read_text(encoding="utf-8"))]
        assert name in rules, f"{path.name} never expects {name}"


def test_how_comments_are_read() -> None:
    text = "a = f(b)\n#     ^ one\n#: ^ two [adk <2.0, hint]\nlong = (\n#      ^> three [vertex]\n"
    assert list(expected(text)) == [
        Expected(Mark(0, 6, 7), "one", ()),
        Expected(Mark(0, 1, 2), "two", ("adk <2.0", "hint")),
        Expected(Mark(1, 7, None), "three", ("vertex",)),
    ]
    two, three = list(expected(text))[1:]
    assert [two.holds(adk, "gemini") for adk in ("1.39.1", "2.0.0")] == [True, False]
    assert [three.holds("2.9.0", backend) for backend in ("gemini", "vertex")] == [False, True]
