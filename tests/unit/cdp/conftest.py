from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest


def _threads_and_descriptors() -> tuple[set[str], int]:
    return {thread.name for thread in threading.enumerate()}, len(os.listdir("/dev/fd"))  # noqa: PTH208 - a pseudo-file


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """No thread, socket or file descriptor outlives the test."""
    before = _threads_and_descriptors()
    yield
    assert _threads_and_descriptors() == before
