"""The google-adk versions that a project allows, read from the files that say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from adk_tool_lens.project.requirement import requirement_at


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("pyproject.toml", "[project]\ndependencies = ['x', 'google-adk[eval]>=1.19,<3; x']", ">=1.19,<3"),
        ("pyproject.toml", "[project.optional-dependencies]\nai = ['google_adk (>=2.0)']", ">=2.0"),
        ("pyproject.toml", "[dependency-groups]\nai = [{ include-group = 'x' }, 'google-adk~=2.9']", "~=2.9"),
        ("pyproject.toml", "[tool.poetry.dependencies]\ngoogle-adk = '^1.19.2'", ">=1.19.2,<2"),
        ("pyproject.toml", "[tool.poetry.dependencies]\ngoogle-adk = '~1.19'", ">=1.19,<1.20"),
        ("pyproject.toml", "[tool.poetry.dependencies]\ngoogle-adk = { version = '2.9.0' }", "==2.9.0"),
        ("pyproject.toml", "[tool.poetry.group.ai.dependencies]\ngoogle-adk = '>=1,<3'", ">=1,<3"),
        ("pyproject.toml", "[tool.poetry.dependencies]\ngoogle-adk = '*'", None),
        ("pyproject.toml", "[project]\ndependencies = ['google-adk', 'google-adk-extras>=1']", None),
        ("pyproject.toml", "[project\ndependencies = ['google-adk>=1']", None),
        ("pyproject.toml", "[project]\ndependencies = 'google-adk>=1'", None),
        ("requirements.txt", "-r more.txt\nGoogle-ADK >= 1.19  # the agent\n", ">= 1.19"),
        ("requirements.txt", "google-adk @ git+https://example.org/adk", None),
        ("requirements.in", "google.adk==2.13.0", "==2.13.0"),
        ("setup.cfg", "[options]\ninstall_requires =\n    x\n    google-adk>=1.19\n", ">=1.19"),
        ("setup.cfg", "[options.extras_require]\nai = google-adk<2\n", "<2"),
        ("setup.cfg", "install_requires = google-adk<2", None),
        ("setup.py", "setup(install_requires=['x', \"google-adk>=1.0, <2\"])", ">=1.0, <2"),
        ("setup.py", "# google-adk>=1", None),
    ],
)
def test_what_a_file_says(tmp_path: Path, name: str, text: str, wanted: str | None) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(text, "utf-8")
    inner = tmp_path / "src" / "agents"
    inner.mkdir(parents=True)
    assert requirement_at(inner) == wanted


def test_the_nearest_file_with_versions_counts(tmp_path: Path) -> None:
    inner = tmp_path / "app"
    inner.mkdir()
    (tmp_path / "requirements.txt").write_text("google-adk>=1\n")
    (inner / "requirements.txt").write_text("google-adk\n")
    assert requirement_at(inner) == ">=1"
    (inner / "pyproject.toml").write_text("[project]\ndependencies = ['google-adk>=2']\n")
    assert requirement_at(inner) == ">=2"
    (inner / "pyproject.toml").write_bytes(b"\xff")
    (inner / ".git").mkdir()
    assert requirement_at(inner) is None
