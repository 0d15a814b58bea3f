from __future__ import annotations

import pytest

from e2e.provision import Tools, provision


@pytest.fixture(scope="session")
def tools() -> Tools:
    """Everything a real editor needs. All these tests run in one process, so this happens once."""
    return provision()
