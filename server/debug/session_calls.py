"""What a session does for each request: the one place that knows all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from server.debug.followed_program import FollowedProgram
from server.debug.missing_names import missing_variable_notes, names_of
from server.debug.session_model import (
    Breakpoint,
    CallStack,
    OutputPage,
    PauseOnExceptions,
    ProgramState,
    ScriptInfo,
    SourceRange,
    WatchReading,
)
from server.debug.session_requests import (
    Continue,
    Evaluate,
    GetCallStack,
    GetOutput,
    GetSource,
    GetState,
    GetVariables,
    ListBreakpoints,
    ListScripts,
    Pause,
    RemoveBreakpoint,
    SessionRequest,
    SetBreakpoint,
    SetPauseOnExceptions,
    SetVariable,
    SetWatches,
    TakeStep,
    ToggleBreakpoint,
)
from server.debug.source_lines import marked_lines
from server.debug.value import Value, VariablePage
from server.errors import InvalidArgumentsError

CALL_S = 5.0
"""How long the debugger may take for a request, beyond what the program's own code may."""


@dataclass(frozen=True, slots=True)
class StopAwaited:
    """The answer is a report: now where the program stands still or is over, else at the next stop."""

    wait_s: float
    note_when_late: str


STILL_RUNNING = "The program still runs. continue_execution waits on for a stop, pause_execution stops it where it is."
_NOT_YET_PAUSED = (
    "The program has not stopped yet: it waits for something, or is busy in code that is not its own. It stops as soon "
    "as it runs code of its own; pause_execution waits on."
)


def request_to_bound_s(request: SessionRequest[Any]) -> float:
    """How long the owner may be kept busy by a request."""
    return CALL_S + (request.evaluation.timeout_s if isinstance(request, Evaluate) else 0.0)


class SessionCalls:
    """Answers requests about one program. Belongs to the session's owner."""

    def __init__(self, program: FollowedProgram) -> None:
        self._program = program
        self._handlers: Mapping[type[SessionRequest[Any]], Callable[[Any], object]] = {
            GetState: self._get_state,
            Continue: self._continue,
            TakeStep: self._take_step,
            Pause: self._pause,
            SetPauseOnExceptions: self._set_pause_on_exceptions,
            SetBreakpoint: self._set_breakpoint,
            RemoveBreakpoint: self._remove_breakpoint,
            ToggleBreakpoint: self._toggle_breakpoint,
            ListBreakpoints: self._list_breakpoints,
            GetCallStack: self._get_call_stack,
            GetVariables: self._get_variables,
            SetVariable: self._set_variable,
            Evaluate: self._evaluate,
            SetWatches: self._set_watches,
            ListScripts: self._list_scripts,
            GetSource: self._get_source,
            GetOutput: self._get_output,
        }

    def answer(self, request: SessionRequest[Any]) -> object:
        """The answer of the type that the request names, or `StopAwaited` where that is a report of the next stop."""
        return self._handlers[type(request)](request)

    # --- running ------------------------------------------------------------------------------------------------

    def _get_state(self, request: GetState) -> StopAwaited:
        self._program.refresh_stop()
        return StopAwaited(request.wait_s, STILL_RUNNING)

    def _continue(self, request: Continue) -> StopAwaited:
        if request.to is None:
            self._program.resume()
        else:
            self._program.run_to(request.to)
        return StopAwaited(request.wait_s, STILL_RUNNING)

    def _take_step(self, request: TakeStep) -> StopAwaited:
        self._program.step(request.kind, into_internals=request.into_internals)
        return StopAwaited(request.wait_s, STILL_RUNNING)

    def _pause(self, request: Pause) -> StopAwaited:
        self._program.pause()
        return StopAwaited(request.wait_s, _NOT_YET_PAUSED)

    def _set_pause_on_exceptions(self, request: SetPauseOnExceptions) -> PauseOnExceptions:
        self._program.require_alive()
        self._program.debuggee.set_pause_on_exceptions(request.mode)
        return request.mode

    # --- breakpoints --------------------------------------------------------------------------------------------

    def _set_breakpoint(self, request: SetBreakpoint) -> Breakpoint:
        self._program.require_alive()
        return self._program.breakpoints.set(request.wanted)

    def _remove_breakpoint(self, request: RemoveBreakpoint) -> Breakpoint:
        self._program.require_alive()
        return self._program.breakpoints.remove(request.breakpoint_id)

    def _toggle_breakpoint(self, request: ToggleBreakpoint) -> Breakpoint:
        self._program.require_alive()
        return self._program.breakpoints.toggle(request.breakpoint_id, enabled=request.enabled)

    def _list_breakpoints(self, _request: ListBreakpoints) -> tuple[Breakpoint, ...]:
        return self._program.breakpoints.all()

    # --- looking ------------------------------------------------------------------------------------------------

    def _get_call_stack(self, request: GetCallStack) -> CallStack:
        self._program.require_paused()
        stack = self._program.debuggee.call_stack(include_async=request.include_async)
        named = self._program.names.name_stack(stack)
        if request.include_internal:
            return named
        return replace(
            named,
            frames=tuple(frame for frame in named.frames if not frame.is_internal),
            async_frames=tuple(frame for frame in named.async_frames if not frame.is_internal),
        )

    def _get_variables(self, request: GetVariables) -> VariablePage:
        stop = self._program.require_paused()
        names, debuggee = self._program.names, self._program.debuggee
        if request.ref is not None:
            inside = names.name_page(debuggee.expand(names.handle(request.ref), request.page))
            missing = [name for name in request.page.names if name not in names_of(inside)]
            return replace(inside, notes=(f"Not inside: {', '.join(missing)}.",) if missing else ())
        frame = names.frame_index(request.frame)
        seen = names.name_page(debuggee.variables(frame, request.scope, request.page))
        missing = [name for name in request.page.names if name not in names_of(seen)]
        return replace(seen, notes=missing_variable_notes(debuggee, stop.frames, frame, request.scope, missing))

    def _set_variable(self, request: SetVariable) -> Value:
        self._program.require_paused()
        frame = self._program.names.frame_index(request.frame)
        value = self._program.debuggee.set_variable(frame, request.name, request.expression)
        return self._program.names.name_value(value)

    def _evaluate(self, request: Evaluate) -> Value:
        self._program.require_paused()
        frame = self._program.names.frame_index(request.frame)
        (value,) = self._program.debuggee.evaluate(frame, (request.evaluation,))
        return self._program.names.name_value(value)

    def _set_watches(self, request: SetWatches) -> tuple[WatchReading, ...]:
        self._program.require_alive()
        self._program.watches.replace(request.expressions)
        if self._program.state is not ProgramState.PAUSED:
            return ()
        return self._program.assembly.read_watches()

    def _list_scripts(self, request: ListScripts) -> tuple[ScriptInfo, ...]:
        matching = request.matching or ""
        return tuple(
            script
            for script in self._program.debuggee.scripts()
            if matching in script.url and (request.include_internal or _is_of_program(script))
        )

    def _get_source(self, request: GetSource) -> SourceRange:
        file, lines = self._find_source(request)
        last = len(lines) if request.last_line is None else request.last_line
        shown = marked_lines(lines, request.first_line, last, request.current_line)
        return SourceRange(file, shown, len(lines))

    def _find_source(self, request: GetSource) -> tuple[str, tuple[str, ...]]:
        sources = self._program.sources
        if request.script_id is not None:
            script = self._find_script(request.script_id)
            return script.file or script.url, sources.of_script(script.id)
        if request.file is None:
            raise InvalidArgumentsError("Which source? Give a script, or a file.", advice="list_scripts tells both.")
        try:
            return request.file, sources.of_file(request.file)
        except InvalidArgumentsError:
            if request.url is None or not any(script.url == request.url for script in self._program.debuggee.scripts()):
                raise
            return request.url, sources.of_file(request.url)

    def _find_script(self, script_id: str) -> ScriptInfo:
        for script in self._program.debuggee.scripts():
            if script.id == script_id:
                return script
        raise InvalidArgumentsError(
            f"There is no script {script_id!r}, or not any more.", advice="list_scripts tells all of them."
        )

    def _get_output(self, request: GetOutput) -> OutputPage:
        output = self._program.output
        if request.since is None:
            return output.tail(0, max_characters=request.max_characters, stream=request.stream)
        return output.page(request.since, max_characters=request.max_characters, stream=request.stream)


def _is_of_program(script: ScriptInfo) -> bool:
    """Whether it comes from a file, be it a package's; the runtime's own scripts do not."""
    return script.is_own or script.file is not None
