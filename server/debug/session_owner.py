"""The owner thread of a session: starts the program, serves requests and the program's news, ends it.

The loop waits in one place. A request that runs the program leaves a waiter behind and the loop goes on; the next stop,
the end of the program or the waiter's deadline answers it. Only while a debuggee waits for its debugger's answer does
the owner wait elsewhere, within the bound of the request that it serves.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from server.debug.backend import Debuggee
from server.debug.deadline import Deadline
from server.debug.followed_program import FollowedProgram
from server.debug.inbox import Inbox
from server.debug.output_log import OutputLog
from server.debug.pending_answer import PendingAnswer
from server.debug.session_calls import CALL_S, STILL_RUNNING, SessionCalls, StopAwaited, request_to_bound_s
from server.debug.session_door import Posted, SessionDoor, Withdrawn
from server.debug.session_model import Breakpoint, PauseOnExceptions, ProgramInfo, ProgramState, StateReport
from server.debug.session_terms import Opened, SessionChange, SessionLimits, StartOptions
from server.debug.waiters import Waiter, Waiters
from server.errors import CallTimeoutError, CancelRequested, DeadlinePassed, DebugError, DebuggerFailedError

log = logging.getLogger(__name__)

CONNECT_S = 20.0
"""How long it may take until a program is under its debugger, whatever the wait for its first stop."""
_END_S = 5.0

_UNKNOWN_PROGRAM = ProgramInfo(title="", runtime="", pid=None, is_attached=False)


@dataclass(frozen=True, slots=True)
class Published:
    """What other threads may know of a session; replaced as a whole."""

    report: StateReport
    program: ProgramInfo
    breakpoints: int


class SessionOwner:
    """All methods belong to the owner thread; its three public fields may be read by any other."""

    def __init__(
        self,
        session_id: str,
        inbox: Inbox,
        door: SessionDoor,
        *,
        output: OutputLog,
        limits: SessionLimits,
        on_change: Callable[[SessionChange], None],
        notes_about: Callable[[ProgramInfo], tuple[str, ...]],
    ) -> None:
        self.is_open = False
        self.published = Published(StateReport(session_id, ProgramState.RUNNING), _UNKNOWN_PROGRAM, 0)
        self.last_used = time.monotonic()
        """When somebody last asked something; whoever posts a request sets it too."""
        self._session_id = session_id
        self._inbox = inbox
        self._door = door
        self._output = output
        self._told_output = 0
        self._limits = limits
        self._on_change = on_change
        self._notes_about = notes_about
        self._waiters = Waiters()

    # --- from the start to the end ------------------------------------------------------------------------------

    def run(
        self, open_debuggee: Callable[[Inbox], Debuggee], options: StartOptions, opened: PendingAnswer[Opened]
    ) -> None:
        """The life of the thread; nothing that was asked for is left unanswered when it ends."""
        program: FollowedProgram | None = None
        failure = self._door.closed_error()
        try:
            debuggee = open_debuggee(self._inbox)
            program = FollowedProgram(self._session_id, debuggee, self._inbox, self._output, self._limits)
            self._begin(program, options, opened)
            self._serve(program)
        except CancelRequested:
            log.debug("%s was asked to end", self._session_id)
        except Exception as error:
            failure = self._to_debug_error(error)
        finally:
            self._end(program, opened, failure)

    def _begin(self, program: FollowedProgram, options: StartOptions, opened: PendingAnswer[Opened]) -> None:
        wait_until = Deadline.after(options.wait_s)
        debuggee = program.debuggee
        debuggee.connect()
        for note in self._notes_about(debuggee.info()):
            program.note(note)
        program.watches.replace(options.watches)
        breakpoints = tuple(program.breakpoints.set(wanted) for wanted in options.breakpoints)
        if options.pause_on_exceptions is not PauseOnExceptions.NONE:
            debuggee.set_pause_on_exceptions(options.pause_on_exceptions)
        if debuggee.info().is_attached:
            wait_until = Deadline.after(0)  # whether it stands still, it has told while it was connected
        else:
            debuggee.begin(stop_on_entry=options.stop_on_entry)
        self._waiters.add(
            Waiter(
                opened,
                wait_until,
                STILL_RUNNING,
                lambda report: self._answer_start(opened, program, report, breakpoints),
            )
        )

    def _answer_start(
        self,
        opened: PendingAnswer[Opened],
        program: FollowedProgram,
        report: StateReport,
        asked_for: tuple[Breakpoint, ...],
    ) -> bool:
        current = {one.id: one for one in program.breakpoints.all()}
        self._publish(program)
        self.is_open = True  # before the answer: whoever has it may ask at once
        self.is_open = opened.answer(
            Opened(report, tuple(current[one.id] for one in asked_for), program.debuggee.info())
        )
        if self.is_open:
            self._tell("opened")
        return self.is_open

    def _end(self, program: FollowedProgram | None, opened: PendingAnswer[Opened], failure: DebugError) -> None:
        keep_running = self._door.begin_ending()
        self._inbox.extend(_END_S)
        if program is not None:
            program.let_go(keep_running=keep_running)
            self._hear_the_last(program)
        closings = self._door.shut()
        self._refuse_the_rest(opened)
        self._tell("closed")
        if not self.is_open and not opened.fail(failure):
            opened.confirm_cancel()
        report = self.published.report if program is None else program.report()
        for closing in closings:
            closing.pending.answer(report)

    def _hear_the_last(self, program: FollowedProgram) -> None:
        for message in self._inbox.drain():
            match message:
                case Posted(_, pending):
                    pending.fail(self._door.closed_error())
                case Withdrawn():
                    pass
                case _:
                    self._guarded(partial(program.hear_after_end, message))

    def _refuse_the_rest(self, opened: PendingAnswer[Opened]) -> None:
        posted = [message.pending for message in self._inbox.drain() if isinstance(message, Posted)]
        waiting = [waiter.pending for waiter in self._waiters.take_all() if waiter.pending is not opened]
        for pending in (*posted, *waiting):
            pending.fail(self._door.closed_error())

    # --- the loop -------------------------------------------------------------------------------------------------

    def _serve(self, program: FollowedProgram) -> None:
        """Until nobody has asked anything for long; the wish to end the session comes as `CancelRequested`."""
        calls = SessionCalls(program)
        while self._waiters or not self._idle_deadline().passed:
            until = self._waiters.nearest_deadline() if self._waiters else self._idle_deadline()
            try:
                message = self._inbox.next(until)
            except DeadlinePassed:
                self._answer(program, self._waiters.take_late())
                continue
            self._take(message, program, calls)
            self._publish(program)  # before the answers: whoever has one must not see an earlier state elsewhere
            if program.state is not ProgramState.RUNNING:
                self._answer(program, self._waiters.take_all())

    def _idle_deadline(self) -> Deadline:
        return Deadline(self.last_used + self._limits.idle_s)

    def _take(self, message: object, program: FollowedProgram, calls: SessionCalls) -> None:
        match message:
            case Posted():
                self._serve_request(message, calls)
            case Withdrawn(pending):
                self._waiters.withdraw(pending)
            case _:
                self._inbox.deadline = Deadline.after(CALL_S)
                failure = self._guarded(partial(program.hear, message))
                if failure is not None:
                    program.note(f"Something that the debugger told could not be dealt with: {failure.message}")

    def _serve_request(self, posted: Posted, calls: SessionCalls) -> None:
        pending = posted.pending
        if pending.is_decided:
            return
        self._inbox.deadline = Deadline.after(request_to_bound_s(posted.request))
        try:
            outcome = calls.answer(posted.request)
        except CancelRequested:
            pending.fail(self._door.closed_error())
            raise
        except Exception as error:
            pending.fail(self._to_debug_error(error))
            return
        if isinstance(outcome, StopAwaited):
            until = Deadline.after(outcome.wait_s)
            self._waiters.add(Waiter(pending, until, outcome.note_when_late, pending.answer))
        else:
            pending.answer(outcome)

    def _answer(self, program: FollowedProgram, waiters: tuple[Waiter, ...]) -> None:
        is_running = program.state is ProgramState.RUNNING
        told: StateReport | None = None
        for waiter in waiters:
            self.last_used = time.monotonic()
            report = program.report(waiter.note_when_late) if is_running else program.report()
            if waiter.answer(report):
                told = report
        if told is not None:
            program.note_told(told)

    # --- what others see --------------------------------------------------------------------------------------------

    def _publish(self, program: FollowedProgram) -> None:
        known, report = self.published.report, program.snapshot()
        is_changed = report.state is not known.state or report.stop is not known.stop
        self.published = Published(report if is_changed else known, program.debuggee.info(), len(program.breakpoints))
        if is_changed:
            self._tell("state")
        if self._told_output != self._output.end:
            self._told_output = self._output.end
            self._tell("output")

    def _tell(self, kind: Literal["opened", "closed", "state", "output"]) -> None:
        if not self.is_open and kind != "closed":  # nobody knows of it yet, but whoever keeps it
            return
        try:
            self._on_change(SessionChange(self._session_id, kind))
        except Exception:  # what others make of it must not end the session
            log.exception("%s could not tell of a change (%s)", self._session_id, kind)

    # --- failures -----------------------------------------------------------------------------------------------------

    def _guarded(self, act: Callable[[], None]) -> DebugError | None:
        try:
            act()
        except CancelRequested:
            raise
        except Exception as error:
            log.warning("%s: a message of the debugger failed", self._session_id, exc_info=error)
            return self._to_debug_error(error)
        return None

    def _to_debug_error(self, error: Exception) -> DebugError:
        if isinstance(error, DebugError):
            return error
        if isinstance(error, DeadlinePassed):
            return CallTimeoutError(
                "The program's debugger did not answer in time.",
                advice="The program may be busy in native code, or be stopped from outside. Try again, or end it with "
                "close_debug_session.",
            )
        log.error("%s failed", self._session_id, exc_info=error)
        return DebuggerFailedError(f"Unexpected failure: {type(error).__name__}: {error}")
