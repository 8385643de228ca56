"""A target that runs under a guard.

| thread                         | owns                         | may do                                   |
|--------------------------------|------------------------------|------------------------------------------|
| owner (whoever launched)       | the process's life           | start_pumps, end, release                |
| stdout:<name>, stderr:<name>   | one pipe each (pipe_pump.py) | deliver OutputChunk, then StreamEnded    |
| exit:<name>                    | reading from the guard       | deliver ProcessExited, once; kill the    |
|                                |                              | session of a target whose guard was lost |
| the one that closes a launcher | nothing                      | request_end, end                         |
"""

import os
import threading
import time
from collections.abc import Callable
from enum import Enum

from server.process.guard_client import Ended, Exited, GuardClient, GuardLostError, Released, kill_session
from server.process.pipe_pump import PipePump
from server.process.process_events import STREAMS, Deliver, ExitStatus, ProcessExited, Stream, StreamEnded

_STATUS_UNKNOWN = ExitStatus(code=None, signal=None)
_JOIN_AFTER_FORCE_S = 2.0
_RELEASE_TIMEOUT_S = 2.0


class AfterLife(Enum):
    """What a guard can be used for when its launched process is done with."""

    REUSABLE = "its tree is gone"
    BROKEN = "it did not do its work"
    RELEASED = "it stays with the tree, which lives on"


class LaunchedProcess:
    """A started program with its descendants. `end` must be called in every case, also after it exited."""

    def __init__(
        self,
        pid: int,
        guard: GuardClient,
        stdout: int,
        stderr: int,
        on_end: Callable[["LaunchedProcess", GuardClient, AfterLife], None],
    ) -> None:
        self.pid = pid
        self._guard = guard
        self._pipes: dict[Stream, int] = {"stdout": stdout, "stderr": stderr}  # until a pump owns them
        self._on_end = on_end  # gives the guard back, or away when it is of no more use
        self._pumps: list[PipePump] = []
        self._exit_thread: threading.Thread | None = None
        self._exit_status: ExitStatus | None = None
        self._tree_is_gone = False
        self._is_released = False
        self._end_lock = threading.Lock()
        self._is_ended = False

    @property
    def guard_pid(self) -> int:
        """The process id of the guard, the parent of the target."""
        return self._guard.pid

    @property
    def exit_status(self) -> ExitStatus | None:
        """How the program ended, or None while that is not known. Always known after `end`."""
        return self._exit_status

    def start_pumps(self, deliver: Deliver, name: str) -> None:
        """Start the threads that deliver output, the end of each stream and the exit; once, before `end`.

        `deliver` is called on those threads, may be slow, and must not call `end`.
        """
        with self._end_lock:
            assert self._exit_thread is None, "start_pumps twice"
            if self._is_ended:  # the launcher was closed meanwhile
                self._deliver_nothing_but_the_end(deliver)
                return
            for stream in STREAMS:
                self._pumps.append(PipePump(self._pipes[stream], stream, deliver, name))
                del self._pipes[stream]  # only now: a pump that could not be made owns nothing
            exit_thread = threading.Thread(target=self._follow_guard, args=(deliver,), name=f"exit:{name}", daemon=True)
            exit_thread.start()
            self._exit_thread = exit_thread

    def request_end(self) -> None:
        """Start the killing without waiting for it; `end` must still follow."""
        self._guard.request_end()

    def end(self, timeout_s: float = 5.0) -> None:
        """Kill the program and every descendant, deliver what they had written, and free everything.

        Returns when that is done, at the latest a few seconds after `timeout_s`: a guard that did not answer
        by then is killed with all below it. Idempotent; for any thread but this process's own; never raises.
        """
        own_threads = [pump.thread for pump in self._pumps] + [self._exit_thread]
        assert threading.current_thread() not in own_threads, "end called from deliver"
        with self._end_lock:
            if self._is_ended:
                return
            self._is_ended = True
            deadline = time.monotonic() + timeout_s
            self._end_tree(timeout_s)
            self._end_pumps(max(deadline - time.monotonic(), _JOIN_AFTER_FORCE_S))
            self._on_end(self, self._guard, AfterLife.REUSABLE if self._tree_is_gone else AfterLife.BROKEN)

    def release(self) -> None:
        """Let the program and its descendants live on, whatever becomes of us; in place of `end`.

        Its output goes nowhere from now on: what it had written before is still delivered. Never raises; a guard that
        is lost takes the program with it.
        """
        with self._end_lock:
            if self._is_ended:
                return
            self._is_ended = True
            after = self._release_tree()
            self._end_pumps(_RELEASE_TIMEOUT_S)
            self._on_end(self, self._guard, after)

    def _release_tree(self) -> AfterLife:
        given = [pump.duplicate() for pump in self._pumps]
        outputs = [output for output in given if output is not None]
        try:
            self._guard.request_release([*outputs, *self._pipes.values()])
        except GuardLostError:
            return AfterLife.BROKEN
        finally:
            for output in outputs:
                os.close(output)
        if self._exit_thread is None:
            self._follow_guard(lambda _event: None, _RELEASE_TIMEOUT_S)
        else:
            self._exit_thread.join(_RELEASE_TIMEOUT_S)
        return AfterLife.RELEASED if self._is_released else AfterLife.BROKEN

    def _end_tree(self, timeout_s: float) -> None:
        self._guard.request_end()
        if self._exit_thread is None:
            self._follow_guard(lambda _event: None, timeout_s)
            if not self._tree_is_gone:
                self._guard.kill_with_descendants()
            return
        self._exit_thread.join(timeout_s)
        if not self._tree_is_gone:
            self._guard.kill_with_descendants()
            self._exit_thread.join(_JOIN_AFTER_FORCE_S)

    def _end_pumps(self, timeout_s: float) -> None:
        for pipe in self._pipes.values():
            os.close(pipe)
        # Every writer is dead by now, or beyond our power: what the pipes hold is all that there will be.
        for pump in self._pumps:
            pump.stop()
        deadline = time.monotonic() + timeout_s
        for pump in self._pumps:
            pump.thread.join(max(0.0, deadline - time.monotonic()))

    def _follow_guard(self, deliver: Deliver, timeout_s: float | None = None) -> None:
        """Read the guard's messages until it reports the end of the tree, or is lost."""
        try:
            while True:
                match self._guard.receive(timeout_s):
                    case Exited(status):
                        self._note_exit(status, deliver)
                    case Ended(survivors):
                        self._tree_is_gone = survivors == 0
                        break
                    case Released():
                        self._is_released = True
                        return
                    case unexpected:
                        raise GuardLostError(f"out of turn: {unexpected}")
        except GuardLostError:
            kill_session(self.pid)
        if self._exit_status is None:
            self._note_exit(_STATUS_UNKNOWN, deliver)

    def _deliver_nothing_but_the_end(self, deliver: Deliver) -> None:
        for stream in STREAMS:
            deliver(StreamEnded(stream))
        deliver(ProcessExited(self._exit_status or _STATUS_UNKNOWN))

    def _note_exit(self, status: ExitStatus, deliver: Deliver) -> None:
        self._exit_status = status
        deliver(ProcessExited(status))
