"""What is left of a tree whose guard was killed.

A guard is the reaper of its tree (guard.py). When the guard itself is killed, the kernel gives what is left of the tree
to the next reaper above, which on Linux is this process once it has called `adopt_orphans`. From then on a new child of
this process is either a guard or such an orphan, so it must start no others.

The state here is the process's own, like its children. Every function may be called from any thread.
"""

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Callable

from server.process import guard as guard_program

_KILL_TIMEOUT_S = 2.0
_LOOK_AGAIN_S = 0.005

_is_adopting = threading.Event()
_known_children: set[int] = set()
_children_lock = threading.Lock()  # held while a guard starts, so that it is not taken for an orphan meanwhile


def adopt_orphans() -> None:
    """Become the parent of every descendant that loses its own, for as long as this process lives."""
    if guard_program.IS_LINUX and guard_program.become_subreaper(guard_program.load_prctl()):
        # A program that replaced itself by this one may have had children: they are none of our business.
        _known_children.update(_find_orphans())
        _is_adopting.set()


def start_guard(start: Callable[[], subprocess.Popen[bytes]]) -> subprocess.Popen[bytes]:
    """Start a guard as a known child."""
    with _children_lock:
        process = start()
        _known_children.add(process.pid)
    return process


def forget_guard(process: subprocess.Popen[bytes]) -> None:
    """Take note that a guard is over, and end what it left behind when it did not leave by itself."""
    with _children_lock:
        _known_children.discard(process.pid)
    if process.returncode != 0 and _is_adopting.is_set():
        _kill_orphans()


def _kill_orphans() -> None:
    # The children of those that are killed are our orphans next, so this goes on until there are none.
    give_up_at = time.monotonic() + _KILL_TIMEOUT_S
    while (orphans := _find_orphans()) and time.monotonic() < give_up_at:
        for pid in orphans:
            guard_program.kill_quietly(pid)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(_LOOK_AGAIN_S)


def _find_orphans() -> list[int]:
    me = os.getpid()
    with _children_lock:
        return [
            entry.pid
            for entry in guard_program.read_process_table()
            if entry.parent == me and entry.pid not in _known_children
        ]
