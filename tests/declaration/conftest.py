"""Clients of real environments, shared by all tests of this folder: an import takes seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from adk_tool_lens.declaration.client import DeclarationClient
from conftest import AdkPython

ClientFor = Callable[[str], DeclarationClient]


@pytest.fixture(scope="session")
def client_for(adk_python: AdkPython) -> Iterator[ClientFor]:
    """`client_for("2.9.0")` asks this google-adk; nothing is kept on disk."""
    clients: dict[str, DeclarationClient] = {}

    def client(version: str) -> DeclarationClient:
        if version not in clients:
            clients[version] = DeclarationClient(adk_python(version), timeout=60.0)
        return clients[version]

    yield client
    for one in clients.values():
        one.close()
