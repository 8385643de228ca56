"""Sessions that run nothing: they note what is asked of them, and answer with what a test puts in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from server.debug.pending_answer import PendingAnswer
from server.debug.session import Session
from server.debug.session_model import (
    AttachSpec,
    LaunchSpec,
    Position,
    ProgramInfo,
    ProgramState,
    SessionSummary,
    StateReport,
)
from server.debug.session_requests import SessionRequest
from server.debug.sessions import Opened, Sessions, StartOptions
from server.errors import SessionNotFoundError

R = TypeVar("R")

PROGRAM = ProgramInfo("node cart.js", "Node.js v24.1.0", 4711, is_attached=False)


def answered(result: Any) -> PendingAnswer[Any]:
    pending: PendingAnswer[Any] = PendingAnswer(PendingAnswer.confirm_cancel)
    if isinstance(result, Exception):
        pending.fail(result)
    elif result is not None:
        pending.answer(result)
    return pending


class RecordingSession(Session):
    """Answers every request with `result`: a value, an error to raise, or nothing yet where that is None."""

    def __init__(
        self, session_id: str, state: ProgramState, program: ProgramInfo, position: Position | None = None
    ) -> None:
        self.id = session_id
        self.asked: list[SessionRequest[Any]] = []
        self.result: Any = None
        self._summary = SessionSummary(session_id, state, program, position, 0, 0.0)

    def post(self, request: SessionRequest[R]) -> PendingAnswer[R]:
        self.asked.append(request)
        return answered(self.result)

    def summary(self) -> SessionSummary:
        return self._summary


class RecordingSessions(Sessions):
    """Has the sessions that were added, and notes what is launched, attached to and closed."""

    def __init__(self) -> None:
        self.by_id: dict[str, RecordingSession] = {}
        self.launched: list[tuple[LaunchSpec, StartOptions]] = []
        self.attached: list[tuple[AttachSpec, StartOptions]] = []
        self.closed: list[tuple[str, bool]] = []

    def add(
        self,
        session_id: str = "s1",
        state: ProgramState = ProgramState.PAUSED,
        position: Position | None = None,
        **program: Any,
    ) -> RecordingSession:
        self.by_id[session_id] = RecordingSession(session_id, state, replace(PROGRAM, **program), position)
        return self.by_id[session_id]

    def launch(self, spec: LaunchSpec, options: StartOptions) -> PendingAnswer[Opened]:
        self.launched.append((spec, options))
        return answered(Opened(StateReport("s1", ProgramState.RUNNING), (), PROGRAM))

    def attach(self, spec: AttachSpec, options: StartOptions) -> PendingAnswer[Opened]:
        self.attached.append((spec, options))
        return answered(Opened(StateReport("s1", ProgramState.RUNNING), (), replace(PROGRAM, is_attached=True)))

    def get(self, session_id: str) -> Session:
        if session_id not in self.by_id:
            raise SessionNotFoundError(f"There is no session {session_id!r}.")
        return self.by_id[session_id]

    def list(self) -> tuple[SessionSummary, ...]:
        return tuple(session.summary() for session in self.by_id.values())

    def close(self, session_id: str, *, keep_running: bool) -> PendingAnswer[StateReport]:
        self.get(session_id)
        self.closed.append((session_id, keep_running))
        return answered(StateReport(session_id, ProgramState.EXITED))
