"""All sessions of a server.

Tools open, find and close sessions from worker threads, and owner threads tell of their ends. A lock guards the table;
nothing is waited for while it is held.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from server.debug.backend import Debuggee, SessionBackend
from server.debug.inbox import Inbox
from server.debug.session import PendingAnswer, Session
from server.debug.session_model import AttachSpec, LaunchSpec, ProgramInfo, SessionSummary, StateReport
from server.debug.session_terms import Opened, SessionChange, SessionLimits, StartOptions
from server.errors import DebugError, LimitExceededError, ProgramGoneError, SessionNotFoundError

__all__ = ["Opened", "SessionChange", "SessionLimits", "Sessions", "StartOptions"]


class Sessions:
    """Opens sessions, finds them by their ids, and closes them."""

    def __init__(
        self, backend: Callable[[], SessionBackend], limits: SessionLimits, on_change: Callable[[SessionChange], None]
    ) -> None:
        self._backend = backend
        self._limits = limits
        self._on_change = on_change
        self._lock = threading.Lock()
        self._sessions: dict[str, Session] = {}
        self._exited: dict[str, None] = {}
        """Those without a program, in the order in which these ended."""
        self._next_number = 1
        self._takes_more = True

    def launch(self, spec: LaunchSpec, options: StartOptions) -> PendingAnswer[Opened]:
        """Start a program under its debugger, up to its first stop."""
        return self._open(lambda inbox: self._backend().launch(spec, inbox), options)

    def attach(self, spec: AttachSpec, options: StartOptions) -> PendingAnswer[Opened]:
        """Take hold of a program that runs, and leave it as it is."""
        return self._open(lambda inbox: self._backend().attach(spec, inbox), options)

    def get(self, session_id: str) -> Session:
        """The session of that id; raises `SessionNotFoundError`."""
        sessions = {session.id: session for session in self._open_sessions()}
        session = sessions.get(session_id)
        if session is None:
            raise SessionNotFoundError(
                f"There is no session {session_id!r}; there are: {', '.join(sessions) or 'none'}.",
                advice="list_debug_sessions tells all of them; start_debugging opens one.",
                details={"session_ids": list(sessions)},
            )
        return session

    def list(self) -> tuple[SessionSummary, ...]:
        """One line a session, the oldest first."""
        return tuple(session.summary() for session in self._open_sessions())

    def close(self, session_id: str, *, keep_running: bool) -> PendingAnswer[StateReport]:
        """End a session: a launched program ends too, unless it is to be kept running."""
        return self.get(session_id).close(keep_running=keep_running)

    def close_all(self) -> None:
        """End every session and wait for their threads; at the server's end."""
        with self._lock:
            self._takes_more = False
            sessions = tuple(self._sessions.values())
        for closing in [session.close(keep_running=False) for session in sessions]:
            try:
                closing.wait()
            except ProgramGoneError:  # it ended by itself meanwhile
                continue

    def _open(self, open_debuggee: Callable[[Inbox], Debuggee], options: StartOptions) -> PendingAnswer[Opened]:
        with self._lock:
            refusal = self._refusal()
            if refusal is None:
                session_id = f"s{self._next_number}"
                self._next_number += 1
                session = Session(
                    session_id, open_debuggee, options, self._limits, self._note, notes_about=self._notes_about
                )
                self._sessions[session_id] = session
                return session.opened
        refused: PendingAnswer[Opened] = PendingAnswer(PendingAnswer.confirm_cancel)
        refused.fail(refusal)
        return refused

    def _refusal(self) -> DebugError | None:
        if not self._takes_more:
            return ProgramGoneError("The server is about to end.")
        alive = [session.id for session in self._sessions.values() if not session.is_exited]
        if len(alive) < self._limits.max_sessions:
            return None
        return LimitExceededError(
            f"There are {len(alive)} sessions already, as many as there may be: {', '.join(alive)}.",
            advice="close_debug_session ends one.",
            details={"limit": self._limits.max_sessions, "session_ids": alive},
        )

    def _open_sessions(self) -> tuple[Session, ...]:
        with self._lock:
            return tuple(session for session in self._sessions.values() if session.is_open)

    # --- owner threads ------------------------------------------------------------------------------------------

    def _notes_about(self, program: ProgramInfo) -> tuple[str, ...]:
        """Which sessions have a program already that another one takes hold of."""
        following = (session.summary() for session in self._open_sessions() if not session.is_exited)
        ids = [one.session_id for one in following if program.pid is not None and one.program.pid == program.pid]
        if not ids:
            return ()
        return (f"The process {program.pid} is followed by {', '.join(ids)} already: what one does, all others see.",)

    def _note(self, change: SessionChange) -> None:
        with self._lock:
            session = self._sessions[change.session_id]
            if change.kind == "closed":
                del self._sessions[change.session_id]
                self._exited.pop(change.session_id, None)
            elif session.is_exited:
                self._exited[change.session_id] = None
            surplus = [self._sessions[each] for each in [*self._exited][: -self._limits.max_sessions]]
        for oldest in surplus:
            oldest.close(keep_running=False)
        if session.is_open:
            self._on_change(change)
