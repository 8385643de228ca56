"""Launch programs so that nothing of them stays behind, whatever happens to them or to us.

Every target runs under a guard process (guard.py says how that works). A guard costs a Python start-up, so
guards that did their work wait here for the next launch. This module starts no threads; every method may be
called from any thread.
"""

import errno
import os
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from server.process.executable import absolute_directory, resolve_executable
from server.process.guard_client import Failed, GuardClient, GuardLostError, LaunchRequest
from server.process.launch_error import LaunchError, LaunchFailure
from server.process.launched_process import AfterLife, LaunchedProcess

_IDLE_GUARDS_KEPT = 4
_MISSING = (errno.ENOENT, errno.ENOTDIR)


class Launcher:
    """Starts targets, one guard each. One launcher a server; close it at the end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[GuardClient] = []
        self._launching: set[GuardClient] = set()
        self._running: set[LaunchedProcess] = set()
        self._released: list[GuardClient] = []
        """Guards whose trees live on without us; kept only so that they can be reaped."""
        self._is_closed = False

    def warm_up(self) -> None:
        """Start one idle guard ahead of the first launch, unless there was a launch; does not wait for it."""
        with self._lock:
            if self._idle or self._launching or self._running or self._is_closed:
                return
        self._keep_or_close(_start_guard())

    def launch(self, argv: Sequence[str], *, cwd: str | None, env: Mapping[str, str] | None) -> LaunchedProcess:
        """Start `argv` in `cwd` with exactly `env` (None: our own, now); raises LaunchError.

        The program gets an empty standard input, its own session, default signals, and no descriptor of ours.
        """
        request = _make_request(argv, cwd, env)
        self._reap_released()
        while True:
            guard, was_idle = self._take_guard()
            try:
                return self._launch_under(guard, request)
            except GuardLostError as error:
                self._discard(guard)
                if not was_idle or self._is_closed:
                    raise LaunchError(LaunchFailure.OTHER, f"the guard process was lost: {error}") from error

    def close(self, timeout_s: float = 5.0) -> None:
        """End every target and every guard that was not released.

        Idempotent; takes at most a few seconds more than `timeout_s`.
        """
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
            launching, running = list(self._launching), list(self._running)
        # All at once first, so that the waits that follow run side by side.
        for guard in idle + launching:
            guard.hang_up()  # a launch in progress fails, and its thread discards the guard
        for process in running:
            process.request_end()
        deadline = time.monotonic() + timeout_s
        for process in running:
            process.end(max(0.1, deadline - time.monotonic()))
        for guard in idle:
            guard.close()
        self._reap_released()

    def _reap_released(self) -> None:
        with self._lock:
            self._released = [guard for guard in self._released if not guard.is_over()]

    def _take_guard(self) -> tuple[GuardClient, bool]:
        """Return a guard, and whether it was an idle one, which may have died since it was last heard of."""
        while True:
            with self._lock:
                self._refuse_when_closed()
                guard = self._idle.pop() if self._idle else None
                if guard is not None:
                    self._launching.add(guard)
            if guard is None:
                return self._new_guard(), False
            if guard.is_idle_and_alive():
                return guard, True
            self._discard(guard)

    def _new_guard(self) -> GuardClient:
        guard = _start_guard()
        with self._lock:
            if not self._is_closed:
                self._launching.add(guard)
                return guard
        guard.close()
        raise _closed_error()

    def _launch_under(self, guard: GuardClient, request: LaunchRequest) -> LaunchedProcess:
        try:
            pipes = _OutputPipes()
        except LaunchError:
            self._keep_or_close(guard)
            raise
        try:
            answer = guard.launch(request, pipes.stdout_in, pipes.stderr_in)
        except BaseException:
            pipes.close_reading_ends()
            raise
        finally:
            pipes.close_writing_ends()
        if isinstance(answer, Failed):
            pipes.close_reading_ends()
            self._keep_or_close(guard)
            raise _failure_to_error(answer, request)
        process = LaunchedProcess(answer.pid, guard, pipes.stdout_out, pipes.stderr_out, self._after_end)
        self._register(process, guard)
        return process

    def _register(self, process: LaunchedProcess, guard: GuardClient) -> None:
        with self._lock:
            self._launching.discard(guard)
            self._running.add(process)
            if not self._is_closed:
                return
        process.end()
        raise _closed_error()

    def _after_end(self, process: LaunchedProcess, guard: GuardClient, after: AfterLife) -> None:
        with self._lock:
            self._running.discard(process)
        match after:
            case AfterLife.REUSABLE:
                self._keep_or_close(guard)
            case AfterLife.BROKEN:
                self._discard(guard)
            case AfterLife.RELEASED:
                guard.part()
                with self._lock:
                    self._released.append(guard)

    def _keep_or_close(self, guard: GuardClient) -> None:
        with self._lock:
            self._launching.discard(guard)
            if not self._is_closed and len(self._idle) < _IDLE_GUARDS_KEPT:
                self._idle.append(guard)
                return
        guard.close()

    def _discard(self, guard: GuardClient) -> None:
        with self._lock:
            self._launching.discard(guard)
        guard.close()

    def _refuse_when_closed(self) -> None:
        if self._is_closed:
            raise _closed_error()


class _OutputPipes:
    """The two pipes between a target and the server."""

    def __init__(self) -> None:
        try:
            self.stdout_out, self.stdout_in = os.pipe()
            try:
                self.stderr_out, self.stderr_in = os.pipe()
            except OSError:
                self._close(self.stdout_out, self.stdout_in)
                raise
        except OSError as error:
            raise LaunchError(LaunchFailure.OTHER, f"no pipe for the program's output: {error}") from error

    def close_writing_ends(self) -> None:
        self._close(self.stdout_in, self.stderr_in)

    def close_reading_ends(self) -> None:
        self._close(self.stdout_out, self.stderr_out)

    @staticmethod
    def _close(*fds: int) -> None:
        for fd in fds:
            os.close(fd)


def _start_guard() -> GuardClient:
    try:
        return GuardClient()
    except OSError as error:
        raise LaunchError(LaunchFailure.OTHER, f"could not start a guard process: {error}") from error


def _make_request(argv: Sequence[str], cwd: str | None, env: Mapping[str, str] | None) -> LaunchRequest:
    if not argv:
        raise LaunchError(LaunchFailure.COMMAND_NOT_FOUND, "the command is empty")
    directory = _existing_directory(cwd)
    found = resolve_executable(argv[0], env, directory)
    # A path is run as it was written, since a script sees it as $0; a bare name is not a path yet.
    executable = argv[0] if "/" in argv[0] else found
    return LaunchRequest(executable, tuple(argv), directory, dict(os.environ if env is None else env))


def _existing_directory(cwd: str | None) -> str:
    directory = absolute_directory(cwd)
    if not directory.is_dir():
        raise LaunchError(LaunchFailure.DIRECTORY_MISSING, f"the working directory {directory} does not exist")
    return str(directory)


def _failure_to_error(failure: Failed, request: LaunchRequest) -> LaunchError:
    why = os.strerror(failure.errno)
    if failure.what == "cwd":
        reason = LaunchFailure.DIRECTORY_MISSING if failure.errno in _MISSING else LaunchFailure.OTHER
        return LaunchError(reason, f"cannot enter the working directory {request.cwd}: {why}")
    if failure.errno in _MISSING:
        return LaunchError(LaunchFailure.COMMAND_NOT_FOUND, _missing_file_message(request, why))
    if failure.errno in (errno.EACCES, errno.ENOEXEC):
        return LaunchError(LaunchFailure.NOT_EXECUTABLE, f"cannot execute {request.executable}: {why}")
    return LaunchError(LaunchFailure.OTHER, f"cannot start {request.executable}: {failure.message}")


def _missing_file_message(request: LaunchRequest, why: str) -> str:
    if Path(request.cwd, request.executable).exists():
        return f"cannot execute {request.executable}: the interpreter or loader that it names is missing"
    return f"cannot execute {request.executable}: {why}"


def _closed_error() -> LaunchError:
    return LaunchError(LaunchFailure.OTHER, "the server is shutting down; no program is started any more")
