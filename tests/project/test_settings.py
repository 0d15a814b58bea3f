"""Settings: read, checked and resolved."""

from __future__ import annotations

from pathlib import Path

import pytest

from adk_tool_lens.ide.configuration import Configuration, configured
from adk_tool_lens.project.settings import Loaded, Settings, from_editor, load, parse
from adk_tool_lens.rules._selection import problems, resolve, rule_settings
from adk_tool_lens.rules._versions import Versions
from adk_tool_lens.rules.catalogue import catalogue
from adk_tool_lens.rules.model import Severity

FULL = """
[project]
name = "shop"
dependencies = ["requests", "google-adk[eval]>=1.19,<3; python_version >= '3.10'"]

[tool.adk-tool-lens]
select = ["ALL"]
ignore = ["safety"]
extend-select = ["thin-description"]
backend = "vertex"
docstring-style = "numpy"
exclude = ["generated/"]
token-budget = 500
max-tools = 7
python = ".venv/bin/python"
per-file-ignores = { "tests/**" = ["description"] }

[tool.adk-tool-lens.severity]
missing-description = "error"
result = "off"
"""


def told(text: str) -> list[str]:
    lines = text.split("\n")
    return [
        f"{lines[p.line][p.column : p.column + p.length]}: {p.message}"
        for p in problems(parse(text, Path("pyproject.toml")))
    ]


def test_every_setting_is_read() -> None:
    loaded = parse(FULL, Path("/shop/pyproject.toml"))
    assert list(problems(loaded)) == []
    assert loaded.settings == Settings(
        select=("ALL",),
        extend_select=("thin-description",),
        ignore=("safety",),
        per_file_ignores=(("tests/**", ("description",)),),
        severity=(("missing-description", "error"), ("result", "off")),
        backend="vertex",
        docstring_style="numpy",
        exclude=("generated/",),
        token_budget=500,
        max_tools=7,
        python=".venv/bin/python",
        folder=Path("/shop"),
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('slect = ["ALL"]', "slect: `slect` is no setting of adk-tool-lens. Did you mean `select`?"),
        ('backend = "vertx"', "backend: `backend` must be one of gemini, vertex; did you mean `vertex`."),
        ('select = "ALL"', "select: `select` must be a list of texts."),
        ("max-tools = 0", "max-tools: `max-tools` must be a whole number above zero."),
        ("max-tools = true", "max-tools: `max-tools` must be a whole number above zero."),
        (
            'ignore = ["safety", "mising-description"]',
            "mising-description: `mising-description` is no rule and no group of rules. "
            "Did you mean `missing-description`?",
        ),
        (
            'severity = { "lambda-tools" = "hint" }',
            "lambda-tools: `lambda-tools` is no rule and no group of rules. Did you mean `lambda-tool`?",
        ),
        (
            'per-file-ignores = { "a.py" = ["nothing-like-it"] }',
            "nothing-like-it: `nothing-like-it` is no rule and no group of rules. "
            "`adk-tool-lens rule --all` lists the rules.",
        ),
    ],
)
def test_what_is_wrong_is_told_at_its_place(line: str, problem: str) -> None:
    assert told(f"[tool.other]\nselect = 1\n\n[tool.adk-tool-lens]\n{line}\n") == [problem]


def test_what_is_wrong_leaves_the_rest_in_force() -> None:
    loaded = parse("[tool.adk-tool-lens]\nbackend = 3\nmax-tools = 5\n")
    assert (loaded.settings.backend, loaded.settings.max_tools) == (None, 5)
    assert len(loaded.problems) == 1


@pytest.mark.parametrize(
    "text", ["[tool", "tool = 3", "[tool]\nadk-tool-lens = 3", "\x00", "[tool.adk-tool-lens"]
)
def test_no_text_makes_reading_fail(text: str) -> None:
    assert isinstance(parse(text).settings, Settings)


def test_a_fault_of_toml_is_told_with_its_place() -> None:
    [problem] = parse("a = 1\nb = = 2\n", Path("pyproject.toml")).problems
    assert (problem.line, problem.column) == (1, 4)
    assert str(problem).startswith("pyproject.toml:2:5: The file is no TOML")


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.adk-tool-lens]\nmax-tools = 1\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert load(inner).settings.max_tools == 1
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.adk-tool-lens]\nmax-tools = 2\n")
    assert load(inner).settings.max_tools == 2
    assert load(tmp_path).settings.max_tools == 1
    assert load(inner, tmp_path / "missing.toml").problems
    (inner / "pyproject.toml").write_text('[project]\nname = "adk-tool-lens"\n')
    assert load(inner).settings.max_tools == 2, "a file without settings takes none away"
    (inner / "pyproject.toml").write_text("[tool.adk-tool-lens\n")
    assert load(inner).problems, "a file that has some, as far as it can be told, counts"


def test_each_package_of_a_monorepo_has_its_own_settings(tmp_path: Path) -> None:
    texts = {
        "pyproject.toml": "[tool.adk-tool-lens]\nmax-tools = 1\nexclude = ['generated/']\n",
        "requirements.txt": "google-adk>=2.10\n",
        "shop/pyproject.toml": "[project]\ndependencies = ['google-adk<2']\n",
        "bank/pyproject.toml": "[tool.adk-tool-lens]\nmax-tools = 3\nbackend = 'vertex'\nslect = []\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    settings = Configuration(tmp_path, over=Loaded(Settings(ignore=("safety",))))
    found = {name: settings.of(tmp_path / name / "src" / "agent.py") for name in (".", "shop", "bank")}
    assert [(each.settings.max_tools, each.settings.adk_version) for each in found.values()] == [
        (1, ">=2.10"),
        (1, "<2"),
        (3, ">=2.10"),
    ]
    assert found["bank"].settings.backend == "vertex"
    assert all("sql-from-argument" in each.selection.off for each in found.values())
    assert [p.path for each in settings.all() for p in each.problems] == [tmp_path / "bank/pyproject.toml"]
    assert settings.excludes(tmp_path / "shop" / "generated" / "agent.py")
    assert not settings.excludes(tmp_path / "bank" / "generated" / "agent.py")
    one = Configuration(tmp_path, tmp_path / "pyproject.toml")
    assert one.of(tmp_path / "bank" / "agent.py") is one.base


def test_an_editor_says_the_same_in_its_own_spelling() -> None:
    loaded = from_editor(
        {"extendSelect": ["safety"], "max-tools": 3, "ignore": None, "lens": {"enabled": True}}
    )
    assert loaded == Loaded(Settings(extend_select=("safety",), max_tools=3))
    assert [p.message for p in from_editor({"tokenBudget": "many"}).problems] == [
        "`token-budget` must be a whole number above zero."
    ]


def test_later_settings_count_over_earlier_ones(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.adk-tool-lens]\nignore = ["safety"]\nmax-tools = 3\nselect = ["result"]\n'
    )
    over = Loaded(Settings(select=("ALL",), ignore=("lambda-tool",)))
    done = configured(tmp_path, over=over)
    assert (done.settings.select, done.settings.ignore) == (("ALL",), ("safety", "lambda-tool"))
    assert done.numbers.max_tools == 3


# ---------------------------------------------------------------- which rules run


def runs(name: str, **wanted: tuple[str, ...]) -> bool:
    selection = resolve(Settings(**wanted))  # type: ignore[arg-type]
    return selection.runs(name, by_default=catalogue()[name].on_by_default)


OFF = next(name for name, rule in catalogue().items() if not rule.on_by_default)


def test_the_more_exact_selector_wins() -> None:
    assert runs("lambda-tool")
    assert not runs("lambda-tool", ignore=("registration",))
    assert runs("lambda-tool", ignore=("registration",), extend_select=("lambda-tool",))
    assert not runs("lambda-tool", select=("safety",))
    assert runs("lambda-tool", select=("registration",), ignore=("ALL",))
    assert not runs("lambda-tool", select=("ALL",), ignore=("lambda-tool",))
    assert not runs(OFF)
    assert runs(OFF, extend_select=(OFF,))
    assert runs(OFF, select=("ALL",))


def test_severities_are_resolved_by_rule_and_group() -> None:
    selection = resolve(Settings(severity=(("lambda-tool", "hint"), ("registration", "off"))))
    assert dict(selection.severities) == {"lambda-tool": Severity.HINT}
    assert not selection.runs("unbound-method", by_default=True)
    assert selection.runs("lambda-tool", by_default=True)


def test_numbers_have_defaults() -> None:
    assert rule_settings(Settings(max_tools=3)).max_tools == 3
    assert rule_settings(Settings()).token_budget > 0


@pytest.mark.parametrize(
    ("requirement", "allowed"),
    [
        (">=1.19", True),
        (">=2.10", False),
        (">=1.19,<2", False),
        (">=2.9, <3, !=2.9.*", False),
        (">=2.8.1,!=2.8.1,<2.9", True),
        (">1.39,<2.0.1", True),
        ("<2.0.1", True),
        ("==2.5.1", True),
        ("==1.*", False),
        ("==2.9.1", True),
        ("==2.*", True),
        ("~=2.9.0", True),
        ("~=2.10", False),
        ("~=1.19", False),
        ("", False),
        (None, False),
        ("@ git+https://example.org/adk", False),
    ],
)
def test_which_versions_a_requirement_allows(requirement: str | None, allowed: bool) -> None:
    assert (Versions("2.0", "2.10").allowed(requirement) is not None) is allowed
