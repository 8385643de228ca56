"""Continuing, stepping, pausing, and the end of a program, on every backend."""

from __future__ import annotations

import pytest

from server.debug.model import SourceLine
from server.debug.session_model import Evaluation, PauseOnExceptions, ProgramState, StepKind, StopReason
from server.debug.session_requests import (
    BreakpointRequest,
    Continue,
    Evaluate,
    GetCallStack,
    GetOutput,
    GetVariables,
    ListBreakpoints,
    Pause,
    RemoveBreakpoint,
    SessionRequest,
    SetBreakpoint,
    SetPauseOnExceptions,
    SetVariable,
    TakeStep,
)
from server.errors import CancelRequested, InvalidArgumentsError, InvalidStateError, ProgramGoneError
from tests.contract.harness import WAIT_S, Debugger, stop_of
from tests.contract.programs import CART, SPIN, TALKS, THROWS


def test_a_step_over_passes_the_calls_of_a_line(debug: Debugger) -> None:
    cart = debug.start(CART, "call")
    report = cart.step(StepKind.OVER)
    assert cart.marks(report, "add")
    assert stop_of(report).reason is StopReason.STEP
    assert stop_of(report).breakpoint_ids == ()


def test_a_step_over_stops_at_a_breakpoint_in_between(debug: Debugger) -> None:
    cart = debug.start(CART, "call", "return")
    report = cart.step(StepKind.OVER)
    assert cart.marks(report, "return")
    assert stop_of(report).reason is StopReason.BREAKPOINT


def test_a_step_into_goes_into_the_call_of_a_line(debug: Debugger) -> None:
    cart = debug.start(CART, "call")
    report = cart.step(StepKind.INTO)
    assert cart.marks(report, "total")
    assert [frame.function for frame in stop_of(report).frames[:2]] == ["price", "checkout"]


def test_a_step_out_lands_in_the_caller(debug: Debugger) -> None:
    cart = debug.start(CART, "total")
    report = cart.step(StepKind.OUT)
    assert stop_of(report).frames[0].function == "checkout"
    assert cart.marks(report, "call", "add")


def test_steps_at_the_end_come_to_the_end_of_the_program(debug: Debugger) -> None:
    cart = debug.start(CART, "end")
    report = cart.report
    for _ in range(4):
        if report.state is not ProgramState.PAUSED:
            break
        report = cart.step(StepKind.OVER)
    assert report.state is ProgramState.EXITED
    assert report.exit is not None
    assert report.exit.code == 0
    assert cart.output("stdout") == "begin\npaid 36\n"


def test_a_program_runs_to_a_line_once(debug: Debugger) -> None:
    cart = debug.start(CART, "begin")
    report = cart.go(to=SourceLine(str(cart.program.path), cart.program.line("add")))
    assert cart.marks(report, "add")
    assert cart.evaluate("paid").json == 0
    assert cart.ask(ListBreakpoints())[1:] == ()
    assert cart.go().state is ProgramState.EXITED


def test_a_line_that_was_run_to_is_told_as_reached(debug: Debugger) -> None:
    cart = debug.start(CART, "begin", "add")
    for mark in ("paid", "add"):
        place = SourceLine(str(cart.program.path), cart.program.line(mark))
        stop = stop_of(cart.go(to=place))
        assert stop.reason is StopReason.BREAKPOINT
        assert stop.notes == (f"Reached {place.file}:{place.line}.",)
    assert stop_of(cart.go()).notes == ()


def test_a_stop_before_the_line_that_is_run_to_says_so(debug: Debugger) -> None:
    cart = debug.start(CART, "begin", "add")
    place = SourceLine(str(cart.program.path), cart.program.line("done"))
    not_reached = f"{place.file}:{place.line} was not reached; it is not a target any more."
    assert stop_of(cart.go(to=place)).notes == (not_reached,)
    cart.ask(RemoveBreakpoint("bp2"))
    assert cart.go().state is ProgramState.EXITED


def test_an_end_before_the_line_that_is_run_to_says_so(debug: Debugger) -> None:
    cart = debug.start(CART, "end")
    place = SourceLine(str(cart.program.path), cart.program.line("begin"))
    report = cart.go(to=place)
    assert report.state is ProgramState.EXITED
    assert report.notes == (f"{place.file}:{place.line} was not reached; it is not a target any more.",)


def test_a_program_does_not_move_where_the_line_is_nowhere(debug: Debugger) -> None:
    cart = debug.start(CART, "begin")
    with pytest.raises(InvalidArgumentsError):
        cart.go(to=SourceLine(str(cart.program.path), 9999))
    assert cart.marks(cart.state(), "begin")


def test_a_busy_loop_is_paused_and_goes_on(debug: Debugger) -> None:
    spin = debug.start(SPIN, "spin")
    spin.ask(RemoveBreakpoint("bp1"))
    count = 0
    for _ in range(3):
        before = count
        while count == before:  # a pause may come before the loop has gone round
            assert spin.ask(Continue(wait_s=0.0)).state is ProgramState.RUNNING
            assert stop_of(spin.pause()).reason is StopReason.PAUSE
            count = spin.whole_number("count")
        assert count > before


def test_to_pause_a_program_that_stands_still_tells_where(debug: Debugger) -> None:
    cart = debug.start(CART, "begin")
    again = cart.pause()
    assert again.stop is not None
    assert again.stop.reason is StopReason.BREAKPOINT
    assert again.stop.frames == stop_of(cart.report).frames


def test_a_wait_that_is_over_says_that_the_program_runs(debug: Debugger) -> None:
    spin = debug.start(SPIN, "begin")
    report = spin.ask(Continue(wait_s=0.05))
    assert report.state is ProgramState.RUNNING
    assert report.stop is None
    assert "pause_execution" in " ".join(report.notes)


def test_a_breakpoint_that_is_set_while_the_program_runs_stops_it(debug: Debugger) -> None:
    spin = debug.start(SPIN, wait_s=0.0)
    wanted = spin.breakpoint("spin")
    assert wanted.binding.position is not None
    report = spin.state(WAIT_S)
    assert stop_of(report).breakpoint_ids == (wanted.id,)


def test_all_who_wait_are_told_of_the_stop(debug: Debugger) -> None:
    spin = debug.start(SPIN, "begin")
    spin.ask(Continue(wait_s=0.0))
    waiting = [spin.session.post(Pause(WAIT_S)) for _ in range(3)]
    reports = [pending.wait() for pending in waiting]
    assert {report.state for report in reports} == {ProgramState.PAUSED}
    assert len({stop_of(report).frames[0].id for report in reports}) == 1


def test_a_cancelled_wait_leaves_the_program_running(debug: Debugger) -> None:
    spin = debug.start(SPIN, "begin")
    pending = spin.session.post(Continue(wait_s=3600.0))
    debug.await_state(spin, ProgramState.RUNNING)
    pending.cancel()
    with pytest.raises(CancelRequested):
        pending.wait()
    assert spin.state().state is ProgramState.RUNNING
    assert spin.pause().state is ProgramState.PAUSED


NEEDS_A_STOP: list[SessionRequest[object]] = [
    GetCallStack(),
    GetVariables(),
    SetVariable("count", "1"),
    Evaluate(Evaluation("1")),
    Continue(WAIT_S),
    TakeStep(StepKind.OVER, WAIT_S),
]


@pytest.mark.parametrize("request_", NEEDS_A_STOP, ids=lambda request: type(request).__name__)
def test_what_needs_a_stop_is_refused_while_the_program_runs(debug: Debugger, request_: SessionRequest[object]) -> None:
    spin = debug.start(SPIN, wait_s=0.0)
    with pytest.raises(InvalidStateError) as refusal:
        spin.ask(request_)
    assert "pause_execution" in (refusal.value.advice or "")
    assert spin.state().state is ProgramState.RUNNING


@pytest.mark.parametrize(
    "request_",
    [
        *NEEDS_A_STOP,
        Pause(WAIT_S),
        SetPauseOnExceptions(PauseOnExceptions.ALL),
        SetBreakpoint(BreakpointRequest(function="main")),
    ],
    ids=lambda request: type(request).__name__,
)
def test_after_the_end_everything_but_reading_is_refused(debug: Debugger, request_: SessionRequest[object]) -> None:
    ended = debug.start(TALKS)
    with pytest.raises(ProgramGoneError) as refusal:
        ended.ask(request_)
    assert refusal.value.details["exit"] == {"code": 3, "signal": None}


def test_an_ended_program_can_still_be_read(debug: Debugger) -> None:
    ended = debug.start(TALKS, "quiet")
    ended.go()
    again = ended.state()
    assert again.state is ProgramState.EXITED
    assert again.exit is not None
    assert again.exit.code == 3
    assert [each.hits for each in ended.ask(ListBreakpoints())] == [1]
    assert "three" in ended.output("stdout")
    assert debug.sessions.list()[0].state is ProgramState.EXITED


def test_no_exception_stops_a_program_unless_asked(debug: Debugger) -> None:
    thrower = debug.start(THROWS)
    assert thrower.report.state is ProgramState.EXITED
    assert thrower.report.exit is not None
    assert thrower.report.exit.code == 1
    assert "negative" in thrower.output("stderr")


def test_an_uncaught_exception_stops_where_it_is_thrown(debug: Debugger) -> None:
    thrower = debug.start(THROWS, pause_on_exceptions=PauseOnExceptions.UNCAUGHT)
    (stop,) = thrower.stops_until_the_end(thrower.report)
    assert stop.reason is StopReason.EXCEPTION
    assert stop.frames[0].position.line == thrower.program.line("throw")
    assert stop.exception is not None
    assert (stop.exception.message, stop.exception.is_caught) == ("negative", False)


def test_all_exceptions_stop_and_say_whether_they_are_caught(debug: Debugger) -> None:
    thrower = debug.start(THROWS, stop_on_entry=True)
    thrower.ask(SetPauseOnExceptions(PauseOnExceptions.ALL))
    stops = thrower.stops_until_the_end(thrower.go())
    assert [stop.reason for stop in stops] == [StopReason.EXCEPTION] * 2
    assert [stop.exception.is_caught for stop in stops if stop.exception is not None] == [True, False]
    assert {stop.exception.name for stop in stops if stop.exception is not None} <= {"ValueError", "RangeError"}


def test_exceptions_can_be_let_pass_again(debug: Debugger) -> None:
    thrower = debug.start(THROWS, pause_on_exceptions=PauseOnExceptions.ALL)
    thrower.ask(SetPauseOnExceptions(PauseOnExceptions.NONE))
    assert thrower.go().state is ProgramState.EXITED


def test_output_is_told_once_and_can_be_read_again(debug: Debugger) -> None:
    talker = debug.start(TALKS)
    assert talker.state().output.entries == ()
    everything = talker.ask(GetOutput())
    assert sorted(talker.output().split()) == ["one", "oops", "three", "two"]
    assert talker.output("stdout") == "one\ntwo\nthree\n"
    assert talker.output("stderr") == "oops\n"
    assert everything.cursor == sum(len(entry.text) for entry in everything.entries)
    assert talker.ask(GetOutput(since=everything.cursor)).entries == ()


def test_output_comes_in_pages_that_miss_nothing(debug: Debugger) -> None:
    talker = debug.start(TALKS)
    cursor, pages = 0, []
    while (page := talker.ask(GetOutput(since=cursor, max_characters=5))).entries:
        pages.append("".join(entry.text for entry in page.entries))
        cursor = page.cursor
    assert "".join(pages) == talker.output()
    assert max(map(len, pages)) <= 5


def test_output_between_two_stops_belongs_to_the_second(debug: Debugger) -> None:
    cart = debug.start(CART, "begin", "end")
    assert cart.report.output.entries == ()
    ended = cart.go()
    told = [*ended.output.entries, *cart.go().output.entries]
    assert "".join(entry.text for entry in told) == "begin\npaid 36\n"
