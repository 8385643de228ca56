"""What can be seen of a process that somebody else started."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from server.process.foreign_process import catches_signal, is_alive, listening_addresses, program_name


def test_processes_that_live_are_told_from_those_that_do_not() -> None:
    ended = subprocess.Popen(["true"])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and nobody has reaped it
    assert not is_alive(ended.pid)
    ended.wait()
    assert not is_alive(ended.pid)
    assert is_alive(os.getpid())


def test_program_is_named_by_its_file() -> None:
    assert program_name(os.getpid()) == Path(sys.executable).resolve().name


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "0.0.0.0"])
def test_sockets_that_listen_are_found_with_their_host(host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as listening:
        try:
            listening.bind((host, 0))
        except OSError:
            pytest.skip("this machine has no such address")
        listening.listen(1)
        port = listening.getsockname()[1]
        assert (host, port) in listening_addresses(os.getpid())
    assert (host, port) not in listening_addresses(os.getpid())


def test_process_that_is_gone_listens_nowhere() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert listening_addresses(ended.pid) == ()
    assert program_name(ended.pid) == ""
    assert catches_signal(ended.pid, signal.SIGUSR1) is None


def test_signals_that_are_caught_are_told() -> None:
    sleeper = subprocess.Popen(["sleep", "1000"])
    try:
        assert catches_signal(sleeper.pid, signal.SIGUSR1) is False
    finally:
        sleeper.kill()
        sleeper.wait()
    assert catches_signal(os.getpid(), signal.SIGINT) is True
