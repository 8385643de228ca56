"""One program under the hands of an agent, from its start to its end.

| thread | owns | may do |
|---|---|---|
| `session:<id>` (the owner) | the debuggee, all state of the session, every answer | everything else |
| any other | nothing | post a request, cancel one, ask for the end, read what the owner has published |

Everything reaches the owner through one inbox: requests and their cancellations (`session_door.py`), and whatever the
threads of the debuggee put there. The owner's loop is in `session_owner.py`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from server.debug.backend import Debuggee
from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.output_log import OutputLog
from server.debug.pending_answer import PendingAnswer
from server.debug.session_door import Closing, Posted, SessionDoor
from server.debug.session_model import OutputPage, ProgramInfo, ProgramState, SessionSummary, StateReport
from server.debug.session_owner import CONNECT_S, SessionOwner
from server.debug.session_requests import SessionRequest
from server.debug.session_terms import Opened, SessionChange, SessionLimits, StartOptions

__all__ = ["PendingAnswer", "Session"]

R = TypeVar("R")

_JOIN_S = 10.0


class Session:
    """What other threads have of a session. Every method is for any thread, and none blocks."""

    def __init__(
        self,
        session_id: str,
        open_debuggee: Callable[[Inbox], Debuggee],
        options: StartOptions,
        limits: SessionLimits,
        on_change: Callable[[SessionChange], None],
        *,
        notes_about: Callable[[ProgramInfo], tuple[str, ...]] = lambda _program: (),
    ) -> None:
        """`notes_about` is asked on the owner's thread what is known of a program that it has just taken hold of."""
        self.id = session_id
        inbox = Inbox(Deadline.after(CONNECT_S))
        self._door = SessionDoor(session_id, inbox)
        self._output = OutputLog(limits.max_output_characters)
        self.opened: PendingAnswer[Opened] = PendingAnswer(lambda _: self._door.end(), self._join_when_over)
        """The answer to whoever starts the session. Cancelled before it comes, it ends the session."""
        self._owner = SessionOwner(
            session_id,
            inbox,
            self._door,
            output=self._output,
            limits=limits,
            on_change=on_change,
            notes_about=notes_about,
        )
        self._thread = threading.Thread(
            target=self._owner.run,
            args=(open_debuggee, options, self.opened),
            name=f"session:{session_id}",
            daemon=True,
        )
        self._thread.start()

    def post(self, request: SessionRequest[R]) -> PendingAnswer[R]:
        """Ask something."""
        pending: PendingAnswer[R] = PendingAnswer(self._door.withdraw)
        self._owner.last_used = time.monotonic()
        self._door.post(Posted(request, pending))
        return pending

    def close(self, *, keep_running: bool) -> PendingAnswer[StateReport]:
        """Ask for the end, which nothing that is under way holds up. The answer is the last report."""
        pending: PendingAnswer[StateReport] = PendingAnswer(PendingAnswer.confirm_cancel, self._join_when_over)
        self._door.close(Closing(pending, keep_running))
        return pending

    @property
    def is_open(self) -> bool:
        """Whether it has begun, so that others may use it."""
        return self._owner.is_open

    @property
    def is_exited(self) -> bool:
        """Whether there is no program any more, only what is known of it."""
        published = self._owner.published
        state = published.report.state
        return state is ProgramState.EXITED or (state is ProgramState.DISCONNECTED and published.program.is_attached)

    def summary(self) -> SessionSummary:
        """One line about it."""
        published = self._owner.published
        stop = published.report.stop
        return SessionSummary(
            session_id=self.id,
            state=published.report.state,
            program=published.program,
            position=stop.frames[0].position if stop is not None and stop.frames else None,
            breakpoints=published.breakpoints,
            idle_s=time.monotonic() - self._owner.last_used,
        )

    def last_report(self) -> StateReport:
        """How the program was when that last changed, without its output."""
        return self._owner.published.report

    def output_tail(self, max_characters: int) -> OutputPage:
        """The end of the output, without asking the owner."""
        return self._output.tail(0, max_characters=max_characters)

    def _join_when_over(self) -> None:
        if self._door.is_shut and threading.current_thread() is not self._thread:
            self._thread.join(_JOIN_S)
