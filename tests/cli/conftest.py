"""Runs the command line in this process: `lens("check", path)` gives status, output and errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from adk_tool_lens.cli.main import main

FIXTURES = Path(__file__).parents[2] / "fixtures"


@dataclass(frozen=True)
class Ran:
    """What one command said."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as JSON."""
        return json.loads(self.out)


Lens = Callable[..., Ran]
AdkPython = Callable[[str], Path]


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of declarations that these tests share."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def lens(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path, adk_python: Any
) -> Lens:
    """Runs a command with google-adk 2.9.0, in the current directory; `python=None` leaves it out."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    for variable in ("NO_COLOR", "FORCE_COLOR", "VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("adk_tool_lens.ide.analysis.RAISE_BUGS", True)

    def run(*arguments: object, python: str | None = "2.9.0") -> Ran:
        given = [str(argument) for argument in arguments]
        if python is not None:
            given += ["--python", str(adk_python(python))]
        capfd.readouterr()
        try:
            status = main(given)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 2
        out, err = capfd.readouterr()
        return Ran(status, out, err)

    return run


SHOP = '''\
"""Tools of a shop."""

from typing import Annotated

from google.adk.agents import Agent
from pydantic import Field


def find_order(order_id: Annotated[str, Field(description="Six digits.")]) -> dict:
    """Find one order by its number.

    Returns:
        A dict with `status` and `order`.
    """
    return {"status": "success", "order": order_id}


def cancel(order_id):
    return {"status": "success"}


root_agent = Agent(name="shop", model="gemini-2.5-flash", instruction="Help.", tools=[find_order, cancel])
'''


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one file of tools, as the working directory."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "agent.py").write_text(SHOP, "utf-8")
    (tmp_path / "shop" / "__init__.py").write_text("", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path
