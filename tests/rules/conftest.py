"""What tests of rules may use: `check_text`, which runs all rules with a real google-adk behind them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adk_tool_lens.declaration.client import DeclarationClient
from conftest import AdkPython
from rules.checking import CheckText, checker


@pytest.fixture(scope="session")
def check_text(adk_python: AdkPython) -> Iterator[CheckText]:
    """See `CheckText`; one worker an environment, kept for all tests of this folder."""
    clients: dict[str, DeclarationClient] = {}

    def client_for(version: str) -> DeclarationClient:
        if version not in clients:
            clients[version] = DeclarationClient(adk_python(version), timeout=60.0)
        return clients[version]

    yield checker(client_for)
    for client in clients.values():
        client.close()
