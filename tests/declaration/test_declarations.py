"""Declarations are google-adk's own, for every version and back end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adk_tool_lens.declaration.model import (
    Answer,
    Backend,
    Declared,
    Provider,
    Refused,
    Stage,
    StubModule,
)
from declaration.asking import ask
from declaration.conftest import ClientFor

FIXTURES = Path(__file__).parents[2] / "fixtures" / "declarations"
VERSIONS = ("1.39.1", "2.9.0", "2.13.0")
SHAPES = (FIXTURES / "shapes.py").read_text("utf-8")
POLISH = """
    from typing import Literal
    def sprawdz_stan(sku: str, magazyn: Literal["WAW", "KRK"] = "WAW") -> dict:
        \"""Sprawdza stan magazynowy.\"""
"""


def expected_shapes(version: str) -> dict[str, Any]:
    text = (FIXTURES / f"shapes-{version}.json").read_text("utf-8")
    shapes: dict[str, Any] = json.loads(text)
    return shapes


def shown(answer: Answer) -> Any:
    """The answer in the form of the recorded ones."""
    match answer:
        case Declared(declaration=declaration):
            return declaration
        case Refused(type=name, message=message):
            return {"ERROR": f"{name}: {message[:160]}"}
    return answer


NO_TYPED_DICT = "PydanticUserError: Please use `typing_extensions.TypedDict` instead of `typing.TypedDict`"
"""What pydantic says before Python 3.12; the shapes were recorded on 3.12."""


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("shape", sorted(expected_shapes("2.9.0")))
def test_every_recorded_shape(client_for: ClientFor, version: str, shape: str) -> None:
    name, _, backend = shape.partition("/")
    client = client_for(version)
    answer = client.declare(ask(SHAPES, name, backend=Backend(backend), module="__main__"))
    python = tuple(int(part) for part in (client.environment().python or "").split(".")[:2])
    if name == "td_p" and python < (3, 12) and version != "1.39.1":
        assert shown(answer)["ERROR"].startswith(NO_TYPED_DICT)
    else:
        assert expected_shapes(version)[shape] == shown(answer)


PARAMETERS = {
    "properties": {
        "sku": {"title": "Sku", "type": "string"},
        "magazyn": {"default": "WAW", "enum": ["WAW", "KRK"], "title": "Magazyn", "type": "string"},
    },
    "required": ["sku"],
    "title": "sprawdz_stanParams",
    "type": "object",
}


@pytest.mark.parametrize("version", ["2.9.0", "2.13.0"])
@pytest.mark.parametrize(
    ("backend", "result"),
    [
        (Backend.GEMINI, {}),
        (
            Backend.VERTEX,
            {"response_json_schema": {"additionalProperties": True, "type": "object"}},
        ),
    ],
)
def test_the_answer_is_complete(
    client_for: ClientFor, version: str, backend: Backend, result: dict[str, Any]
) -> None:
    expected = Declared(
        tool_class="FunctionTool",
        name="sprawdz_stan",
        declaration={
            "name": "sprawdz_stan",
            "description": "Sprawdza stan magazynowy.",
            "parameters_json_schema": PARAMETERS,
            **result,
        },
    )
    assert expected == client_for(version).declare(ask(POLISH, "sprawdz_stan", backend=backend))


def test_the_old_form(client_for: ClientFor) -> None:
    answer = client_for("1.39.1").declare(
        ask(POLISH, "sprawdz_stan", backend=Backend.VERTEX, provider=Provider.GEMINI)
    )
    expected = {
        "name": "sprawdz_stan",
        "description": "Sprawdza stan magazynowy.",
        "parameters": {
            "type": "OBJECT",
            "properties": {
                "sku": {"type": "STRING"},
                "magazyn": {"type": "STRING", "default": "WAW", "enum": ["WAW", "KRK"]},
            },
            "required": ["sku"],
        },
        "response": {"type": "OBJECT"},
    }
    assert isinstance(answer, Declared)
    assert expected == answer.declaration
    assert expected == answer.provider_form


def test_the_flag_for_the_old_form_has_its_effect(adk_python: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from adk_tool_lens.declaration.client import DeclarationClient

    monkeypatch.setenv("ADK_DISABLE_JSON_SCHEMA_FOR_FUNC_DECL", "1")
    client = DeclarationClient(adk_python("2.13.0"))
    answer = client.declare(ask(POLISH, "sprawdz_stan"))
    client.close()
    assert isinstance(answer, Declared)
    assert answer.declaration is not None
    assert "parameters" in answer.declaration
    assert "parameters_json_schema" not in answer.declaration


def test_the_request_of_the_gemini_api(client_for: ClientFor) -> None:
    answer = client_for("2.9.0").declare(
        ask(POLISH, "sprawdz_stan", provider=Provider.GEMINI, backend=Backend.VERTEX)
    )
    assert isinstance(answer, Declared)
    assert answer.provider_form == {
        "name": "sprawdz_stan",
        "description": "Sprawdza stan magazynowy.",
        "parametersJsonSchema": PARAMETERS,
        "responseJsonSchema": {"additionalProperties": True, "type": "object"},
    }


@pytest.mark.parametrize(
    ("provider", "package"), [(Provider.OPENAI, "litellm"), (Provider.ANTHROPIC, "anthropic")]
)
def test_a_missing_converter_is_named(client_for: ClientFor, provider: Provider, package: str) -> None:
    answer = client_for("2.9.0").declare(ask(POLISH, "sprawdz_stan", provider=provider))
    assert isinstance(answer, Refused)
    assert answer.stage is Stage.CONVERT
    assert f"pip install {package}" in answer.message


TYPES = StubModule(
    "shop.types",
    "from pydantic import BaseModel\nclass Item(BaseModel):\n    sku: str\n",
)


@pytest.mark.parametrize(
    "imports", ["from shop.types import Item as I", "import shop.types\nI = shop.types.Item"]
)
def test_a_later_module_imports_an_earlier_one(client_for: ClientFor, imports: str) -> None:
    source = f"{imports}\nclass Item(I):\n    n: int\ndef f(a: I, b: Item): 'd'"
    answer = client_for("2.9.0").declare(ask(source, before=(TYPES,), module="shop.tools"))
    assert isinstance(answer, Declared)
    assert answer.declaration is not None
    definitions = answer.declaration["parameters_json_schema"]["$defs"]
    # pydantic tells two classes of one name apart by their modules: those must be the user's.
    assert sorted(definitions) == ["shop__tools__Item", "shop__types__Item"]


@pytest.mark.parametrize("name", ["typing", "google.adk.tools", "pydantic", "__main__", "json"])
def test_a_stub_never_takes_the_place_of_a_library(client_for: ClientFor, name: str) -> None:
    client = client_for("2.9.0")
    source = "from __future__ import annotations\nclass A: pass\ndef f(a: int) -> dict: 'd'"
    assert isinstance(client.declare(ask(source, module=name)), Declared)
    after = client.declare(ask(POLISH, "sprawdz_stan", module=f"after_{name}"))
    assert isinstance(after, Declared)


@pytest.mark.parametrize(
    ("tool", "stage", "name"),
    [
        ("missing", Stage.STUB, "NameError"),
        ("[f]", Stage.CONSTRUCT, "ValidationError"),
        ("FunctionTool(f, nonsense=1)", Stage.CONSTRUCT, "TypeError"),
        ("g", Stage.DECLARE, "PydanticSchemaGenerationError"),
        ("h", Stage.DECLARE, "NameError"),
    ],
)
def test_refusals_name_stage_and_exception(client_for: ClientFor, tool: str, stage: Stage, name: str) -> None:
    source = """
        from google.adk.tools import FunctionTool
        class Plain: pass
        def f(a: int): 'd'
        def g(a: Plain): 'd'
        def h(a: "Unknown"): 'd'
    """
    answer = client_for("2.9.0").declare(ask(source, tool))
    assert isinstance(answer, Refused)
    assert (stage, name) == (answer.stage, answer.type)


def test_tools_that_are_no_functions(client_for: ClientFor) -> None:
    source = """
        from google.adk.agents import Agent
        from google.adk.tools import AgentTool, LongRunningFunctionTool, google_search
        def f(a: int): 'd'
    """
    client = client_for("2.13.0")
    tools = ["google_search", "LongRunningFunctionTool(f)", 'AgentTool(agent=Agent(name="x"))']
    answers = [client.declare(ask(source, tool)) for tool in tools]
    seen = [(a.tool_class, a.name) for a in answers if isinstance(a, Declared)]
    assert seen == [
        ("GoogleSearchTool", "google_search"),
        ("LongRunningFunctionTool", "f"),
        ("AgentTool", "x"),
    ]
    assert isinstance(answers[0], Declared)
    assert answers[0].declaration is None


def test_what_google_adk_and_pydantic_warn_of_is_kept(client_for: ClientFor) -> None:
    answer = client_for("2.9.0").declare(ask("def f(model_copy: int): 'd'"))
    assert isinstance(answer, Declared)
    assert answer.logs == (
        'WARN UserWarning: Field name "model_copy" in "fParams" shadows an attribute in parent "BaseModel"',
    )


def test_docstrings_of_attributes_are_found(client_for: ClientFor) -> None:
    source = """
        from pydantic import BaseModel, ConfigDict
        class M(BaseModel):
            model_config = ConfigDict(use_attribute_docstrings=True)
            a: int
            '''The a.'''
        def f(m: M): 'd'
    """
    answer = client_for("2.9.0").declare(ask(source))
    assert isinstance(answer, Declared)
    assert answer.declaration is not None
    model = answer.declaration["parameters_json_schema"]["$defs"]["M"]
    assert model["properties"]["a"]["description"] == "The a."
