"""A program and everything that its session knows of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from server.debug.backend import Debuggee
from server.debug.breakpoint_table import BreakpointTable
from server.debug.inbox import Inbox
from server.debug.model import SourceLine
from server.debug.output_log import OutputLog
from server.debug.session_model import (
    Bound,
    ConnectionLost,
    DebuggeeEvent,
    Logged,
    Position,
    ProgramEnded,
    ProgramState,
    Resumed,
    StateReport,
    StepKind,
    Stop,
    Stopped,
    StopReason,
    Wrote,
)
from server.debug.session_terms import SessionLimits
from server.debug.source_lines import SourceLines
from server.debug.stop_assembly import StopAssembly
from server.debug.stop_names import StopNames
from server.debug.watch_list import WatchList
from server.errors import InvalidArgumentsError, InvalidStateError, ProgramGoneError
from server.process.process_events import ExitStatus, OutputChunk

REPORTED_OUTPUT_CHARACTERS = 4000
"""Of each stream: more than an answer shows, so that it can be cut where a line begins."""
_MAX_NOTES = 5


class FollowedProgram:
    """The state of a program, kept up with what its debuggee tells. Belongs to the session's owner."""

    def __init__(
        self, session_id: str, debuggee: Debuggee, inbox: Inbox, output: OutputLog, limits: SessionLimits
    ) -> None:
        self.debuggee = debuggee
        self.state = ProgramState.RUNNING
        self.names = StopNames()
        self.output = output
        self.watches = WatchList()
        self.sources = SourceLines(debuggee)
        self.breakpoints = BreakpointTable(debuggee, self.sources, limits.max_breakpoints)
        self.assembly = StopAssembly(debuggee, inbox, self.names, self.sources, self.watches)
        self._session_id = session_id
        self._inbox = inbox
        self._stop: Stop | None = None
        self._exit: ExitStatus | None = None
        self._lost_because: str | None = None
        self._run_target: Position | None = None
        """Where the program was let run to."""
        self._told_cursor = 0
        self._notes: list[str] = []

    # --- what may be done now ---------------------------------------------------------------------------------

    def require_alive(self) -> None:
        """Raise `ProgramGoneError` where there is no program any more."""
        if self.state is ProgramState.EXITED:
            raise ProgramGoneError(
                f"The program has ended ({exit_to_words(self._exit)}).",
                advice="start_debugging starts it again; get_output has what it wrote.",
                details={"state": str(self.state), "exit": _exit_to_json(self._exit)},
            )
        if self.state is ProgramState.DISCONNECTED:
            raise ProgramGoneError(
                f"The connection to the program's debugger is lost: {self._lost_because}.",
                advice="close_debug_session ends the session; connect_debugger or start_debugging begins another one.",
                details={"state": str(self.state)},
            )

    def require_paused(self) -> Stop:
        """The present stop; raises where the program does not stand still."""
        self.require_alive()
        if self._stop is None:
            raise InvalidStateError(
                "The program is running; this can only be done while it stands still.",
                advice="pause_execution stops it where it is; continue_execution waits for its next stop.",
                details={"state": str(self.state)},
            )
        return self._stop

    # --- running ----------------------------------------------------------------------------------------------

    def resume(self) -> None:
        """Let it run on."""
        self.require_paused()
        self.debuggee.resume()
        self._went_on()

    def run_to(self, place: SourceLine) -> None:
        """Let it run on to a line."""
        self.require_paused()
        binding = self.debuggee.run_to(place)
        if binding.position is None:
            near = f" Lines near it with code: {_listed(binding.nearest_lines)}." if binding.nearest_lines else ""
            raise InvalidArgumentsError(
                f"The program cannot run to {place.file}:{place.line}: {binding.message or 'no code is there'}.{near}",
                advice="It stands where it stood. set_breakpoint also takes places that are not loaded yet.",
                details={"nearest_lines": list(binding.nearest_lines)},
            )
        if binding.message is not None:
            self.note(binding.message)
        self._went_on()
        self._run_target = binding.position

    def step(self, kind: StepKind, *, into_internals: bool) -> None:
        """Let it take a step."""
        self.require_paused()
        self.debuggee.step(kind, into_internals=into_internals)
        self._went_on()

    def pause(self) -> None:
        """Have it stop, where it runs."""
        self.require_alive()
        if self.state is ProgramState.RUNNING:
            self.debuggee.pause()

    def refresh_stop(self) -> None:
        """Read the present stop anew, if there is one."""
        if self._stop is not None:
            self._stop = self.assembly.refresh(self._stop)

    # --- what it tells ----------------------------------------------------------------------------------------

    def hear(self, message: object) -> None:
        """Take a message of the inbox."""
        for event in tuple(self.debuggee.handle(message)):
            self._take(event)

    def hear_after_end(self, message: object) -> None:
        """Take a message that was still under way when the program was let go of: nothing can be asked any more."""
        for event in self.debuggee.handle(message):
            if isinstance(event, Wrote | Logged | ProgramEnded):
                self._take(event)

    def _take(self, event: DebuggeeEvent) -> None:
        match event:
            case Stopped():
                self._stopped(event)
            case Resumed():
                self._went_on()
            case Wrote(stream, text):
                self.output.append(stream, text)
            case Logged(_, text):
                self.output.append("log", text if text.endswith("\n") else text + "\n")
            case Bound():
                self.breakpoints.note_bound(event)
            case ProgramEnded(exit_status):
                self._ended(exit_status)
            case ConnectionLost(reason):
                self._lost(reason)

    def _stopped(self, event: Stopped) -> None:
        try:
            stop = self.assembly.assemble(event)
        except ProgramGoneError:
            return  # the debuggee tells of it next
        self.state = ProgramState.PAUSED
        self._stop = replace(stop, notes=(*stop.notes, *self._judge_run_target(event)))
        # The news of a stop overtakes what was written before it: that took another way.
        for chunk in self._inbox.take_now(OutputChunk):
            self.hear(chunk)

    def _went_on(self) -> None:
        if self.state is ProgramState.PAUSED:
            self._forget_stop(ProgramState.RUNNING)

    def _judge_run_target(self, stopped: Stopped | None) -> tuple[str, ...]:
        """Whether the program came to where it was let run; the next stop, or the end, decides."""
        target, self._run_target = self._run_target, None
        if target is None:
            return ()
        place = f"{target.file}:{target.line}"
        if stopped is not None and _is_at(target, stopped):
            return (f"Reached {place}.",)
        return (f"{place} was not reached; it is not a target any more.",)

    def _ended(self, exit_status: ExitStatus | None) -> None:
        for note in self._judge_run_target(None):
            self.note(note)
        self._forget_stop(ProgramState.EXITED)
        self._exit = exit_status
        self.debuggee.end()  # nothing more comes; what it holds is given back now, not when somebody closes the session

    def _lost(self, reason: str) -> None:
        self._forget_stop(ProgramState.DISCONNECTED)
        self._lost_because = reason
        self.note(f"The connection to the program's debugger is lost: {reason}.")

    def _forget_stop(self, state: ProgramState) -> None:
        self.state = state
        self._stop = None
        self.names.forget()

    # --- what is told of it -----------------------------------------------------------------------------------

    def note(self, sentence: str) -> None:
        """Have the next report say this."""
        if len(self._notes) < _MAX_NOTES:
            self._notes.append(sentence)

    def snapshot(self) -> StateReport:
        """How it is, without anything that is told only once."""
        directory = self.debuggee.info().cwd
        return StateReport(self._session_id, self.state, stop=self._stop, exit=self._exit, directory=directory)

    def report(self, *notes: str) -> StateReport:
        """How it is, and what is new since the last report that reached somebody."""
        return replace(
            self.snapshot(),
            output=self.output.tail_of_each(self._told_cursor, max_characters=REPORTED_OUTPUT_CHARACTERS),
            notes=(*self._notes, *notes),
            changed_breakpoints=self.breakpoints.changed(),
        )

    def note_told(self, report: StateReport) -> None:
        """A report reached somebody: what it has is not new any more."""
        self._told_cursor = report.output.cursor
        self._notes.clear()
        self.breakpoints.forget_changes()

    # --- its end ----------------------------------------------------------------------------------------------

    def let_go(self, *, keep_running: bool) -> None:
        """End it with all its descendants, or leave it to itself where it is not ours to end. Never raises."""
        if self.state is ProgramState.EXITED:
            self.note(f"The program had ended before: {exit_to_words(self._exit)}.")
        elif keep_running or self.debuggee.info().is_attached:
            self.debuggee.detach()
            self._forget_stop(ProgramState.RUNNING)
            self.note("The program runs on without a debugger.")
        else:
            self.debuggee.end()
            self._forget_stop(ProgramState.EXITED)
            self.note("The program was ended.")


def exit_to_words(status: ExitStatus | None) -> str:
    """Such as "exit code 1"."""
    if status is None or (status.code is None and status.signal is None):
        return "nobody knows how"
    return f"exit code {status.code}" if status.signal is None else f"killed by {status.signal}"


def _is_at(target: Position, stopped: Stopped) -> bool:
    """Whether a stop is the one that was run to: nothing but that is a breakpoint of nobody's."""
    if stopped.reason is StopReason.BREAKPOINT and not stopped.breakpoint_ids:
        return True
    here = stopped.frames[0].position if stopped.frames else None
    return here is not None and here.line == target.line and _is_same_file(here.file, target.file)


def _is_same_file(one: str, other: str) -> bool:
    """Also where one name is a link."""
    try:
        return one == other or Path(one).samefile(other)
    except (OSError, ValueError):  # no file at all, such as the runtime's own code
        return False


def _exit_to_json(status: ExitStatus | None) -> dict[str, int | str | None] | None:
    return None if status is None else {"code": status.code, "signal": status.signal}


def _listed(lines: Iterable[int]) -> str:
    return ", ".join(map(str, lines))
