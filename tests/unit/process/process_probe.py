"""Look at processes from outside, through /proc and process descriptors."""

import os
import select
import time
from collections.abc import Callable, Iterable
from pathlib import Path

BOUND_S = 30.0


def exists(pid: int) -> bool:
    """Whether there is such a process; a zombie counts."""
    return Path(f"/proc/{pid}").exists()


def pids_with_argument(token: str) -> set[int]:
    """Every process whose command line holds `token`: a forked process keeps that of its parent."""
    found: set[int] = set()
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            words = (directory / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if token.encode() in words:
            found.add(int(directory.name))
    return found


def children_of(pid: int) -> set[int]:
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        if int(text[text.rindex(")") + 2 :].split()[1]) == pid:
            found.add(int(stat.parent.name))
    return found


def state_of(pid: int) -> str:
    text = Path(f"/proc/{pid}/stat").read_text()
    return text[text.rindex(")") + 2]


def wait_for_death(pids: Iterable[int]) -> None:
    """Return when all are dead; fail when one lives on past the bound."""
    deadline = time.monotonic() + BOUND_S
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            poller = select.poll()
            poller.register(handle, select.POLLIN)
            left_ms = int(max(0.0, deadline - time.monotonic()) * 1000)
            assert poller.poll(left_ms), f"process {pid} is still alive"
        finally:
            os.close(handle)


def wait_until(holds: Callable[[], bool], what: str) -> None:
    """Poll a condition that nothing announces."""
    deadline = time.monotonic() + BOUND_S
    while not holds():
        assert time.monotonic() < deadline, f"not within {BOUND_S} s: {what}"
        time.sleep(0.005)
