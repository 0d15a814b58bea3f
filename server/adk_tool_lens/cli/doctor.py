"""`adk-tool-lens doctor`: what the answers depend on, for a person whose answers are not what they expect."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adk_tool_lens import __version__
from adk_tool_lens.cli.paint import Paint, wants_colour
from adk_tool_lens.cli.problem import UsageError
from adk_tool_lens.cli.run import Target, each, emit, folder_of, project_of, settings_of
from adk_tool_lens.declaration.cache import LEGACY_FLAG, default_cache_dir
from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.declaration.model import TOOL_NAME, Declared, Refused, Request, Stub, StubModule
from adk_tool_lens.ide.analysis import Analysis
from adk_tool_lens.ide.configuration import Configuration
from adk_tool_lens.ide.session import Project
from adk_tool_lens.project.ignore import WANTED
from adk_tool_lens.project.interpreters import candidates
from adk_tool_lens.project.scan import belongs, project_root

Facts = dict[str, Any]
_PROBE = f"def probe(text: str) -> dict:\n    '''Probe.'''\n\n\n{TOOL_NAME} = probe\n"


def run(arguments: argparse.Namespace) -> int:
    """Prints the facts; exit status 0, or 2 when no declaration can be built."""
    paths = [Path(text) for text in arguments.paths]
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder. Check the path.")
    files = [Target(path) for path in paths if path.is_file()]
    around = files or [Target(path / "__init__.py") for path in paths]
    project = project_of(arguments, around, quiet=True)
    try:
        facts: Facts = {
            "adk-tool-lens": _own(),
            "interpreters": _interpreters(arguments, around, project),
            "environment": _environment(project),
            "worker": _worker(project),
            "settings": _settings(arguments, around),
            "cache": _cache(default_cache_dir()),
            "files": [_file(project, target) for target in files],
        }
    finally:
        project.close()
    if arguments.output_format == "json":
        emit(json.dumps(facts, ensure_ascii=False, indent=2) + "\n")
    else:
        emit(_text(facts, Paint(wants_colour(arguments.color))))
    return 0 if facts["worker"]["works"] else 2


def _own() -> Facts:
    return {
        "version": __version__,
        "python": platform.python_version(),
        "interpreter": sys.executable,
        "platform": platform.platform(terse=True),
    }


def _interpreters(arguments: argparse.Namespace, found: list[Target], project: Project) -> list[Facts]:
    """All interpreters that were looked at, in order; the first is the one that counts."""
    chosen = project.interpreter
    rest = [
        each
        for each in candidates(folder_of(found), os.environ)
        if arguments.python is None or each.path != chosen.path
    ]
    if chosen not in rest:
        rest.insert(0, chosen)
    return [{"path": each.path, "why": each.why, "chosen": each == chosen} for each in rest]


def _settings(arguments: argparse.Namespace, found: list[Target]) -> str | None:
    """The file that the settings come from."""
    path = settings_of(arguments, found).path
    return None if path is None else str(path)


def _environment(project: Project) -> Facts:
    known = project.environment
    flag = os.environ.get(LEGACY_FLAG)
    return {
        "python": known.python if known else None,
        "google-adk": known.adk if known else None,
        "google-genai": known.genai if known else None,
        "pydantic": known.pydantic if known else None,
        "back end": project.backend.value,
        "problem": known.problem if known else None,
    } | ({LEGACY_FLAG: flag} if flag else {})


def _worker(project: Project) -> Facts:
    """Whether google-adk builds a declaration, and how long that takes with its import."""
    started = time.monotonic()
    client = DeclarationClient(project.interpreter.path)  # without the cache, which would hide a fault
    try:
        answer = client.declare(Request(Stub((StubModule("probe", _PROBE),)), project.backend))
    finally:
        client.close()
    seconds = round(time.monotonic() - started, 1)
    match answer:
        case Declared():
            return {"works": True, "seconds": seconds}
        case Refused(type=kind, message=message):
            return {"works": False, "seconds": seconds, "problem": f"{kind}: {message}"}
        case _:
            return {"works": False, "seconds": seconds, "problem": answer.reason}


def _cache(folder: Path) -> Facts:
    sizes = [_size(path) for path in folder.rglob("*")]
    return {"folder": str(folder), "files": sum(1 for size in sizes if size), "bytes": sum(sizes)}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def _file(project: Project, target: Target) -> Facts:
    """Whether a file is looked at, and what was found in it."""
    path = target.path.resolve()
    root = project_root(path)
    facts: Facts = {"path": str(target.path), "project": str(root), "left_out": _left_out(path, root)}
    (outcome,) = each(project, [target], _found)
    if outcome.problem is not None:
        return facts | {"problem": outcome.problem}
    return facts | (outcome.result or {})


def _found(_project: Project, _target: Target, analysis: Analysis) -> Facts:
    tools = [report.tool.qualname for report in analysis.reports]
    elsewhere = sorted({str(d.agents[0].whole.path) for d in analysis.elsewhere if d.agents})
    return {
        "agents": [agent.name or agent.variable or "?" for agent in analysis.agents],
        "tools": tools,
        "registered_in": elsewhere,
        "code_that_cannot_be_read": sum(1 for block in analysis.module.blocks if block.tree is None),
    }


def _left_out(path: Path, root: Path) -> str | None:
    """Why a file is not found when its folder is checked; None when it is."""
    if Configuration(path.parent).excludes(path):
        return "the `exclude` setting names it"
    for part in reversed([path, *path.parents]):
        if root in part.parents and not belongs(root, part):
            if part == path and path.suffix not in WANTED:
                return f"{path.name} is no Python file by its name"
            return f"{part} is ignored by git, or is a folder that never holds a project's own tools"
    return None


def _text(facts: Facts, paint: Paint) -> str:
    return "".join(f"{line}\n" for line in _lines(facts, paint))


def _lines(facts: Facts, paint: Paint) -> Iterator[str]:
    own, cache, worker = facts["adk-tool-lens"], facts["cache"], facts["worker"]
    yield f"{paint('adk-tool-lens', 'bold')} {own['version']}, Python {own['python']}, {own['platform']}"
    yield ""
    yield paint("Interpreters, the first that is there counts:", "bold")
    for each_one in facts["interpreters"]:
        mark = paint("->", "green") if each_one["chosen"] else "  "
        yield f"  {mark} {each_one['path']}  {paint(each_one['why'], 'dim')}"
    yield ""
    yield paint("The one that counts has:", "bold")
    for name, value in facts["environment"].items():
        if value is not None:
            yield f"  {name}: {paint(str(value), 'red') if name == 'problem' else value}"
    state = (
        f"builds declarations, the first after {worker['seconds']} s"
        if worker["works"]
        else paint(str(worker["problem"]), "red")
    )
    yield f"  worker: {state}"
    yield ""
    size = f"{cache['files']} files, {cache['bytes'] / 1e6:.1f} MB"
    yield f"{paint('Settings:', 'bold')} {facts['settings'] or 'no pyproject.toml'}"
    yield f"{paint('Cache:', 'bold')} {cache['folder']}, {size}"
    for file in facts["files"]:
        yield ""
        yield from _file_lines(file, paint)


def _file_lines(file: Facts, paint: Paint) -> Iterator[str]:
    yield paint(file["path"], "bold")
    yield f"  project: {file['project']}"
    if file["left_out"]:
        yield paint(f"  is left out when its folder is checked: {file['left_out']}", "yellow")
    if "problem" in file:
        yield paint(f"  {file['problem']}", "red")
        return
    yield f"  agents: {', '.join(file['agents']) or 'none'}"
    yield f"  tools: {', '.join(file['tools']) or 'none that any file of the project registers or wraps'}"
    if file["registered_in"]:
        yield f"  registered in: {', '.join(file['registered_in'])}"
    if file["code_that_cannot_be_read"]:
        yield f"  statements that are no Python: {file['code_that_cannot_be_read']}"
