"""How sessions begin, on every backend."""

from __future__ import annotations

import pytest

from server.debug.session_model import AttachSpec, LaunchSpec, ProgramState, StopReason
from server.debug.session_requests import BreakpointRequest
from server.debug.sessions import StartOptions
from server.errors import CancelRequested, ConnectionFailedError, InvalidArgumentsError, TargetLaunchError
from tests.contract.conftest import MakeDebugger
from tests.contract.harness import Debugger, await_file, stop_of
from tests.contract.programs import CART, PATIENT, SPIN, STATEMENT, TALKS


def test_stop_on_entry_stands_before_the_first_line(debug: Debugger) -> None:
    started = debug.start(STATEMENT, stop_on_entry=True)
    assert started.report.state is ProgramState.PAUSED
    stop = stop_of(started.report)
    assert (stop.reason, stop.frames[0].position.line) == (StopReason.ENTRY, 1)
    assert stop.frames[0].position.file == str(started.program.path)


def test_a_first_breakpoint_is_set_before_anything_runs(debug: Debugger) -> None:
    started = debug.start(CART, "begin")
    assert started.marks(started.report, "begin")
    (first,) = started.opened.breakpoints
    assert stop_of(started.report).breakpoint_ids == (first.id,)
    assert (first.id, first.hits, first.enabled) == ("bp1", 1, True)
    assert started.output() == ""


def test_the_stop_shows_the_lines_around_it(debug: Debugger) -> None:
    started = debug.start(CART, "call")
    source = stop_of(started.report).source
    here = started.program.line("call")
    assert [text.line for text in source] == [here - 2, here - 1, here, here + 1, here + 2]
    assert [text.line for text in source if text.is_current] == [here]
    assert "@bp call" in source[2].text


def test_a_program_without_stops_is_told_with_its_end(debug: Debugger) -> None:
    started = debug.start(TALKS)
    assert started.report.state is ProgramState.EXITED
    assert started.report.exit is not None
    assert started.report.exit.code == 3
    told = "".join(entry.text for entry in started.report.output.entries if entry.stream == "stdout")
    assert told == "one\ntwo\nthree\n"


def test_a_program_that_runs_on_is_told_when_the_wait_is_over(debug: Debugger) -> None:
    started = debug.start(SPIN, wait_s=0.0)
    assert started.report.state is ProgramState.RUNNING
    assert "continue_execution" in " ".join(started.report.notes)
    assert debug.sessions.list()[0].state is ProgramState.RUNNING


def test_a_statement_of_the_program_stops_it(debug: Debugger) -> None:
    started = debug.start(STATEMENT)
    assert stop_of(started.report).reason is StopReason.DEBUGGER_STATEMENT
    assert started.marks(started.report, "statement")


def test_a_program_that_cannot_be_started_leaves_no_session(debug: Debugger) -> None:
    command = LaunchSpec((str(debug.folder / "no-such-folder" / "node"), str(debug.folder / "missing")))
    with pytest.raises(TargetLaunchError):
        debug.sessions.launch(command, StartOptions()).wait()
    assert debug.sessions.list() == ()


def test_a_first_breakpoint_that_cannot_be_set_leaves_no_session(debug: Debugger) -> None:
    program = debug.write(CART)
    with pytest.raises(InvalidArgumentsError, match="nowhere to be found"):
        debug.launch(program, also=(BreakpointRequest(file=str(program.path), text="nowhere to be found"),)).wait()
    assert debug.sessions.list() == ()


def test_a_cancelled_start_leaves_no_session(debug: Debugger) -> None:
    pending = debug.launch(debug.write(SPIN))
    pending.cancel()
    with pytest.raises(CancelRequested):
        pending.wait()
    assert debug.sessions.list() == ()


def test_a_start_that_is_cancelled_while_the_program_runs_ends_it(debug: Debugger) -> None:
    pending = debug.launch(debug.write(PATIENT), wait_s=3600.0)
    await_file(debug.folder / "begun")
    pending.cancel()
    with pytest.raises(CancelRequested):
        pending.wait()
    assert debug.sessions.list() == ()


def test_an_attached_program_is_found_running(debug: Debugger) -> None:
    program = debug.write(PATIENT)
    attached = debug.attach(program, debug.runtime.run_undebugged(program))
    try:
        assert attached.report.state is ProgramState.RUNNING
        assert attached.opened.program.is_attached
        attached.breakpoint("turn")
        stop = stop_of(attached.state(wait_s=30))
        assert stop.reason is StopReason.BREAKPOINT
        assert stop.frames[0].position.line == program.line("turn")
    finally:
        debug.sessions.close(attached.session.id, keep_running=False).wait()
        (debug.folder / "go").touch()


def test_nothing_to_attach_to_leaves_no_session(debug: Debugger) -> None:
    with pytest.raises(ConnectionFailedError):
        debug.sessions.attach(AttachSpec(port=9), StartOptions()).wait()
    assert debug.sessions.list() == ()


def test_sessions_are_numbered_in_order(make_debugger: MakeDebugger) -> None:
    debug = make_debugger()
    program = debug.write(CART)
    ids = [debug.start(program, "begin").session.id for _ in range(2)]
    assert ids == ["s1", "s2"]
    assert [summary.session_id for summary in debug.sessions.list()] == ids
