"""Whatever is written: the preview is google-adk's own answer, and what can be known is not approximate."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings

from conftest import AdkPython
from declaration.comparing import Comparer
from declaration.conftest import ClientFor
from declaration.generated import Project, projects

pytestmark = pytest.mark.xdist_group("generated projects")
EXAMPLES = int(os.environ.get("ADK_TOOL_LENS_EXAMPLES", "80"))
"""Projects a version, of a few tools each and under two back ends."""


@dataclass
class Bench:
    """Where projects are written and compared."""

    comparer: Comparer
    folder: Path
    compared: int = 0
    refused: list[str] = field(default_factory=list)

    def write(self, project: Project) -> Path:
        self.compared += 1
        folder = self.folder / str(self.compared)
        folder.mkdir()
        for name, text in project.files.items():
            (folder / f"{name}.py").write_text(text, "utf-8", newline="")
        return folder


@pytest.fixture(scope="module", params=["1.39.1", "2.9.0", "2.13.0"])
def bench(
    request: pytest.FixtureRequest,
    adk_python: AdkPython,
    client_for: ClientFor,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Bench]:
    version = request.param
    comparer = Comparer(adk_python(version), client_for(version))
    bench = Bench(comparer, tmp_path_factory.mktemp(version))
    yield bench
    comparer.truth.close()
    assert bench.compared > EXAMPLES // 2
    assert len(bench.refused) < bench.compared / 5, "most projects can be imported"


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(project=projects())
def test_a_preview_is_the_live_declaration(bench: Bench, project: Project) -> None:
    folder = bench.write(project)
    try:
        comparisons = bench.comparer.compare(folder, "tools", project.tools)
    except ImportError as error:
        event(f"cannot be imported: {str(error)[:60]}")
        bench.refused.append(str(error))
        return
    for comparison in comparisons:
        assert not comparison.silent, f"{comparison}\n{project.files}"
        if comparison.expression not in project.unsure:
            assert not comparison.reasons, f"{comparison}\n{project.files}"
