"""Processes that this server did not start: whether they live, what they are, and where they listen.

On Linux all of it comes from /proc. Elsewhere `ps` tells what a process is, and nobody tells where it listens.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

from server.process.guard import IS_LINUX

_LISTENING = "0A"
_PS_TIMEOUT_S = 5.0
Address = tuple[str, int]
"""Host and port."""


def is_alive(pid: int) -> bool:
    """Whether there is such a process, ours to look at or not. One that only waits to be reaped is none."""
    if IS_LINUX:
        stat = _read(pid, "stat")
        return bool(stat) and stat[stat.rindex(b")") + 2 :][:1] not in (b"Z", b"X")
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def program_name(pid: int) -> str:
    """The file name of what a process runs; empty where nobody tells."""
    if IS_LINUX:
        with contextlib.suppress(OSError):
            return Path(f"/proc/{pid}/exe").readlink().name.removesuffix(" (deleted)")
        # Somebody else's: the first word of the command line may be what it likes, but is seldom wrong.
        return Path(_read(pid, "cmdline").partition(b"\0")[0].decode("utf-8", "replace")).name
    command = ["/bin/ps", "-p", str(pid), "-o", "comm="]
    ps = subprocess.run(command, capture_output=True, check=False, text=True, timeout=_PS_TIMEOUT_S)
    return Path(ps.stdout.strip()).name


def catches_signal(pid: int, number: signal.Signals) -> bool | None:
    """Whether a process has a handler for a signal; None where nobody tells."""
    for line in _read(pid, "status").splitlines():
        if line.startswith(b"SigCgt:"):
            return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return None


def listening_addresses(pid: int) -> tuple[Address, ...]:
    """Where a process accepts TCP connections; raises PermissionError for one that is not ours to look at."""
    if not IS_LINUX:
        return ()
    inodes = frozenset(_socket_inodes(pid))
    found = [*_listening(pid, "net/tcp", inodes), *_listening(pid, "net/tcp6", inodes)]
    return tuple(dict.fromkeys(found))


def _socket_inodes(pid: int) -> Iterator[str]:
    try:
        descriptors = os.listdir(f"/proc/{pid}/fd")  # noqa: PTH208 - names only
    except FileNotFoundError:
        return
    for descriptor in descriptors:
        with contextlib.suppress(FileNotFoundError):  # closed since the listing
            target = str(Path(f"/proc/{pid}/fd/{descriptor}").readlink())
            if target.startswith("socket:["):
                yield target[len("socket:[") : -1]


def _listening(pid: int, table: str, inodes: frozenset[str]) -> Iterator[Address]:
    """The lines of a table of the process's own network: address, state and inode are the 2nd, 4th and 10th word."""
    for line in _read(pid, table).decode("ascii", "replace").splitlines()[1:]:
        words = line.split()
        if len(words) > 9 and words[3] == _LISTENING and words[9] in inodes:
            host, _, port = words[1].partition(":")
            yield _hexadecimal_to_host(host), int(port, 16)


def _hexadecimal_to_host(text: str) -> str:
    """The kernel writes each 32 bits of an address as one number of this machine's byte order."""
    raw = b"".join(struct.pack("=I", int(text[at : at + 8], 16)) for at in range(0, len(text), 8))
    return socket.inet_ntop(socket.AF_INET if len(raw) == 4 else socket.AF_INET6, raw)


def _read(pid: int, file: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{file}").read_bytes()
    except OSError:  # it ended, or is not ours to look at
        return b""
