"""Sessions without programs: what they would report is given by the test."""

from __future__ import annotations

import builtins
from dataclasses import replace

from server.debug.output_log import OutputLog
from server.debug.session import Session
from server.debug.session_model import (
    NO_OUTPUT,
    Frame,
    OutputEntry,
    OutputPage,
    Position,
    ProgramInfo,
    ProgramState,
    SessionSummary,
    SourceText,
    StateReport,
    Stop,
    StopReason,
    Thrown,
)
from server.debug.sessions import Sessions
from server.errors import SessionNotFoundError
from server.process.process_events import ExitStatus

LAUNCHED = ProgramInfo("node /app/cart.js", "Node.js v24.1.0", 4711, is_attached=False, cwd="/app")
ATTACHED = replace(LAUNCHED, is_attached=True)
HERE = Position("/app/cart.js", 12, 5)
STOP = Stop(
    StopReason.BREAKPOINT,
    (
        Frame("f3", "readFileSync", Position("node:fs", 440, 1), is_own=False, is_internal=True),
        Frame("f4", "total", HERE),
        Frame("f5", "main", Position("/app/cart.js", 30, 1)),
    ),
    source=(SourceText(12, "  return sum(items);", is_current=True),),
    breakpoint_ids=("bp1",),
)
THROW = replace(STOP, reason=StopReason.EXCEPTION, exception=Thrown("TypeError", "items is not iterable", False))
WROTE = OutputPage((OutputEntry(0, "stdout", "hello\n"), OutputEntry(6, "stderr", "Error: no items\n")), 22)


def running(session_id: str = "s1") -> StateReport:
    return StateReport(session_id, ProgramState.RUNNING)


def paused(session_id: str = "s1", stop: Stop = STOP) -> StateReport:
    return StateReport(session_id, ProgramState.PAUSED, stop)


def exited(session_id: str = "s1", code: int | None = 1, signal: str | None = None) -> StateReport:
    return StateReport(session_id, ProgramState.EXITED, exit=ExitStatus(code, signal))


def disconnected(session_id: str = "s1") -> StateReport:
    return StateReport(session_id, ProgramState.DISCONNECTED)


class CannedSession(Session):
    """A session that always is as it was made."""

    def __init__(self, report: StateReport, program: ProgramInfo = LAUNCHED, output: OutputPage = NO_OUTPUT) -> None:
        self.id = report.session_id
        self._report = report
        self._program = program
        self._page = output

    def summary(self) -> SessionSummary:
        position = self._report.stop.frames[0].position if self._report.stop else None
        return SessionSummary(self.id, self._report.state, self._program, position, breakpoints=0, idle_s=0.0)

    def last_report(self) -> StateReport:
        return self._report

    def output_tail(self, max_characters: int) -> OutputPage:
        log = OutputLog(max_characters=1_000_000)
        for entry in self._page.entries:
            log.append(entry.stream, entry.text)
        return log.tail(0, max_characters=max_characters)


class CannedSessions(Sessions):
    """Some sessions, to look at."""

    def __init__(self, *sessions: CannedSession) -> None:
        self.sessions = {session.id: session for session in sessions}

    def get(self, session_id: str) -> Session:
        if session_id not in self.sessions:
            known = ", ".join(self.sessions) or "none"
            raise SessionNotFoundError(f"There is no session {session_id!r}; there are: {known}")
        return self.sessions[session_id]

    def list(self) -> builtins.tuple[SessionSummary, ...]:
        return tuple(session.summary() for session in self.sessions.values())
