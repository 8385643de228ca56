"""Lets a program run, and says what each of its pauses means.

Belongs to the owner of its connection, like everything that it is made of.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from server.cdp.code_origin import CodeOrigin
from server.cdp.entry import EntryBreakpoints, is_while_linking
from server.cdp.frames import pause_to_frames
from server.cdp.pause_cause import thrown_to_model
from server.cdp.return_breakpoints import ReturnBreakpoints
from server.cdp.travel import Move, PauseTravel, Stand, Travel, pause_to_stand
from server.debug.deadline import Deadline
from server.debug.session_model import PauseOnExceptions, StepKind, Stopped, StopReason
from server.errors import DeadlinePassed, DebugError, DisconnectedError, ProtocolError

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.pause import Pause
    from server.cdp.pause_cause import PauseCause
    from server.cdp.scripts import ScriptTable
    from server.cdp.session_breakpoints import BreakpointVerdict
    from server.cdp.sources import Sources

_PACKAGES = ("/node_modules/",)
_NOTHING_ENTERED = (
    "Nothing of the program's own was entered: what the line calls is built in, or code of Node or of a package, which"
    " steps pass over. step_into with include_internal enters it."
)
_OFF_S = 0.3
"""How long to wait until breakpoints are switched off, before a pause is asked for all the same."""
_OTHER = "other"
"""What V8 says at a `debugger` statement, at a pause that was asked for, and (up to Node 20) after a step."""


class Motion:
    """What the program is about to do, and how it is told to."""

    def __init__(self, connection: Connection, scripts: ScriptTable, sources: Sources, *, skip_packages: bool) -> None:
        self._connection = connection
        self._scripts = scripts
        self._sources = sources
        self._skip_packages = skip_packages
        self._entry = EntryBreakpoints(connection, scripts)
        self._returns = ReturnBreakpoints(connection)
        self._travel: Travel | PauseTravel | None = None
        self._patterns: tuple[str, ...] = ()
        self._steps_are_named = False
        self._breakpoints_are_off = False
        self._is_setting_off = False
        """Whether the program was told to go on and has not said that it does: until then V8 takes no wish to pause."""

    # --- how it goes on; nothing here waits ------------------------------------------------------------------------

    def resume(self) -> None:
        """Go on to the next stop."""
        self._set_out(None)
        self._move(Move.ON)

    def step(self, kind: StepKind, pause: Pause, *, into_internals: bool) -> None:
        """Go one step from where the program stands."""
        start = pause_to_stand(pause, self._scripts)
        travel = Travel(kind, start, into_internals=into_internals, skip_packages=self._skip_packages)
        self._set_out(travel)
        if self._may_forget_steps(pause):
            self._returns.arm(pause, travel.landing_frames(start))
        self._move(travel.first_move)

    def pause(self) -> None:
        """Stop as soon as something runs: in code of a package too."""
        self._set_out(PauseTravel())
        if not self._is_setting_off:
            self._ask_for_pause()

    def note_resumed(self) -> None:
        """The program has gone on."""
        self._is_setting_off = False
        if isinstance(self._travel, PauseTravel) and not self._travel.is_asked_for:
            self._ask_for_pause()

    def set_pause_on_exceptions(self, mode: PauseOnExceptions) -> None:
        """At which exceptions to stop from now on."""
        from cdp_protocol.generated import debugger

        self._connection.send(debugger.SetPauseOnExceptions(state=mode.value))

    def leave(self, *, is_paused: bool) -> None:
        """Take away whatever would stop the program, and let it run."""
        from cdp_protocol.generated import debugger

        self._entry.remove()
        self._returns.remove()
        self._connection.post(debugger.SetPauseOnExceptions(state=PauseOnExceptions.NONE.value))
        if is_paused:
            self.resume()

    def _ask_for_pause(self) -> None:
        from cdp_protocol.generated import debugger

        assert isinstance(self._travel, PauseTravel)
        self._travel.is_asked_for = True
        self._switch_breakpoints_off()
        self._connection.post(debugger.Pause())

    def _switch_breakpoints_off(self) -> None:
        """Until the next pause, to which V8 never comes in a loop with a breakpoint whose condition is false."""
        from cdp_protocol.generated import debugger

        self._breakpoints_are_off = True
        call = self._connection.post(debugger.SetBreakpointsActive(active=False))
        with suppress(DeadlinePassed, ProtocolError):  # who does not answer is in no such loop
            # The wish to pause is lost as well where it reaches V8 inside of a condition.
            self._connection.wait(call, Deadline.after(_OFF_S))

    def _switch_breakpoints_on(self) -> None:
        from cdp_protocol.generated import debugger

        if self._breakpoints_are_off:
            self._breakpoints_are_off = False
            self._connection.post(debugger.SetBreakpointsActive(active=True))

    def _set_out(self, travel: Travel | PauseTravel | None) -> None:
        from cdp_protocol.generated import debugger

        self._travel = travel
        self._returns.remove()
        is_passing_over = self._skip_packages and (travel is None or travel.passes_over_packages)
        patterns = _PACKAGES if is_passing_over else ()
        if patterns != self._patterns:
            self._patterns = patterns
            self._connection.post(debugger.SetBlackboxPatterns(patterns=list(patterns)))

    def _move(self, move: Move) -> None:
        from cdp_protocol.generated import debugger

        self._is_setting_off = True
        match move:
            case Move.INTO:
                self._connection.post(debugger.StepInto())
            case Move.OVER:
                self._connection.post(debugger.StepOver())
            case Move.OUT:
                self._connection.post(debugger.StepOut())
            case Move.BACK:
                self._connection.post(debugger.Resume())
            case Move.ON:
                self._travel = None
                self._connection.post(debugger.Resume())

    def _may_forget_steps(self, pause: Pause) -> bool:
        """Whether V8 may lose a step that leaves the function: return_breakpoints.py says why."""
        try:
            return "finally" in self._sources.source(pause.script_id)
        except DebugError:
            return False

    # --- what its pauses mean --------------------------------------------------------------------------------------

    def begin(self, pause: Pause, verdict: BreakpointVerdict, *, stop_on_entry: bool) -> Stopped | None:
        """From node's first pause on; the stop, where the program is not to run at all yet."""
        if not stop_on_entry:
            if verdict.ids:
                return self._stop(pause, StopReason.BREAKPOINT, verdict)
            if self._entry.is_debugger_statement(pause):
                return self._stop(pause, StopReason.DEBUGGER_STATEMENT, verdict)
            self.resume()
            return None
        start = pause_to_stand(pause, self._scripts)
        self._set_out(
            Travel(
                StepKind.INTO,
                start,
                into_internals=False,
                skip_packages=self._skip_packages,
                reason=StopReason.ENTRY,
            )
        )
        return self._arrive(pause, start, verdict)

    def judge(self, pause: Pause, cause: PauseCause, verdict: BreakpointVerdict) -> Stopped | None:
        """The stop that a pause is; None where it is none, and the program goes on already."""
        self._switch_breakpoints_on()
        stand = pause_to_stand(pause, self._scripts)
        self._steps_are_named |= cause.is_step
        if (reason := self._reason(pause, cause, verdict, stand)) is not None:
            return self._stop(pause, reason, verdict, cause)
        if self._is_only_ours(pause, cause, verdict, stand):
            self._go(Move.ON if self._travel is None else self._travel.after_interruption(stand), pause, stand)
            return None
        return self._arrive(pause, stand, verdict)

    def _is_only_ours(self, pause: Pause, cause: PauseCause, verdict: BreakpointVerdict, stand: Stand) -> bool:
        """Whether nobody is to be told of a pause: it is the debugger's own, or Node's."""
        is_node_s = cause.thrown is not None and _is_all_of_node(stand)
        is_another_call = self._returns.are_among(pause) and not self._returns.has_come_back(pause)
        return self._travel is None or cause.is_out_of_memory or verdict.go_on or is_node_s or is_another_call

    def _reason(self, pause: Pause, cause: PauseCause, verdict: BreakpointVerdict, stand: Stand) -> StopReason | None:
        """Why the program stops here, other than that it has come to the end of a travel."""
        if self._entry.is_hit(pause):
            return StopReason.ENTRY
        if verdict.ids:
            return StopReason.BREAKPOINT
        if cause.is_out_of_memory or verdict.go_on or self._returns.are_only_ones_at(pause):
            return None
        if cause.thrown is not None:
            return None if _is_all_of_node(stand) else StopReason.EXCEPTION
        if pause.breakpoint_ids:
            return StopReason.BREAKPOINT  # the one that is there only for once, to run to
        return StopReason.DEBUGGER_STATEMENT if self._is_at_statement(pause, stand, cause) else None

    def _is_at_statement(self, pause: Pause, stand: Stand, cause: PauseCause) -> bool:
        """Whether it is a `debugger` statement that the program ran into, and not the end of a travel."""
        if _OTHER not in cause.reasons:
            return False
        match self._travel:
            case None:  # or what V8 still owes to a step that an exception ended
                return self._entry.is_debugger_statement(pause)
            case Travel(reason=StopReason.STEP) as step:
                is_no_step = self._steps_are_named and not cause.is_step
                return is_no_step or step.has_gone_deeper(stand)
            case _:
                return False

    def _arrive(self, pause: Pause, stand: Stand, verdict: BreakpointVerdict) -> Stopped | None:
        travel = self._travel
        assert travel is not None, "nothing is under way"
        move = travel.at_pause(stand)
        if move is not None:
            self._go(move, pause, stand)
            return None
        if travel.reason is StopReason.ENTRY and is_while_linking(pause, self._scripts):
            self._entry.arm(pause)
            self._move(Move.ON)
            return None
        notes = (_NOTHING_ENTERED,) if self._has_passed_over_calls(travel, stand) else ()
        return self._stop(pause, travel.reason, verdict, notes=notes)

    def _go(self, move: Move, pause: Pause, stand: Stand) -> None:
        if move is Move.BACK and isinstance(self._travel, Travel):
            self._returns.arm(pause, self._travel.landing_frames(stand))
        self._move(move)

    def _stop(
        self,
        pause: Pause,
        reason: StopReason,
        verdict: BreakpointVerdict,
        cause: PauseCause | None = None,
        notes: tuple[str, ...] = (),
    ) -> Stopped:
        self._travel = None
        self._entry.remove()
        self._returns.remove()
        thrown = None if cause is None else cause.thrown
        return Stopped(
            reason=reason,
            frames=pause_to_frames(pause, self._scripts),
            breakpoint_ids=verdict.ids,
            exception=None if thrown is None else thrown_to_model(thrown),
            notes=notes,
        )

    def _has_passed_over_calls(self, travel: Travel | PauseTravel, stand: Stand) -> bool:
        """Whether a step into a function entered none, although its line has calls."""
        from cdp_protocol.generated import debugger

        if not isinstance(travel, Travel) or not travel.has_entered_nothing(stand):
            return False
        start = travel.start
        begin = debugger.Location(script_id=start.script_id, line_number=start.line_number, column_number=0)
        end = debugger.Location(script_id=start.script_id, line_number=start.line_number + 1, column_number=0)
        try:
            found = self._connection.send(debugger.GetPossibleBreakpoints(start=begin, end=end))
        except (ProtocolError, DisconnectedError):
            return False  # a hint less
        return any(location.type == "call" for location in found.locations)


def _is_all_of_node(stand: Stand) -> bool:
    """Whether none of the program's own code, nor of its packages, is under way."""
    return all(origin is CodeOrigin.RUNTIME for origin in stand.origins)
