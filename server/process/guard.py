"""The guard: a tiny program between the server and a target, so that no descendant of the target outlives it.

Run as `python -I -S guard.py <fd>`, where fd is one end of a Unix stream socket; only the server holds the
other. The file imports nothing from this project, so that it starts fast and depends on nothing.

Messages are JSON objects, each after its length in 4 bytes (big-endian):
  server -> guard   launch {executable, argv, cwd, env}, with the descriptors for stdout and stderr attached
                    end {}
                    release {}, with the descriptors from which the target's output is read attached
  guard -> server   started {pid} or failed {what, errno, message}; exited {code, signal}; ended {survivors};
                    released {}
Strings that name files or arguments carry raw bytes as Latin-1, since operating systems allow any byte there.

Why nothing gets away on Linux: the guard is a "child subreaper", so a process whose parent dies becomes the
guard's child, whatever sessions it opened and however often it forked. The tree is gone exactly when the
guard has no children. The socket reaches its end when the server is gone, even by SIGKILL; the guard then
kills the tree and exits. If the guard itself is killed, the kernel kills the target (parent death signal), and the
server the rest (orphans.py).

A tree that is released belongs to nobody any more. The guard then stays only as the reader of its output, which it
throws away, and leaves when the last process of the tree has ended.

On macOS there is no subreaper: the guard kills the target's process group and what a walk through `ps` finds
below the target. A daemon that left the group *and* lost its parent before the kill is not found.
"""

import contextlib
import errno
import json
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

HEADER_BYTES = 4
IS_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
# SIGCHLD tells when to look again; the bound is for kills without effect yet (a tracer, a stuck disk).
_DEATH_WAIT_MS = 100
# How long children may exist without being visible in /proc before they are reported as survivors.
_UNSEEN_CHILD_PATIENCE_S = 2.0
_PS_WALKS = 3

Message = dict[str, Any]
Prctl = Callable[[int, int], int]


class ProcessEntry(NamedTuple):
    """One line of the system's process table."""

    pid: int
    parent: int
    group: int
    session: int
    is_zombie: bool


def read_process_table() -> list[ProcessEntry]:
    """Return every process that is visible to us."""
    return list(_processes_in_proc()) if IS_LINUX else list(processes_from_ps())


def descendants_of(root: int, table: list[ProcessEntry]) -> list[ProcessEntry]:
    """Return the processes below `root`, parents before children."""
    below: list[ProcessEntry] = []
    parents = [root]
    while parents:
        found = [entry for entry in table if entry.parent in parents]
        below += found
        parents = [entry.pid for entry in found]
    return below


def _processes_in_proc() -> Iterator[ProcessEntry]:
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib costs a third of the time of the whole scan
        if name.isdigit():
            with contextlib.suppress(OSError):  # it ended since the listing
                yield _stat_line_to_entry(_read_small_file(f"/proc/{name}/stat"))


def _read_small_file(path: str) -> bytes:
    fd = os.open(path, os.O_RDONLY)
    try:
        return os.read(fd, 65536)
    finally:
        os.close(fd)


def _stat_line_to_entry(line: bytes) -> ProcessEntry:
    # The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    pid, _, rest = line.partition(b" ")
    state, parent, group, session = rest[rest.rindex(b")") + 2 :].split(b" ", 4)[:4]
    return ProcessEntry(int(pid), int(parent), int(group), int(session), state in (b"Z", b"X"))


def processes_from_ps() -> Iterator[ProcessEntry]:
    """Read the process table where there is no /proc."""
    import subprocess  # slow to import, and not needed on Linux

    command = ["/bin/ps", "-axo", "pid=,ppid=,pgid=,stat="]
    for line in subprocess.run(command, capture_output=True, check=False).stdout.splitlines():
        pid, parent, group, state = line.split()[:4]
        yield ProcessEntry(int(pid), int(parent), int(group), int(group), state.startswith(b"Z"))


def _own_children() -> list[int]:
    me = os.getpid()
    # Many kernels list the children; the file may leave some out while others die, so empty proves nothing.
    with contextlib.suppress(OSError):
        if listed := _read_small_file(f"/proc/self/task/{me}/children").split():
            return [int(pid) for pid in listed]
    return [entry.pid for entry in _processes_in_proc() if entry.parent == me]


def _kill_with_group(pid: int) -> bool:
    """SIGKILL a child that is not reaped yet, and its process group; False when we may not."""
    with contextlib.suppress(OSError):
        group = os.getpgid(pid)
        # A signal to a group reaches all members at one instant: a chain of forks cannot run ahead of it.
        if group != os.getpgrp():
            os.killpg(group, signal.SIGKILL)
    return kill_quietly(pid)


def kill_quietly(pid: int) -> bool:
    """SIGKILL a process; False when we may not. One that is gone already counts as killed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except PermissionError:
        return False
    except ProcessLookupError:
        pass
    return True


def kill_by_ps_walk(target: int) -> int:
    """Kill the target's group and all that `ps` shows below the target, which must not have been reaped yet.

    Returns how many could not be killed. The walk is repeated for processes that were forked meanwhile.
    """
    doomed: set[int] = {target}
    refused: set[int] = set()
    for _ in range(_PS_WALKS):
        table = list(processes_from_ps())
        found = {entry.pid for entry in table if entry.group == target and not entry.is_zombie}
        for root in doomed:
            found |= {entry.pid for entry in descendants_of(root, table) if not entry.is_zombie}
        with contextlib.suppress(OSError):
            os.killpg(target, signal.SIGKILL)
        refused |= {pid for pid in found if not kill_quietly(pid)}
        if found <= doomed:
            break
        doomed |= found
    return len(refused)


class _ServerGoneError(Exception):
    """The control socket reached its end."""


class _LaunchFailedError(Exception):
    """The child could not become the target; carries the `failed` message."""

    def __init__(self, report: Message) -> None:
        super().__init__(report)
        self.report = report


class Guard:
    """Serves one launch at a time, until the server is gone."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._prctl = load_prctl()
        self._target: int | None = None  # until it is reaped; its number is safe to signal only that long
        self._death_pipe = _pipe_written_on_child_death()
        if IS_LINUX:
            become_subreaper(self._prctl)
        for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(ignored, signal.SIG_IGN)  # only the end of the socket ends a guard

    def serve(self) -> None:
        """Obey the server until it is gone; then, whatever happened, leave nothing behind that was not released."""
        outputs: list[int] | None = None
        try:
            outputs = self._obey_until_release()
        except _ServerGoneError:
            pass
        finally:
            if outputs is None:
                self._kill_tree()
        if outputs is not None:
            self._read_on(outputs)

    def _obey_until_release(self) -> list[int]:
        poller = select.poll()
        poller.register(self._control, select.POLLIN)
        poller.register(self._death_pipe, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poller.poll()}
            if self._death_pipe in ready:
                self._reap()
            if self._control.fileno() not in ready:
                continue
            request, fds = self._receive()
            if request["kind"] == "release":
                self._send(kind="released")
                return fds
            self._obey(request, fds)

    def _obey(self, request: Message, fds: list[int]) -> None:
        if request["kind"] == "launch":
            self._launch(request, fds)
        elif request["kind"] == "end":
            self._send(kind="ended", survivors=self._kill_tree())

    def _read_on(self, outputs: list[int]) -> None:
        """Take what the tree writes, so that it can go on writing, for as long as there is anybody."""
        self._control.close()
        poller = select.poll()
        poller.register(self._death_pipe, select.POLLIN)
        for output in outputs:
            os.set_blocking(output, False)
            poller.register(output, select.POLLIN)
        while self._has_children():
            for fd, _ in poller.poll():
                if fd != self._death_pipe and _is_at_its_end(fd):
                    poller.unregister(fd)

    def _launch(self, request: Message, fds: list[int]) -> None:
        try:
            self._target = _start_target(request, fds, self._prctl)
        except _LaunchFailedError as failure:
            self._send(kind="failed", **failure.report)
        else:
            self._send(kind="started", pid=self._target)
        finally:
            # A copy kept here would hold back the end of the stream.
            for fd in fds:
                os.close(fd)

    def _kill_tree(self) -> int:
        """Kill everything below us and return how many we may not kill."""
        if not IS_LINUX:
            return self._kill_tree_without_subreaper()
        if self._target is not None and _kill_with_group(self._target):
            self._await_deaths({self._target})
        give_up_at = time.monotonic() + _UNSEEN_CHILD_PATIENCE_S
        while self._has_children():
            verdicts = {pid: _kill_with_group(pid) for pid in _own_children()}
            killed = {pid for pid, was_killed in verdicts.items() if was_killed}
            if verdicts and not killed:
                return len(verdicts)
            if not verdicts and time.monotonic() > give_up_at:
                return 1
            self._await_deaths(killed)
        return 0

    def _kill_tree_without_subreaper(self) -> int:
        if self._target is None:
            return 0
        refused = kill_by_ps_walk(self._target)
        self._await_deaths({self._target})
        return refused

    def _has_children(self) -> bool:
        self._reap()
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return False
        return True

    def _await_deaths(self, killed: set[int]) -> None:
        """Wait until all of `killed` are reaped, or for a while; with none given, until any child ends."""
        poller = select.poll()
        poller.register(self._death_pipe, select.POLLIN)
        while poller.poll(_DEATH_WAIT_MS):
            killed = killed - self._reap()
            if not killed:
                return

    def _reap(self) -> set[int]:
        """Collect every dead child, and report the target's end when it is among them."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self._death_pipe, 4096):
                pass
        reaped: set[int] = set()
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    break
                reaped.add(pid)
                if pid == self._target:
                    self._report_exit(os.waitstatus_to_exitcode(status))
        return reaped

    def _report_exit(self, code: int) -> None:
        self._target = None
        self._send(kind="exited", code=code if code >= 0 else None, signal=-code if code < 0 else None)

    def _send(self, **message: Any) -> None:
        body = json.dumps(message).encode()
        with contextlib.suppress(OSError):  # the server is gone; reading will say so
            self._control.sendall(len(body).to_bytes(HEADER_BYTES, "big") + body)

    def _receive(self) -> tuple[Message, list[int]]:
        try:
            header, fds, _, _ = socket.recv_fds(self._control, HEADER_BYTES, 2)
            for fd in fds:
                os.set_inheritable(fd, False)
            header += self._receive_exactly(HEADER_BYTES - len(header)) if header else b""
            if not header:
                raise _ServerGoneError
            return json.loads(self._receive_exactly(int.from_bytes(header, "big"))), fds
        except OSError as error:
            raise _ServerGoneError from error

    def _receive_exactly(self, count: int) -> bytes:
        received = bytearray()
        while len(received) < count:
            part = self._control.recv(count - len(received))
            if not part:
                raise _ServerGoneError
            received += part
        return bytes(received)


def load_prctl() -> Prctl:
    """Return the system call of that name; one that does nothing where there is none."""
    if not IS_LINUX:
        return lambda _option, _value: 0
    import ctypes

    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4

    def call(option: int, value: int) -> int:
        return int(prctl(option, value, 0, 0, 0))

    return call


def become_subreaper(prctl: Prctl) -> bool:
    """Make this process the next parent of every descendant that loses its own; False when the kernel refuses."""
    return prctl(_PR_SET_CHILD_SUBREAPER, 1) == 0


def _is_at_its_end(pipe: int) -> bool:
    """Throw away what a pipe holds; whether nobody can write to it any more."""
    try:
        while os.read(pipe, 65536):
            pass
    except BlockingIOError:
        return False
    return True


def _pipe_written_on_child_death() -> int:
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    return read_end


def _start_target(request: Message, fds: list[int], prctl: Prctl) -> int:
    """Fork and exec; return the pid once exec succeeded, or raise _LaunchFailedError."""
    guard_pid = os.getpid()
    report_in, report_out = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become_target(request, fds, report_out, guard_pid, prctl)
    os.close(report_out)
    # A successful exec closes the child's end of this pipe, which is the news that we wait for.
    with open(report_in, "rb") as pipe:  # noqa: PTH123 - a descriptor, not a path
        report = pipe.read()
    if not report:
        return pid
    os.waitpid(pid, 0)
    raise _LaunchFailedError(json.loads(report))


def _become_target(request: Message, fds: list[int], report_out: int, guard_pid: int, prctl: Prctl) -> NoReturn:
    what = "command"
    try:
        os.setsid()
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guard_pid:
            os._exit(1)  # the guard died before the death signal was in place
        _take_standard_streams(fds)
        _reset_signals()
        what = "cwd"
        os.chdir(_as_bytes(request["cwd"]))
        what = "command"
        environment = {_as_bytes(name): _as_bytes(value) for name, value in request["env"].items()}
        os.execve(_as_bytes(request["executable"]), [_as_bytes(word) for word in request["argv"]], environment)
    except BaseException as error:
        number = error.errno if isinstance(error, OSError) else errno.EINVAL
        report = {"what": what, "errno": number, "message": str(error)}
        os.write(report_out, json.dumps(report).encode())
    finally:
        os._exit(127)


def _as_bytes(text: str) -> bytes:
    return text.encode("latin-1")


def _take_standard_streams(fds: list[int]) -> None:
    # Our own standard streams are /dev/null, so stdin is right already and the fds given are above 2.
    os.dup2(fds[0], 1)
    os.dup2(fds[1], 2)


def _reset_signals() -> None:
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        if signal.getsignal(number) is not signal.SIG_DFL:
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def main() -> NoReturn:
    """Serve the socket whose number is the first argument."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    try:
        Guard(control).serve()
    finally:
        os._exit(0)  # skips the interpreter's own cleaning up, which is most of the cost of ending


if __name__ == "__main__":
    main()
