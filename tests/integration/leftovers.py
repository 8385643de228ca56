"""What a run could leave behind in this process and on this machine, counted from outside."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path

TOKEN_VARIABLE = "DEBUG_SCRIPT_TEST_TOKEN"
"""Set to a unique word in this process's environment, it marks every process that a run starts."""

_GUARD = b"server/process/guard.py"


@dataclass(frozen=True)
class Belongings:
    """What this process has: compare before and after."""

    threads: frozenset[str]
    descriptors: int
    """Open ones, without the socket that each idle guard is kept with."""

    @staticmethod
    def now() -> Belongings:
        """Look."""
        guards = [pid for pid in _all_pids() if _parent(pid) == os.getpid() and _is_guard(pid)]
        threads = frozenset(f"{thread.name} ({thread.ident})" for thread in threading.enumerate())
        return Belongings(threads, len(os.listdir("/proc/self/fd")) - len(guards))  # noqa: PTH208 - a pseudo-file


def processes_with_token(token: str) -> dict[int, str]:
    """Every process that was started with the token in its environment, but the guards: pid and command line."""
    wanted = f"{TOKEN_VARIABLE}={token}".encode()
    return {
        pid: _read(pid, "cmdline").replace(b"\0", b" ").decode("utf-8", "replace")
        for pid in _all_pids()
        if pid != os.getpid() and wanted in _read(pid, "environ").split(b"\0") and not _is_guard(pid)
    }


def _all_pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _is_guard(pid: int) -> bool:
    return _GUARD in _read(pid, "cmdline")


def _parent(pid: int) -> int:
    stat = _read(pid, "stat")
    return int(stat[stat.rindex(b")") + 2 :].split()[1]) if stat else 0


def _read(pid: int, file: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{file}").read_bytes()
    except OSError:  # it ended, or is not ours to look at
        return b""
