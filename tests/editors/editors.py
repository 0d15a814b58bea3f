"""Real editors for tests: installed from the distribution when they are missing, started without a screen."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

SHOP = '''\
from typing import Annotated

from google.adk.agents import Agent
from pydantic import Field


def find_order(order_id: Annotated[str, Field(description="Six digits.")]) -> dict:
    """Find one order by its number.

    Returns:
        A dict with `status` and `order`.
    """
    return {"status": "success", "order": order_id}


root_agent = Agent(name="shop", model="gemini-2.5-flash", instruction="Help.", tools=[find_order])
'''


def program(name: str, *packages: str) -> str:
    """The path of an editor; installs it when that is possible.

    Raises:
        RuntimeError: it is not there and cannot be installed; the message says what to do.
    """
    found = shutil.which(name)
    if found is None and packages and shutil.which("apt-get") and os.geteuid() == 0:
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        apt = ["apt-get", "-o", "DPkg::Lock::Timeout=300", "-q", "-y"]
        subprocess.run([*apt, "update"], check=True, env=environment)
        subprocess.run([*apt, "install", "--no-install-recommends", *packages], check=True, env=environment)
        found = shutil.which(name)
    if found is None:
        raise RuntimeError(f"{name} is missing: apt-get install {' '.join(packages)}")
    return found


def shop(folder: Path) -> Path:
    """Writes a project with one tool; gives its file."""
    (folder / ".git").mkdir()
    path = folder / "agent.py"
    path.write_text(SHOP, encoding="utf-8")
    return path


def environment(folder: Path) -> dict[str, str]:
    """An environment in which an editor finds no configuration but the test's."""
    kept = {name: value for name, value in os.environ.items() if name not in {"VIRTUAL_ENV", "CONDA_PREFIX"}}
    home = folder / "home"
    home.mkdir(exist_ok=True)
    names = ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    if "PYTHONPATH" in kept:  # the server under test may be found by a path and not be installed
        kept["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, kept["PYTHONPATH"].split(os.pathsep)))
    return kept | {name: str(home) for name in names} | {"TERM": "dumb"}
