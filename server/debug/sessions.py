"""All sessions of a server."""

from __future__ import annotations

from collections.abc import Callable

from server.debug.backend import SessionBackend
from server.debug.session import PendingAnswer, Session
from server.debug.session_model import AttachSpec, LaunchSpec, SessionSummary, StateReport
from server.debug.session_terms import Opened, SessionChange, SessionLimits, StartOptions

__all__ = ["Opened", "SessionChange", "SessionLimits", "Sessions", "StartOptions"]


class Sessions:
    """Opens sessions, finds them by their ids, and closes them."""

    def __init__(
        self, backend: Callable[[], SessionBackend], limits: SessionLimits, on_change: Callable[[SessionChange], None]
    ) -> None:
        self._backend = backend
        self._limits = limits
        self._on_change = on_change

    def launch(self, spec: LaunchSpec, options: StartOptions) -> PendingAnswer[Opened]:
        """Start a program under its debugger, up to its first stop."""
        raise NotImplementedError

    def attach(self, spec: AttachSpec, options: StartOptions) -> PendingAnswer[Opened]:
        """Take hold of a program that runs."""
        raise NotImplementedError

    def get(self, session_id: str) -> Session:
        """The session of that id; raises `SessionNotFoundError`."""
        raise NotImplementedError

    def list(self) -> tuple[SessionSummary, ...]:
        """One line a session, the oldest first."""
        raise NotImplementedError

    def close(self, session_id: str, *, keep_running: bool) -> PendingAnswer[StateReport]:
        """End a session: a launched program ends too, unless it is to be kept running."""
        raise NotImplementedError

    def close_all(self) -> None:
        """End every session and wait for their threads; at the server's end."""
        raise NotImplementedError
