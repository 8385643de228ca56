"""The server's side of one guard process: start it, ask it, hear it, be rid of it.

This module starts no threads. At any time one thread reads from a guard (the launching thread, then the exit
thread of the launched process); any thread may send `end` or hang up.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from server.process import guard as guard_program
from server.process.orphans import forget_guard, start_guard
from server.process.process_events import ExitStatus, signal_number_to_name

_GUARD_FILE = Path(guard_program.__file__).resolve()
_LAUNCH_ANSWER_TIMEOUT_S = 15.0
_GUARD_EXIT_TIMEOUT_S = 2.0
_FORCED_KILL_TIMEOUT_S = 2.0


class GuardLostError(Exception):
    """The guard is gone, or does not answer."""


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """Everything a guard needs to start a target."""

    executable: str
    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Started:
    """The target runs."""

    pid: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The target could not be started: `what` is "command" or "cwd"."""

    what: str
    errno: int
    message: str


@dataclass(frozen=True, slots=True)
class Exited:
    """The target itself ended."""

    status: ExitStatus


@dataclass(frozen=True, slots=True)
class Ended:
    """The whole tree is gone, but for `survivors` processes that the guard may not kill."""

    survivors: int


@dataclass(frozen=True, slots=True)
class Released:
    """The tree is nobody's any more, and the guard has nothing more to say."""


GuardAnswer: TypeAlias = Started | Failed | Exited | Ended | Released


class GuardClient:
    """A running guard process."""

    def __init__(self) -> None:
        # Sockets are made close-on-exec, so `ours` reaches no other process: its end is the guard's end.
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with theirs:
                self._process = start_guard(lambda: _start_guard_process(theirs.fileno()))
        except BaseException:
            ours.close()
            raise
        self._socket = ours

    @property
    def pid(self) -> int:
        """The guard's process id."""
        return self._process.pid

    def is_idle_and_alive(self) -> bool:
        """Whether an idle guard can be used: it has nothing to say, not even goodbye."""
        self._socket.setblocking(False)
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        finally:
            self._socket.setblocking(True)
        return False

    def launch(self, request: LaunchRequest, stdout: int, stderr: int) -> Started | Failed:
        """Start a target that writes to the two descriptors given; raises GuardLostError."""
        self._send_with_fds(_request_to_message(request), [stdout, stderr])
        answer = self.receive(_LAUNCH_ANSWER_TIMEOUT_S)
        if not isinstance(answer, Started | Failed):
            raise GuardLostError(f"unexpected answer to a launch: {answer}")
        return answer

    def request_end(self) -> None:
        """Ask for the death of the whole tree; `Ended` will follow. Any thread may call this."""
        body = json.dumps({"kind": "end"}).encode()
        with contextlib.suppress(OSError):  # a lost guard is noticed by the reader
            self._socket.sendall(len(body).to_bytes(guard_program.HEADER_BYTES, "big") + body)

    def request_release(self, outputs: Sequence[int]) -> None:
        """Ask that the tree live on whatever becomes of us, its output read by the guard; `Released` will follow."""
        self._send_with_fds({"kind": "release"}, outputs)

    def receive(self, timeout_s: float | None = None) -> GuardAnswer:
        """Wait for the guard's next message; raises GuardLostError at its end or after `timeout_s`."""
        try:
            self._socket.settimeout(timeout_s)
            size = int.from_bytes(self._receive_exactly(guard_program.HEADER_BYTES), "big")
            message: dict[str, Any] = json.loads(self._receive_exactly(size))
            self._socket.settimeout(None)
        except OSError as error:
            raise GuardLostError(str(error)) from error
        return _message_to_answer(message)

    def _send_with_fds(self, message: dict[str, Any], fds: Sequence[int]) -> None:
        body = json.dumps(message).encode()
        try:
            header = len(body).to_bytes(guard_program.HEADER_BYTES, "big")
            socket.send_fds(self._socket, [header], list(fds))
            self._socket.sendall(body)
        except OSError as error:
            raise GuardLostError(str(error)) from error

    def _receive_exactly(self, count: int) -> bytes:
        received = bytearray()
        while len(received) < count:
            part = self._socket.recv(count - len(received))
            if not part:
                raise GuardLostError("the guard closed its socket")
            received += part
        return bytes(received)

    def hang_up(self) -> None:
        """Let the guard kill its tree and exit, and wake the thread that reads from it. For any thread."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Hang up, wait for the guard's exit, and use force when it does not come. Leaves no zombie."""
        self.hang_up()
        try:
            self._process.wait(_GUARD_EXIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill_with_descendants()
        forget_guard(self._process)
        self._socket.close()

    def part(self) -> None:
        """Have no more to do with a guard that was asked to release its tree; it may outlive us."""
        self._socket.close()

    def is_over(self) -> bool:
        """Whether a guard that we parted from has left; it is not waited for."""
        if self._process.poll() is None:
            return False
        forget_guard(self._process)
        return True

    def kill_with_descendants(self) -> None:
        """Do a guard's work from outside, for one that does not answer, and kill it as well."""
        self.hang_up()
        if self._process.poll() is None:
            _kill_below(self._process.pid)
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_FORCED_KILL_TIMEOUT_S)


def kill_session(leader: int) -> None:
    """Kill what is left of a target's session when its guard is gone and nobody else can."""
    with contextlib.suppress(OSError):
        os.killpg(leader, signal.SIGKILL)
    for entry in guard_program.read_process_table():
        if entry.session == leader:
            guard_program.kill_quietly(entry.pid)


def _kill_below(root: int) -> None:
    # While the root lives, orphans gather under it (Linux): one look that finds nobody alive is enough.
    give_up_at = time.monotonic() + _FORCED_KILL_TIMEOUT_S
    while time.monotonic() < give_up_at:
        below = guard_program.descendants_of(root, guard_program.read_process_table())
        alive = [entry for entry in below if not entry.is_zombie]
        if not alive:
            return
        for entry in alive:
            guard_program.kill_quietly(entry.pid)


def _start_guard_process(control_fd: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(_GUARD_FILE), str(control_fd)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # ours may be a client's pipe, which must not outlive us
        cwd="/",  # a guard should not keep a directory busy
        pass_fds=(control_fd,),
        start_new_session=True,  # Ctrl-C in a terminal is meant for the server
    )


def _request_to_message(request: LaunchRequest) -> dict[str, Any]:
    return {
        "kind": "launch",
        "executable": _as_raw(request.executable),
        "argv": [_as_raw(word) for word in request.argv],
        "cwd": _as_raw(request.cwd),
        "env": {_as_raw(name): _as_raw(value) for name, value in request.env.items()},
    }


def _as_raw(text: str) -> str:
    # Byte for byte: the guard need not share our file system encoding, and JSON cannot hold bytes.
    return os.fsencode(text).decode("latin-1")


def _message_to_answer(message: dict[str, Any]) -> GuardAnswer:
    match message:
        case {"kind": "started", "pid": pid}:
            return Started(pid)
        case {"kind": "failed", "what": what, "errno": errno, "message": text}:
            return Failed(what, errno, text)
        case {"kind": "exited", "code": code, "signal": number}:
            return Exited(ExitStatus(code, None if number is None else signal_number_to_name(number)))
        case {"kind": "ended", "survivors": survivors}:
            return Ended(survivors)
        case {"kind": "released"}:
            return Released()
        case _:
            raise GuardLostError(f"not a guard's message: {message}")
