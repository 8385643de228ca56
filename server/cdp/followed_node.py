"""What a session does with a Node program while it is connected to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from server.cdp.console import console_call_to_output
from server.cdp.frames import async_trace_to_frames, pause_to_frames
from server.cdp.inspection import Inspection
from server.cdp.motion import Motion
from server.cdp.pause import Pause, params_to_pause
from server.cdp.pause_cause import params_to_cause
from server.cdp.scripts import ScriptTable
from server.cdp.session_breakpoints import BreakpointVerdict, SessionBreakpoints
from server.cdp.session_injection import SessionInjection
from server.cdp.sources import Sources
from server.debug.deadline import Deadline
from server.debug.session_model import Binding, CallStack, DebuggeeEvent, Evaluation, Resumed, StepKind, Stopped
from server.errors import DeadlinePassed, InvalidArgumentsError, InvalidStateError

if TYPE_CHECKING:
    from server.cdp.connection import Connection
    from server.cdp.inspector_link import WireEvent
    from server.config import Settings
    from server.debug.model import SourceLine
    from server.debug.value import Page, Value, VariablePage

_ASYNC_DEPTH = 32
_ASYNC_FROM_NOW_ON = (
    "Asynchronous frames are recorded from now on, which slows asynchronous code: they are there from the next stop on."
)
_UNDECIDED = "Whether the condition of a breakpoint is met here could not be found out in time."
_LEAVE_S = 2.0


class FollowedNode:
    """Belongs to the owner of its connection."""

    def __init__(self, connection: Connection, settings: Settings, *, is_launched: bool) -> None:
        self.scripts = ScriptTable()
        injection = SessionInjection(connection, settings.max_result_bytes, is_launched=is_launched)
        self.breakpoints = SessionBreakpoints(connection, self.scripts, injection)
        self.sources = Sources(connection, self.scripts)
        self.motion = Motion(connection, self.scripts, self.sources, skip_packages=settings.skip_packages)
        self._connection = connection
        self._inspection = Inspection(connection, injection)
        self._pause: Pause | None = None
        self._is_held = is_launched
        """Whether it is at its first pause, or on its way there, of which nobody is told: `begin` goes on from it."""
        self._begins_when_held = not is_launched
        """Whether it begins by itself at its first pause, since nobody calls `begin` for an attached program."""
        self._async_trace: object = None
        self._records_async = False

    # --- what the program tells -----------------------------------------------------------------------------------

    def take(self, event: WireEvent) -> Iterator[DebuggeeEvent]:
        """What an event on the wire means, in order."""
        from cdp_protocol.events import decode_event
        from cdp_protocol.generated import debugger, runtime

        if event.method == debugger.Paused.METHOD:
            yield from self._take_pause(event.params)
            return
        if event.method == debugger.ScriptParsed.METHOD and not event.params.get("url"):
            return  # what an evaluation compiles: of no interest to anybody
        match decode_event(event.method, event.params):
            case debugger.ScriptParsed() as parsed:
                self.scripts.add(parsed)
            case debugger.BreakpointResolved() as resolved:
                yield from _if_any(self.breakpoints.note_resolved(resolved))
            case debugger.Resumed():
                self.motion.note_resumed()
                yield from self._note_resumed()
            case runtime.BindingCalled() as called:
                yield from _if_any(self.breakpoints.note_report(called.payload))
            case runtime.ConsoleAPICalled() as call:
                yield from _if_any(console_call_to_output(call))
            case _:
                pass

    @property
    def is_paused(self) -> bool:
        """Whether it stands still, told or not."""
        return self._pause is not None

    @property
    def has_run(self) -> bool:
        """Whether any script is loaded that is not Node's own."""
        return any(not script.url.startswith("node:") for script in self.scripts)

    def begin(self, *, stop_on_entry: bool) -> Iterator[DebuggeeEvent]:
        """Let a program go that is held before its first line."""
        pause = self._pause
        if pause is None:
            return  # it is gone
        self._is_held = False
        verdict = self.breakpoints.at_first_pause(pause)
        yield from self._note_stop(self.motion.begin(pause, verdict, stop_on_entry=stop_on_entry))

    def _take_pause(self, params: Mapping[str, Any]) -> Iterator[DebuggeeEvent]:
        self._pause = pause = params_to_pause(params)
        self._async_trace = params.get("asyncStackTrace")
        cause = params_to_cause(params)
        verdict, notes = self._ask_breakpoints(pause)
        yield from verdict.bound
        if self._is_held:
            return
        if cause.is_start and self._begins_when_held:
            self._begins_when_held = False
            stopped = self.motion.begin(pause, verdict, stop_on_entry=True)
        else:
            stopped = self.motion.judge(pause, cause, verdict)
        yield from self._note_stop(stopped, notes)

    def _note_resumed(self) -> Iterator[Resumed]:
        if self._pause is not None:  # somebody else's doing: our own moves have forgotten the pause by now
            self._pause = None
            yield Resumed()

    def _ask_breakpoints(self, pause: Pause) -> tuple[BreakpointVerdict, tuple[str, ...]]:
        """What the pause means for the breakpoints. It is told in any case: nobody would know of it otherwise."""
        try:
            return self.breakpoints.at_pause(pause), ()
        except DeadlinePassed:
            return BreakpointVerdict(), (_UNDECIDED,)

    def _note_stop(self, stopped: Stopped | None, notes: tuple[str, ...] = ()) -> Iterator[Stopped]:
        if stopped is None:
            self._pause = None
        else:
            self.breakpoints.note_stop()
            yield replace(stopped, notes=(*stopped.notes, *notes))

    # --- running ----------------------------------------------------------------------------------------------------

    def resume(self) -> None:
        """Go on."""
        self._go_on(is_step=False)
        self.motion.resume()

    def step(self, kind: StepKind, *, into_internals: bool) -> None:
        """Go one step."""
        pause = self._go_on(is_step=True)
        self.motion.step(kind, pause, into_internals=into_internals)

    def run_to(self, place: SourceLine) -> Binding:
        """Go on to a line; where it has no code, or is not loaded, stay."""
        self.standing()
        binding = self.breakpoints.set_once(place)
        if binding.position is None:
            self.breakpoints.remove_once()
        else:
            self.resume()
        return binding

    def leave(self) -> None:
        """Take everything away that would stop the program, let it run, and see to it that it has heard."""
        from cdp_protocol.generated import debugger

        self.breakpoints.remove_all()
        self.motion.leave(is_paused=self.is_paused)
        self._pause = None
        self._connection.send(debugger.Disable(), Deadline.after(_LEAVE_S))

    def standing(self) -> Pause:
        """The pause at which the program stands; raises where it runs."""
        if self._pause is None:
            raise InvalidStateError("The program is running.", advice="pause_execution stops it.")
        return self._pause

    def _go_on(self, *, is_step: bool) -> Pause:
        pause = self.standing()
        self.breakpoints.before_going_on(is_step=is_step)
        self._inspection.forget_values()
        self._pause = None
        return pause

    # --- looking ----------------------------------------------------------------------------------------------------

    def call_stack(self, *, include_async: bool) -> CallStack:
        """The whole stack; who scheduled it only where V8 was asked to record that before."""
        frames = pause_to_frames(self.standing(), self.scripts)
        if not include_async:
            return CallStack(frames)
        if not self._records_async:
            self._record_async()
            return CallStack(frames, notes=(_ASYNC_FROM_NOW_ON,))
        return CallStack(frames, async_trace_to_frames(self._async_trace, self.scripts))

    def variables(self, frame: int, scope: str | None, page: Page) -> VariablePage:
        """What a frame sees."""
        return self._inspection.variables(self._with_frame(frame), frame, scope, page)

    def expand(self, handle: str, page: Page) -> VariablePage:
        """What is inside a value."""
        self.standing()
        return self._inspection.expand(handle, page)

    def evaluate(self, frame: int, evaluations: Iterable[Evaluation]) -> tuple[Value, ...]:
        """The values of expressions in a frame."""
        return self._inspection.evaluate(self._with_frame(frame), frame, evaluations)

    def set_variable(self, frame: int, name: str, expression: str) -> Value:
        """Give a variable the value of an expression."""
        return self._inspection.set_variable(self._with_frame(frame), frame, name, expression)

    def _with_frame(self, frame: int) -> Pause:
        pause = self.standing()
        if not 0 <= frame < len(pause.frames):
            raise InvalidArgumentsError(f"There is no frame {frame}: the stack has {len(pause.frames)}.")
        return pause

    def _record_async(self) -> None:
        from cdp_protocol.generated import debugger

        self._connection.send(debugger.SetAsyncCallStackDepth(max_depth=_ASYNC_DEPTH))
        self._records_async = True


def _if_any(event: DebuggeeEvent | None) -> Iterator[DebuggeeEvent]:
    if event is not None:
        yield event
