"""The way to a session's owner, for all other threads.

What they put in the inbox is answered for certain: until the owner shuts the door every message is taken, and from then
on every request is refused at once. `Inbox.cancel` means one thing in a session: it is to end now. It is put there once
at most, and never while the owner already tidies up.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

from server.debug.inbox import Inbox
from server.debug.pending_answer import PendingAnswer
from server.debug.session_model import StateReport
from server.debug.session_requests import SessionRequest
from server.errors import DebugError, ProgramGoneError


@dataclass(frozen=True, slots=True)
class Posted:
    """Somebody asks something."""

    request: SessionRequest[Any]
    pending: PendingAnswer[Any]


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Whoever asked does not want the answer any more."""

    pending: PendingAnswer[Any]


@dataclass(frozen=True, slots=True)
class Closing:
    """Somebody wants the session to end."""

    pending: PendingAnswer[StateReport]
    keep_running: bool


class SessionDoor:
    """Any thread uses it but for the methods at its end; none of them blocks."""

    def __init__(self, session_id: str, inbox: Inbox) -> None:
        self._session_id = session_id
        self._inbox = inbox
        self._lock = threading.Lock()
        self._is_ending = False
        self._is_shut = False
        self._closings: list[Closing] = []

    @property
    def is_shut(self) -> bool:
        """Whether the owner is done."""
        return self._is_shut

    def post(self, posted: Posted) -> None:
        """Bring a request."""
        with self._lock:
            if not self._is_shut:
                self._inbox.put(posted)
                return
        posted.pending.fail(self.closed_error())

    def withdraw(self, pending: PendingAnswer[Any]) -> None:
        """End the wait for a request that was cancelled, and tell the owner."""
        pending.confirm_cancel()
        self._inbox.put(Withdrawn(pending))

    def close(self, closing: Closing) -> None:
        """Bring the wish that the session ends."""
        with self._lock:
            if not self._is_shut:
                self._closings.append(closing)
                self._wake_to_end()
                return
        closing.pending.fail(self.closed_error())

    def end(self) -> None:
        """Have the session end, without an answer."""
        with self._lock:
            self._wake_to_end()

    def closed_error(self) -> DebugError:
        """What is answered to everything that the end of the session leaves unanswered."""
        return ProgramGoneError(
            f"The session {self._session_id} was closed.",
            advice="list_debug_sessions tells which are open; start_debugging opens another one.",
        )

    def _wake_to_end(self) -> None:
        if not self._is_ending:
            self._is_ending = True
            self._inbox.cancel()

    # --- the owner ------------------------------------------------------------------------------------------

    def begin_ending(self) -> bool:
        """From now on nothing cancels the owner's waits. Whether the program is to be kept running."""
        with self._lock:
            self._is_ending = True
            return any(closing.keep_running for closing in self._closings)

    def shut(self) -> tuple[Closing, ...]:
        """Nothing comes any more. Who is to be told that the session has ended."""
        with self._lock:
            self._is_shut = True
            return tuple(self._closings)
