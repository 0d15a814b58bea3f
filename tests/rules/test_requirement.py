"""What is said when the project's requirement allows versions under which a rule answers otherwise."""

from __future__ import annotations

import pytest

from adk_tool_lens.rules._versions import Versions
from adk_tool_lens.rules.catalogue import Rule, catalogue
from adk_tool_lens.rules.model import Severity
from rules.checking import CheckText, completed

FIELD = """
from typing import Annotated
from pydantic import Field


def get(
    sku: Annotated[str, Field(description="Eight digits")],
    place: Annotated[str, Field(description="City")],
) -> dict:
    \"\"\"Get the stock of an article.\"\"\"
    return {}
"""
CONTEXT = """
from google.adk.tools import ToolContext


def get(ctx: ToolContext) -> dict:
    \"\"\"Get the stock.\"\"\"
    return {}
"""
CALLABLE = """
from google.adk.agents import Agent


class Get:
    def __call__(self, sku: str) -> dict:
        \"\"\"Get the stock of `sku`.\"\"\"
        return {}


get = Get()
a = Agent(name="a", model="gemini-2.5-flash", tools=[get])
"""
CALLBACK = """
from google.adk.agents import Agent


def guard(tool, arguments, context):
    return None


a = Agent(name="a", model="gemini-2.5-flash", instruction="Help.", before_tool_callback=guard)
"""
TYPED = """
from typing_extensions import TypedDict


class Place(TypedDict):
    city: str


def get(place: Place) -> dict:
    \"\"\"Get the stock at `place`.\"\"\"
    return {}
"""
MODELS = """
from pydantic import BaseModel


class Place(BaseModel):
    city: str


def get(places: list[Place]) -> dict:
    \"\"\"Get the stock at `places`.\"\"\"
    return {}
"""
CASES = [
    ("field-description-lost", "2.13.0", ">=1.19", FIELD, 'Field(description="Eight digits")'),
    ("field-description-lost", "1.39.1", ">=1.39", FIELD, 'Field(description="Eight digits")'),
    (
        "field-default-ignored",
        "1.39.1",
        ">=1.39",
        FIELD.replace('description="Eight digits"', "default='1'"),
        "default='1'",
    ),
    ("hidden-parameter", "1.39.1", ">=1.39,<3", "def get(_sku: str) -> dict:\n    return {}\n", "_sku"),
    ("positional-only-parameter", "2.13.0", ">=2.9", "def get(sku: str, /) -> dict:\n    return {}\n", "/"),
    ("context-parameter-exposed", "2.9.0", ">=1.19", CONTEXT, "ctx"),
    ("missing-description", "2.13.0", ">=2.0", CALLABLE, "get"),
    ("callback-signature", "2.9.0", ">=2.0", CALLBACK, "arguments"),
    ("declaration-fails", "2.9.0", "~=1.19", TYPED, "Place"),
    ("declaration-fails", "2.9.0", ">=1.19", CALLABLE, "Get"),
    ("runtime-type-conflict", "2.9.0", ">=1.19", MODELS, "Place"),
    (
        "unknown-agent-keyword",
        "2.9.0",
        ">=1.19",
        "from google.adk.agents import Agent\na = Agent(name='a', timeout=3)\n",
        "timeout=3",
    ),
    (
        "output-schema-with-tools",
        "2.9.0",
        ">=1.5",
        "from google.adk.agents import Agent\na = Agent(name='a', tools=[print], output_schema=M)\n",
        "output_schema=M",
    ),
    (
        "instruction-template-error",
        "2.13.0",
        ">=2.0",
        "from google.adk.agents import Agent\na = Agent(name='a', instruction='Say ${name}.')\n",
        "{name}",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}{case[2]}")
def test_it_is_said_once_where_the_requirement_allows_them(
    case: tuple[str, str, str, str, str], check_text: CheckText
) -> None:
    rule, adk, requirement, written, text = case
    code = completed(written)
    [hit] = check_text(code, adk, rule=rule, files={"requirements.txt": f"google-adk{requirement}\n"})
    assert (hit.severity, hit.text) == (Severity.HINT, text)
    [versions] = [v for v in catalogue()[rule].differs if f"With google-adk {v}, " in hit.message][:1]
    assert f"which the requirement `{requirement}` allows: " in hit.message
    assert len(hit.message) <= 500
    pinned = {"requirements.txt": f"google-adk=={adk}\n"}
    assert check_text(code, adk, rule=rule, files=pinned) == []
    assert check_text(code, adk, rule=rule) == []
    assert versions.allowed(requirement)


def test_every_rule_that_differs_is_tried() -> None:
    assert {rule for rule, *_ in CASES} == {name for name, rule in catalogue().items() if rule.differs}


@pytest.mark.parametrize("rule", [pytest.param(r, id=n) for n, r in catalogue().items() if r.differs])
def test_a_page_names_the_versions(rule: Rule) -> None:
    for versions in rule.differs:
        assert any(bound and bound in rule.page for bound in (versions.since, versions.below)), rule.name


def test_how_versions_are_said() -> None:
    assert str(Versions("2.0", "2.10")) == "from 2.0 on and before 2.10"
    assert str(Versions("2.0")) == "from 2.0 on"
    assert str(Versions(below="2.9")) == "before 2.9"
