"""Previews of whole projects equal what google-adk says of them when they are really imported."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adk_tool_lens.declaration.cache import LEGACY_FLAG
from adk_tool_lens.declaration.client import DeclarationClient
from conftest import AdkPython
from declaration.comparing import Comparer
from declaration.conftest import ClientFor

PROJECTS = Path(__file__).parents[2] / "fixtures" / "declarations" / "projects"
VERSIONS = ("1.39.1", "2.9.0", "2.13.0")
UNKNOWABLE = {"looped", "conditional"}
"""Tools of the fixtures with a default that only running the code tells."""
FILES = sorted(path.relative_to(PROJECTS) for path in PROJECTS.rglob("tools.py"))
ComparerFor = Callable[[str], Comparer]


@pytest.fixture(scope="module")
def comparer_for(adk_python: AdkPython, client_for: ClientFor) -> Iterator[ComparerFor]:
    comparers: dict[str, Comparer] = {}

    def comparer(version: str) -> Comparer:
        if version not in comparers:
            comparers[version] = Comparer(adk_python(version), client_for(version))
        return comparers[version]

    yield comparer
    for one in comparers.values():
        one.truth.close()


def elements_of(path: Path, name: str) -> list[str]:
    """The elements of `TOOLS = [...]` or of `UNSURE = [...]`, as written."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            assert isinstance(node.value, ast.List)
            return [ast.unparse(element) for element in node.value.elts]
    return []


def oldest_python(folder: str) -> tuple[int, int]:
    """`python311_types` is for Python 3.11 and newer."""
    named = re.match(r"python3(\d+)", folder)
    return (3, int(named[1])) if named else (3, 10)


@pytest.fixture(scope="module")
def old_form(adk_python: AdkPython) -> Iterator[Comparer]:
    """The newest google-adk, made to build declarations as 1.x did."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LEGACY_FLAG, "1")
        client = DeclarationClient(adk_python("2.13.0"), timeout=60.0)
        comparer = Comparer(adk_python("2.13.0"), client)
        yield comparer
        comparer.truth.close()
        client.close()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("file", FILES, ids=str)
def test_every_tool_of_a_project(comparer_for: ComparerFor, version: str, file: Path) -> None:
    check(comparer_for(version), file)


@pytest.mark.parametrize("file", FILES, ids=str)
def test_every_tool_in_the_old_form(old_form: Comparer, file: Path) -> None:
    check(old_form, file)


def check(comparer: Comparer, file: Path) -> None:
    if comparer.version < oldest_python(file.parts[0]):
        return
    folder = PROJECTS / file.parts[0]
    module = ".".join((PROJECTS / file).relative_to(folder).with_suffix("").parts)
    sure, unsure = (elements_of(PROJECTS / file, name) for name in ("TOOLS", "UNSURE"))
    compared = comparer.compare(folder, module, [*sure, *unsure])
    assert compared
    silent = [str(comparison) for comparison in compared if comparison.silent]
    assert not silent, "\n".join(silent)
    vague = [str(each) for each in compared if each.reasons and each.expression in {*sure} - UNKNOWABLE]
    assert not vague, "\n".join(vague)
