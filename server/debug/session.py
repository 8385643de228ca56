"""One program under the hands of an agent."""

from __future__ import annotations

from typing import TypeVar

from server.debug.pending_answer import PendingAnswer
from server.debug.session_model import OutputPage, SessionSummary, StateReport
from server.debug.session_requests import SessionRequest

__all__ = ["PendingAnswer", "Session"]

R = TypeVar("R")


class Session:
    """A program, the thread that owns it, and the inbox through which everything reaches that thread."""

    id: str

    def post(self, request: SessionRequest[R]) -> PendingAnswer[R]:
        """Ask something; any thread, never blocks."""
        raise NotImplementedError

    def summary(self) -> SessionSummary:
        """One line about it; any thread, never blocks."""
        raise NotImplementedError

    def last_report(self) -> StateReport:
        """How the program was when that last changed; any thread, never blocks."""
        raise NotImplementedError

    def output_snapshot(self) -> OutputPage:
        """The output that is kept; any thread, never blocks."""
        raise NotImplementedError
