from collections.abc import Iterator
from uuid import uuid4

import pytest

from server.process import Launcher
from tests.unit.process.event_inbox import EventInbox


@pytest.fixture
def launcher() -> Iterator[Launcher]:
    launcher = Launcher()
    yield launcher
    launcher.close()


@pytest.fixture
def inbox() -> EventInbox:
    return EventInbox()


@pytest.fixture
def token() -> str:
    """A word that only the processes of this test have in their arguments."""
    return f"token-{uuid4().hex}"
