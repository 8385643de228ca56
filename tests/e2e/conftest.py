from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.e2e.programs import Gate, News
from tests.e2e.server_process import ServerProcess


@pytest.fixture(scope="session")
def shared_server() -> Iterator[ServerProcess]:
    """One server for the tests that leave it as they found it, after the handshake; it has to live to the end."""
    with ServerProcess() as server:
        server.initialize()
        yield server
        assert server.process.poll() is None, "the shared server died"


@pytest.fixture
def server() -> Iterator[ServerProcess]:
    """A server of the test's own, after the handshake."""
    with ServerProcess() as server:
        server.initialize()
        yield server


@pytest.fixture
def news(tmp_path: Path) -> Iterator[News]:
    news = News(tmp_path)
    yield news
    news.close()


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    gate = Gate(tmp_path)
    yield gate
    gate.close()


@pytest.fixture
def token() -> str:
    """A word that only the processes of this test have in their arguments."""
    return f"token-{uuid4().hex}"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
