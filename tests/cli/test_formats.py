"""Output formats: valid by their public schemas, exact about places, harmless with strange texts."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import xmlschema

from adk_tool_lens.cli.formats import FORMATS, Report, render
from adk_tool_lens.cli.rows import EditRow, FixRow, Point, RelatedRow, Row
from adk_tool_lens.rules.model import Severity

SCHEMAS = Path(__file__).parents[2] / "fixtures" / "schemas"


def row(message: str = "Say more.", severity: Severity = Severity.WARNING, line: int = 1) -> Row:
    edits = (EditRow(Point(line, 4, 4), Point(line, 5, 6), "y"),)
    return Row(
        "missing-description",
        severity,
        message,
        "pkg/a b.py",
        Point(line, 4, 4),
        Point(line, 5, 6),
        "find",
        (FixRow("Write one", safe=True, edits=edits), FixRow("Fill one in", safe=False)),
        (RelatedRow("pkg/other.py", 6, "is declared here"),),
        ("def \U0001f600(x): pass",),
    )


REPORT = Report(
    (
        row(),
        row("Never sent: a\nb, 100%; <x>&\x00\ud800", Severity.ERROR, 7),
        row("Never sent: a\nb, 100%; <x>&\x00\ud800", Severity.ERROR, 9),
        row("Hm.", Severity.INFO, 10),
        row("Better.", Severity.HINT, 11),
    ),
    ("pkg/a b.py", "pkg/clean.py"),
    "2.9.0",
)
EMPTY = Report((), ())


@pytest.mark.parametrize("report", [REPORT, EMPTY], ids=["findings", "nothing"])
def test_sarif_is_valid(report: Report) -> None:
    schema = json.loads((SCHEMAS / "sarif-schema-2.1.0.json").read_text("utf-8"))
    jsonschema.Draft4Validator(schema).validate(json.loads(render("sarif", report)))


@pytest.mark.parametrize("report", [REPORT, EMPTY], ids=["findings", "nothing"])
def test_junit_is_valid(report: Report) -> None:
    schema = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")
    schema.validate(render("junit", report))


@pytest.mark.parametrize("report", [REPORT, EMPTY], ids=["findings", "nothing"])
def test_gitlab_is_valid(report: Report) -> None:
    schema = json.loads((SCHEMAS / "gitlab-code-quality.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(render("gitlab", report)))


def test_sarif_counts_columns_in_utf16_and_names_every_rule() -> None:
    run = json.loads(render("sarif", REPORT))["runs"][0]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    rules = run["tool"]["driver"]["rules"]
    assert region == {
        "startLine": 2,
        "startColumn": 5,
        "endLine": 2,
        "endColumn": 7,
        "snippet": {"text": "\U0001f600"},
    }
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["missing-description"] * 5
    artifact = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "pkg/a%20b.py", "uriBaseId": "%SRCROOT%"}
    assert len(run["results"][0]["fixes"]) == 1


def test_junit_counts_what_it_holds() -> None:
    text = render("junit", REPORT)
    assert 'name="adk-tool-lens" tests="6" failures="5" errors="0"' in text
    assert text.count("<testcase ") == 6
    assert text.count("<failure ") == 5


def test_fingerprints_differ_and_stay_when_lines_move() -> None:
    def fingerprints(report: Report) -> list[str]:
        return [issue["fingerprint"] for issue in json.loads(render("gitlab", report))]

    moved = Report(tuple(row(r.message, r.severity, r.start.line + 40) for r in REPORT.rows), REPORT.files)
    assert fingerprints(moved) == fingerprints(REPORT)
    assert len(set(fingerprints(REPORT))) == 5


def test_github_escapes_what_would_end_a_command() -> None:
    first, second, *_ = render("github", REPORT).splitlines()
    expected = (
        "::warning title=adk-tool-lens (missing-description),file=pkg/a b.py,line=2,endLine=2,"
        "col=5,endColumn=6::Say more."
    )
    assert first == expected
    assert second.endswith("::Never sent: a%0Ab, 100%25; <x>&\x00\ud800")
    assert second.startswith("::error ")


def test_carets_stand_under_wide_characters_and_tabs() -> None:
    text = "\tx: 見出し = f(見)"
    wide = Row(
        "missing-description", Severity.HINT, "m", "a.py", Point(0, 4, 4), Point(0, 7, 7), lines=(text,)
    )
    lines = render("full", Report((wide,), ("a.py",))).splitlines()
    assert lines[3] == "1 |     x: 見出し = f(見)"
    assert lines[4] == "  |        ^^^^^^"


def test_long_ranges_are_cut_short() -> None:
    lines = tuple(f"    line {number}" for number in range(9))
    long = Row(
        "missing-description", Severity.ERROR, "m", "a.py", Point(0, 4, 4), Point(8, 10, 10), lines=lines
    )
    shown = render("full", Report((long,), ("a.py",)))
    assert shown.count("^^^^^^") == 3
    assert "line 3" not in shown
    assert "..." in shown


def test_no_control_character_reaches_the_terminal() -> None:
    evil = Row(
        "missing-description", Severity.ERROR, "m", "a.py", Point(0, 0, 0), Point(0, 1, 1), lines=("\x1b[2J",)
    )
    assert "\x1b" not in render("full", Report((evil,), ("a.py",)))


def test_colour_only_adds_escape_codes() -> None:
    import re

    for name in ("full", "concise"):
        coloured = render(name, Report(REPORT.rows, REPORT.files, colour=True))
        assert "\x1b[" in coloured
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(name, REPORT)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_nothing_found(name: str) -> None:
    text = render(name, Report((), ("a.py",)))
    assert text == "" if name == "github" else text.endswith("\n")
