"""What tests of repairs may use: one declaration worker an environment, kept for the folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from adk_tool_lens.declaration.client import DeclarationClient
from adk_tool_lens.fixes import catalogue
from conftest import AdkPython

ClientFor = Callable[[str], DeclarationClient]


@pytest.fixture(scope="session")
def client_for(adk_python: AdkPython) -> Iterator[ClientFor]:
    """`client_for("2.9.0")` asks that google-adk."""
    clients: dict[str, DeclarationClient] = {}

    def of(version: str) -> DeclarationClient:
        if version not in clients:
            clients[version] = DeclarationClient(adk_python(version), timeout=60.0)
        return clients[version]

    yield of
    for client in clients.values():
        client.close()


@pytest.fixture(autouse=True)
def bugs_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repair that raises fails the test."""
    monkeypatch.setattr(catalogue, "RAISE_BUGS", True)
