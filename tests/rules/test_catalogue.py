"""What holds for every rule."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adk_tool_lens import rules
from adk_tool_lens.rules import catalogue as finding_rules
from adk_tool_lens.rules.catalogue import Rule, catalogue
from adk_tool_lens.rules.generate import render
from adk_tool_lens.rules.model import Severity
from adk_tool_lens.rules.pages import page
from rules.checking import CheckText, completed
from rules.test_carets import compare

FOLDER = Path(rules.__path__[0])
RULES = [pytest.param(rule, id=name) for name, rule in catalogue().items()]
GROUPS = {"description", "schema", "result", "registration", "callbacks", "safety"}
FIXTURES = Path(__file__).parents[2] / "fixtures" / "rules"


def source(rule: Rule) -> str:
    return (FOLDER / f"{rule.name.replace('-', '_')}.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_well_formed(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name)
    assert not re.match(r"(no|dont|disallow|avoid|use|prefer|check)-", rule.name), "a name tells the fault"
    assert rule.group in GROUPS
    assert isinstance(rule.severity, Severity)
    checks = (rule.check_tool, rule.check_agent, rule.check_callbacks, rule.check_file)
    assert sum(check is not None for check in checks) == 1


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_one_short_module(rule: Rule) -> None:
    text = source(rule)
    code = text.split("from __future__ import annotations", 1)[1]
    assert len(code.splitlines()) <= 150
    assert f'"{rule.name}"' in code, "a rule gives its findings its own name"
    assert "import ast" not in code, "a rule is given facts, not syntax trees"


@pytest.mark.parametrize("rule", RULES)
def test_a_page_is_complete(rule: Rule) -> None:
    text = page(rule.page)
    assert text.summary.endswith(".")
    assert len(text.summary) <= 100
    for heading, body in text.sections.items():
        if heading not in {"Example", "Use instead"}:
            assert body.endswith("."), f"{heading} does not end in a full stop"
    assert rule.name in render()


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_has_a_fixture(rule: Rule) -> None:
    assert (FIXTURES / f"{rule.name.replace('-', '_')}.py").exists()


@pytest.mark.parametrize("rule", RULES)
def test_findings_are_worth_reading(rule: Rule, check_text: CheckText) -> None:
    example = page(rule.page).example
    hits = check_text(
        completed(example.code), example.adk or "2.9.0", example.backend or "gemini", rule=rule.name
    )
    assert hits
    for hit in hits:
        message = hit.message
        assert message.endswith("."), message
        assert not message.endswith("..")
        assert "`" in message, "a message names what it is about"
        if rule.check_tool is not None:
            assert hit.finding.tool
            assert f"`{hit.finding.tool}`" in message, "a message names the tool"
        assert 30 <= len(message) <= 500
        assert not re.search(r"\s{2}|\n", message)
        assert hit.text.strip() == hit.text != "", "a range begins and ends with text"


@pytest.fixture
def more_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose modules are rules, too."""
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    finding_rules.catalogue.cache_clear()
    yield tmp_path
    finding_rules.catalogue.cache_clear()
    for path in tmp_path.glob("*.py"):
        sys.modules.pop(f"{rules.__name__}.{path.stem}", None)


NEW_RULE = '''
The name of a tool is in capitals.

## What it does
Reports it.

## Why it matters
It is loud.

## What it ignores
Nothing.

## Example
```python
def SHOUT(text: str) -> dict:
    """Shout `text`. Returns a dict with `status`."""
    return {"status": "success"}
```

## Use instead
```python
def shout(text: str) -> dict:
    """Shout `text`. Returns a dict with `status`."""
    return {"status": "success"}
```

## Fix
None.
'''

NEW_CODE = """
from __future__ import annotations

from collections.abc import Iterator

from adk_tool_lens.rules.model import Finding, Severity, ToolView

SEVERITY = Severity.HINT
GROUP = "schema"


def check_tool(view: ToolView) -> Iterator[Finding]:
    if view.tool.name.isupper():
        message = f"`{view.tool.name}` is all capitals. Write it in small letters."
        yield Finding("shouted-name", SEVERITY, message, view.tool.place, view.tool.name)
"""

NEW_FIXTURE = '''
from google.adk.agents import Agent


def SHOUT(text: str) -> dict:
#   ^^^^^ shouted-name [hint]
    """Shout `text`. Returns a dict with `status`."""
    return {"status": "success"}


def shout(text: str) -> dict:
    """Shout `text`. Returns a dict with `status`."""
    return {"status": "success"}


root_agent = Agent(name="a", model="gemini-2.5-flash", instruction="Shout.", tools=[SHOUT, shout])
'''


def test_a_rule_is_added_with_one_module_and_one_fixture(
    more_rules: Path, tmp_path_factory: pytest.TempPathFactory, check_text: CheckText
) -> None:
    (more_rules / "shouted_name.py").write_text(f"'''{NEW_RULE.lstrip()}'''\n{NEW_CODE}", encoding="utf-8")
    fixture = tmp_path_factory.mktemp("fixtures") / "shouted_name.py"
    fixture.write_text(NEW_FIXTURE, encoding="utf-8")

    rule = catalogue()["shouted-name"]
    compare(fixture, "2.9.0", "gemini", check_text)
    [hit] = check_text(completed(page(rule.page).example.code), rule=rule.name)
    assert (hit.text, hit.start) == ("SHOUT", (0, 4))
    assert not check_text(completed(page(rule.page).instead.code), rule=rule.name)
    assert "### shouted-name" in render()


def test_rules_are_kept_apart_from_helpers() -> None:
    modules = {path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_")}
    helpers = {"catalogue", "generate", "model", "pages"}
    assert {name.replace("-", "_") for name in catalogue()} == modules - helpers
    for name, rule in catalogue().items():
        check = rule.check_tool or rule.check_agent or rule.check_callbacks or rule.check_file
        assert check is not None
        assert inspect.isgeneratorfunction(check), f"{name} yields its findings"
