from __future__ import annotations

from collections.abc import Generator, Iterator

import pytest

from e2e.provision import Tools, provision

FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def tools() -> Tools:
    """Everything a real editor needs. All these tests run in one process, so this happens once."""
    return provision()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(autouse=True)
def picture_of_a_failure(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if request.node.stash.get(FAILED, False) and "bench" in request.fixturenames:
        request.getfixturevalue("bench").shot(f"failed-{request.node.name}")
