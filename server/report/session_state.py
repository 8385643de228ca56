"""The answer to every call that runs a program: where it stands now, and what the next decision needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from server.debug.session_model import (
    Breakpoint,
    ProgramInfo,
    ProgramState,
    StateReport,
    Stop,
    StopReason,
)
from server.debug.session_terms import Opened
from server.process.process_events import ExitStatus
from server.report.answer import Answer
from server.report.detail import Detail, cut_end, fitting_answer, more
from server.report.session_answer import session_fields, success_answer
from server.report.session_frames import own_frames_first, stack_to_text
from server.report.session_output import output_to_json, output_to_lines
from server.report.session_places import (
    breakpoint_to_json,
    breakpoint_to_lines,
    frame_place,
    frame_to_json,
    location_to_json,
    source_to_json,
    source_to_lines,
)
from server.report.session_values import (
    locals_to_text,
    value_to_json,
    variable_to_json,
    watch_to_json,
    watch_to_text,
)

_TITLE_CHARACTERS = 400
_NEXT: Mapping[ProgramState, str] = {
    ProgramState.PAUSED: "step_over, step_into, step_out, continue_execution, evaluate_expression, get_variables",
    ProgramState.RUNNING: "continue_execution (waits for the next stop), pause_execution, get_output",
    ProgramState.EXITED: "get_output, close_debug_session, start_debugging",
    ProgramState.DISCONNECTED: "get_output, close_debug_session, connect_debugger",
}
_FRAMES_IN_TEXT = 8


def state_answer(report: StateReport) -> Answer:
    """What an agent gets of a call that ran the program."""
    return fitting_answer(
        lambda detail: success_answer(
            state_fields(report, report.changed_breakpoints, detail),
            [*_state_lines(report, report.changed_breakpoints, detail), f"next: {_NEXT[report.state]}"],
        )
    )


def opened_answer(opened: Opened) -> Answer:
    """What an agent gets of a session that has begun: the first stop, all breakpoints, which program it is."""
    report, program = opened.report, opened.program
    return fitting_answer(
        lambda detail: success_answer(
            {**state_fields(report, opened.breakpoints, detail), "target_info": program_to_json(program)},
            [
                *_state_lines(report, opened.breakpoints, detail),
                f"program: {program_to_text(program)}",
                f"next: {_NEXT[report.state]}",
            ],
        )
    )


def closed_answer(report: StateReport) -> Answer:
    """What an agent gets of a session that was closed; nothing can be asked of it any more."""
    return fitting_answer(
        lambda detail: success_answer(
            {**state_fields(report, (), detail), "closed": True},
            [
                " ".join([f"{report.session_id} closed.", *_short_notes(report.notes, detail)]),
                *output_to_lines(report.output, detail),
            ],
        )
    )


def program_to_json(program: ProgramInfo) -> dict[str, Any]:
    """Which program a session is about."""
    return {
        "title": cut_end(program.title, _TITLE_CHARACTERS),
        "runtime": program.runtime,
        "pid": program.pid,
        "attached": program.is_attached,
    }


def program_to_text(program: ProgramInfo) -> str:
    """The same in a line."""
    pid = None if program.pid is None else f"pid {program.pid}"
    origin = "attached" if program.is_attached else "launched"
    words = [cut_end(program.title, _TITLE_CHARACTERS), program.runtime, pid, origin]
    return ", ".join(word for word in words if word)


# --- structured ----------------------------------------------------------------------------------------------------


def state_fields(report: StateReport, breakpoints: Sequence[Breakpoint], detail: Detail) -> dict[str, Any]:
    """Everything about a state, each part only where there is something to say."""
    told = session_fields(report.session_id, report.state)
    if report.stop is not None:
        told["stop"] = _stop_to_json(report.stop, detail)
    told["output"] = output_to_json(report.output, detail)
    if report.exit is not None:
        told["exit"] = {"code": report.exit.code, "signal": report.exit.signal}
    shown = breakpoints[: detail.breakpoints]
    if shown:
        told["breakpoints"] = [breakpoint_to_json(point, detail) for point in shown]
    if missing := more(shown, len(breakpoints)):
        told["more_breakpoints"] = missing
    if report.notes:
        told["notes"] = _short_notes(report.notes, detail)
    return told


def _stop_to_json(stop: Stop, detail: Detail) -> dict[str, Any]:
    frames = own_frames_first(stop.frames)[: detail.frames]
    variables = stop.locals.variables[: detail.variables]
    watches = stop.watches[: detail.watches]
    told: dict[str, Any] = {"reason": stop.reason.value}
    if stop.breakpoint_ids:
        told["breakpoint_ids"] = list(stop.breakpoint_ids)
    told["target"] = "main"
    if stop.frames:
        told["location"] = location_to_json(stop.frames[0])
    told["source"] = source_to_json(stop.source, detail.line_characters)
    told["frames"] = [frame_to_json(frame) for frame in frames]
    if len(frames) < len(stop.frames):
        told["frames_total"] = len(stop.frames)
    told["locals"] = [variable_to_json(variable, detail.value_characters) for variable in variables]
    if watches:
        told["watches"] = [watch_to_json(watch, detail.value_characters) for watch in watches]
    if stop.exception is not None:
        told["exception"] = _exception_to_json(stop, detail)
    missing = {
        "more_locals": more(variables, stop.locals.total),
        "more_watches": more(watches, len(stop.watches)),
    }
    told.update({name: count for name, count in missing.items() if count})
    if stop.notes:
        told["notes"] = _short_notes(stop.notes, detail)
    return told


def _exception_to_json(stop: Stop, detail: Detail) -> dict[str, Any]:
    assert stop.exception is not None
    told: dict[str, Any] = {
        "name": stop.exception.name,
        "message": cut_end(stop.exception.message, detail.note_characters),
        "caught": stop.exception.is_caught,
    }
    if stop.exception.value is not None:
        told["value"] = value_to_json(stop.exception.value, detail.value_characters)
    return told


def _short_notes(notes: Sequence[str], detail: Detail) -> list[str]:
    return [cut_end(note, detail.note_characters) for note in notes]


# --- text ----------------------------------------------------------------------------------------------------------


def _state_lines(report: StateReport, breakpoints: Sequence[Breakpoint], detail: Detail) -> Iterator[str]:
    yield f"{report.session_id} {_headline(report)}"
    if report.stop is not None:
        yield from _stop_lines(report.stop, report.directory or _server_directory(), detail)
    yield from output_to_lines(report.output, detail)
    for point in breakpoints[: detail.breakpoints]:
        yield from breakpoint_to_lines(point, detail)
    if missing := more(breakpoints[: detail.breakpoints], len(breakpoints)):
        yield f"… {missing} more breakpoints: list_breakpoints"
    yield from (f"note: {note}" for note in _short_notes(report.notes, detail))


def _headline(report: StateReport) -> str:
    if report.stop is not None:
        return f"paused {_why(report.stop)}"
    if report.state is ProgramState.EXITED:
        return _exit_words(report.exit)
    return "is disconnected" if report.state is ProgramState.DISCONNECTED else report.state.value


def _why(stop: Stop) -> str:
    place = f"in {frame_place(stop.frames[0])}" if stop.frames else "at an unknown place"
    match stop.reason:
        case StopReason.ENTRY:
            return f"on entry {place}"
        case StopReason.BREAKPOINT if stop.breakpoint_ids:
            noun = "breakpoint" if len(stop.breakpoint_ids) == 1 else "breakpoints"
            return f"at {noun} {', '.join(stop.breakpoint_ids)} {place}"
        case StopReason.STEP:
            return f"after a step {place}"
        case StopReason.EXCEPTION:
            return f"at an exception {place}"
        case StopReason.DEBUGGER_STATEMENT:
            return f"at a debugger statement {place}"
        case _:
            return place


def _exit_words(status: ExitStatus | None) -> str:
    if status is None or (status.code is None and status.signal is None):
        return "exited"
    return f"exited: killed by {status.signal}" if status.signal is not None else f"exited with code {status.code}"


def _server_directory() -> str | None:
    with suppress(FileNotFoundError):  # it may have been removed
        return str(Path.cwd())
    return None


def _stop_lines(stop: Stop, directory: str | None, detail: Detail) -> Iterator[str]:
    yield from source_to_lines(stop.source, detail.line_characters)
    if stop.exception is not None:
        yield f"exception: {_exception_words(stop, detail)}"
    variables = stop.locals.variables[: detail.variables]
    if variables:
        yield f"locals: {locals_to_text(variables, more(variables, stop.locals.total), detail.value_characters)}"
    if watches := stop.watches[: detail.watches]:
        shown = ", ".join(watch_to_text(watch, detail.value_characters) for watch in watches)
        missing = more(watches, len(stop.watches))
        yield f"watches: {shown}" + (f" … {missing} more: set_watches" if missing else "")
    if stop.frames:
        yield f"frames: {stack_to_text(stop.frames, min(detail.frames, _FRAMES_IN_TEXT), directory)}"
    yield from (f"note: {note}" for note in _short_notes(stop.notes, detail))


def _exception_words(stop: Stop, detail: Detail) -> str:
    assert stop.exception is not None
    thrown = stop.exception
    caught = {True: " (caught)", False: " (uncaught)", None: ""}[thrown.is_caught]
    ref = "" if thrown.value is None or thrown.value.handle is None else f" ({thrown.value.handle})"
    return f"{thrown.name}: {cut_end(thrown.message, detail.note_characters)}{caught}{ref}"
