"""What jedi is asked: names that are defined in installed packages. None of their code runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from adk_tool_lens.discovery.resolve import LONGEST, Definition, Question, resolve

LIBRARY = '''from pathlib import Path

Path(__file__).with_name("trace").write_text("ran")


class Weather:
    def report(self, city: str) -> dict:
        """Report."""
        return {}


weather = Weather()
'''
AGENT = "from library import weather\n\ntools = [weather.report]\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages."""
    package = tmp_path / "site" / "library"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .inside import weather\n", "utf-8")
    (package / "inside.py").write_text(LIBRARY, "utf-8")
    return package.parent


def asked(text: str, line: int, column: int, site: Path) -> Definition | None:
    """What jedi says of a place in a project's file."""
    path = site.parent / "project" / "agent.py"
    return resolve(Question(text, path, line, column, (path.parent, site)), site.parent / "cache")


def test_a_name_leads_through_imports_and_objects_to_its_definition(site: Path) -> None:
    inside = site / "library" / "inside.py"
    assert asked(AGENT, 2, 18, site) == Definition(inside, 6, 8, 6)
    assert asked(AGENT, 2, 11, site) == Definition(inside, 11, 0, 7)


def test_nothing_of_the_library_runs(site: Path) -> None:
    asked(AGENT, 2, 18, site)
    assert not (site / "library" / "trace").exists()


def test_what_leads_nowhere_is_no_answer(site: Path) -> None:
    assert asked("tools = [missing]\n", 0, 10, site) is None
    assert asked("tools = [(((\n", 0, 9, site) is None
    assert asked(AGENT, 99, 0, site) is None
    assert asked("x" * (LONGEST + 1), 0, 0, site) is None
