"""Interpreters that misbehave: small scripts in the place of Python."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent

PRELUDE = """
import json, os, sys, time
from pathlib import Path
HELLO = {"hello": {"protocol": 1, "python": "3.12.1", "adk": "2.9.0", "genai": "1", "pydantic": "2"}}
def say(message):
    print(json.dumps(message), flush=True)
def requests():
    for line in sys.stdin:
        yield json.loads(line)
def questions():
    for request in requests():
        if request["op"] == "warm":
            say({"id": request["id"], "warmed": True})
        else:
            yield request
def declared(request, name="f", **more):
    say({"id": request["id"], **more, "declared": {"tool_class": "FunctionTool", "name": name,
         "declaration": {"name": name}, "provider_form": None, "logs": []}})
def starts():
    path = Path(__file__).with_suffix(".starts")
    with path.open("a") as file:
        file.write(".")
    return len(path.read_text())
"""
OBEDIENT = """
starts()
say(HELLO)
for request in questions():
    declared(request)
"""
"""Answers each question, as a worker does."""


def fake(folder: Path, body: str, name: str = "fake") -> Path:
    """An executable that runs `body` instead of a worker; `starts()` counts its processes."""
    script = folder / f"{name}.py"
    script.write_text(PRELUDE + dedent(body), "utf-8")
    executable = folder / name
    executable.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}"\n', "utf-8")
    executable.chmod(0o755)
    return executable


def starts_of(executable: Path) -> int:
    """How many processes of the fake interpreter there were."""
    counter = executable.with_suffix(".starts")
    return len(counter.read_text()) if counter.exists() else 0
