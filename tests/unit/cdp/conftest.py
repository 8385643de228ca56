from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """No thread, socket or file descriptor outlives the test; what was there before may end meanwhile."""
    threads, open_files = set(threading.enumerate()), _open_files()
    yield
    assert set(threading.enumerate()) - threads == set()
    assert _open_files() - open_files == set()


def _open_files() -> set[tuple[int, int]]:
    """What the descriptors of this process stand for: sockets and pipes have numbers of their own too."""
    return {found for name in os.listdir("/dev/fd") if (found := _open_file(int(name)))}  # noqa: PTH208 - a pseudo-file


def _open_file(descriptor: int) -> tuple[int, int] | None:
    try:
        status = os.fstat(descriptor)
    except OSError:  # the one with which they were listed
        return None
    return status.st_dev, status.st_ino
