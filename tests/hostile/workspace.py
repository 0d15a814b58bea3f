"""A workspace whose every file leaves a trace when it is run, imported or started."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ODD_NAME = "a b%20#c ü"
TRACE = """import os
with open(os.environ["ADK_TOOL_LENS_TRACE"], "a") as file:
    file.write(__file__ + "\\n")
"""
LIBRARIES = frozenset(
    """adk_tool_lens annotated_doc annotated_types attr attrs cattr cattrs conftest jedi litellm lsprotocol
    parso pathspec pydantic pydantic_core pygls rich setup shtab sitecustomize tomli typing_extensions
    usercustomize watchfiles""".split()  # noqa: SIM905 - a list of names is long enough
)
"""Modules that somebody imports: a project that has one of that name must not be asked."""
AGENT = '''from google.adk.agents import Agent
from pydantic import BaseModel


def f(x: str) -> dict:
    """Do."""
    return {}


root_agent = Agent(name="a", model="gemini-2.5-flash", instruction="x", tools=[f])
'''
VENV = '#!/bin/sh\necho "$0" >> "$ADK_TOOL_LENS_TRACE"\nexec "{python}" "$@"\n'
PYPROJECT = """[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[tool.pytest.ini_options]
addopts = "-p plugin"

[tool.adk-tool-lens]
python = "{python}"
"""


def make(parent: Path, python: Path) -> Path:
    """A hostile folder below `parent`; its environments start `python` after leaving a trace."""
    folder = parent / ODD_NAME
    for root in (folder, folder / "src"):
        _modules(root)
    for name in (".venv", "venv", ".env"):
        _environment(folder / name, python)
    (folder / "evil.pth").write_text("import trace_of_pth", "utf-8")
    (folder / ".git").mkdir()
    (folder / "agent.py").write_text(AGENT, "utf-8")
    (folder / "pyproject.toml").write_text(PYPROJECT.format(python=".venv/bin/python"), "utf-8")
    return folder


def _modules(root: Path) -> None:
    root.mkdir(parents=True)
    for name in sorted(sys.stdlib_module_names | LIBRARIES | {"backend", "plugin", "trace_of_pth"}):
        (root / f"{name}.py").write_text(TRACE, "utf-8")
    for package in ("google", "google/adk", "google/genai", "google/adk/agents", "google/adk/tools"):
        (root / package).mkdir()
        (root / package / "__init__.py").write_text(TRACE, "utf-8")


def _environment(folder: Path, python: Path) -> None:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").write_text(VENV.format(python=python), "utf-8")
    (folder / "bin" / "python").chmod(0o755)
    (folder / "pyvenv.cfg").write_text("home = /nowhere/odd\nversion = 99.1.2\n", "utf-8")
    site = folder / "lib" / "python3.99" / "site-packages"
    site.mkdir(parents=True)
    (site / "sitecustomize.py").write_text(TRACE, "utf-8")
    (site / "evil.pth").write_text("import sitecustomize\n", "utf-8")


def make_endless(folder: Path) -> None:
    """Files that never begin or never end, where files of a workspace are looked for."""
    (folder / "sub").mkdir(parents=True)
    for name in (".gitignore", "sub/.gitignore", "zero.py"):
        (folder / name).symlink_to("/dev/zero")
    for name in ("pipe.py", "sub/pyproject.toml", "sub/__init__.py"):
        os.mkfifo(folder / name)
    (folder / "loop").symlink_to(".")
    (folder / "itself.py").symlink_to("itself.py")
    (folder / ".venv" / "bin").mkdir(parents=True)
    os.mkfifo(folder / ".venv" / "pyvenv.cfg")
    (folder / "sub" / "agent.py").write_text("import zero, pipe\nfrom zero import *\n" + AGENT, "utf-8")
