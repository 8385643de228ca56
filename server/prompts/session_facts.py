"""How a session is at the moment in which a prompt is asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from server.debug.session_model import Frame, ProgramInfo, StateReport
from server.debug.sessions import Sessions
from server.prompts.procedure import indented
from server.report.session_state import state_answer

_OUTPUT_CHARACTERS: Final = 4000


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """What a procedure depends on, and what it shows."""

    session_id: str
    report: StateReport
    program: ProgramInfo

    @staticmethod
    def of(sessions: Sessions, session_id: str) -> SessionFacts:
        """Those of a session; raises `SessionNotFoundError`."""
        session = sessions.get(session_id)
        report = replace(session.last_report(), output=session.output_tail(_OUTPUT_CHARACTERS))
        return SessionFacts(session_id, report, session.summary().program)

    @property
    def own_frame(self) -> Frame | None:
        """The innermost frame of the program's own code, while it stands still; of other code where there is none."""
        if self.report.stop is None:
            return None
        frames = self.report.stop.frames
        return next((frame for frame in frames if frame.is_own), frames[0] if frames else None)

    @property
    def is_at_exception(self) -> bool:
        """Whether the program stands where something was thrown."""
        return self.report.stop is not None and self.report.stop.exception is not None

    def described(self) -> str:
        """The program and its state, as the tools show it."""
        how = "attached to" if self.program.is_attached else "started as"
        shown = indented(state_answer(self.report).text or "")
        return f"Session {self.session_id}, {how}: {self.program.title}\n\n{shown}"
