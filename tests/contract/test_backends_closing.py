"""How sessions end, how many there may be, and that they do not know of each other, on every backend."""

from __future__ import annotations

import pytest

from server.debug.session_model import ProgramState, StepKind
from server.debug.session_requests import Continue, GetState, GetVariables, ListBreakpoints
from server.errors import InvalidArgumentsError, LimitExceededError, ProgramGoneError, SessionNotFoundError
from tests.contract.conftest import MakeDebugger
from tests.contract.harness import WAIT_S, Debugger, await_file, stop_of
from tests.contract.programs import CART, PATIENT, SPIN, TALKS


def test_a_closed_session_tells_its_last_and_is_gone(debug: Debugger) -> None:
    cart = debug.start(CART, "begin", "end")
    cart.session.post(Continue(WAIT_S)).wait()
    last = debug.sessions.close(cart.session.id, keep_running=False).wait()
    assert last.session_id == cart.session.id
    assert last.state is ProgramState.EXITED
    assert last.notes == ("The program was ended.",)
    assert debug.sessions.list() == ()
    with pytest.raises(SessionNotFoundError) as refusal:
        debug.sessions.get(cart.session.id)
    assert refusal.value.details["session_ids"] == []


def test_the_last_report_has_the_output_that_nobody_has_seen(debug: Debugger) -> None:
    talker = debug.start(TALKS, "quiet")
    told = "".join(entry.text for entry in talker.report.output.entries)
    told += "".join(entry.text for entry in talker.ask(Continue(wait_s=0.0)).output.entries)
    debug.await_state(talker, ProgramState.EXITED)
    last = debug.sessions.close(talker.session.id, keep_running=False).wait()
    told += "".join(entry.text for entry in last.output.entries)
    assert sorted(told.split()) == ["one", "oops", "three", "two"]
    assert last.exit is not None
    assert last.exit.code == 3
    assert last.notes == ("The program had ended before: exit code 3.",)


def test_whoever_waits_is_told_that_the_session_was_closed(debug: Debugger) -> None:
    spin = debug.start(SPIN, "begin")
    waiting = spin.session.post(Continue(wait_s=3600.0))
    debug.await_state(spin, ProgramState.RUNNING)
    debug.sessions.close(spin.session.id, keep_running=False).wait()
    with pytest.raises(ProgramGoneError, match="closed"):
        waiting.wait()
    with pytest.raises(ProgramGoneError, match="closed"):
        spin.session.post(GetState()).wait()


def test_a_session_can_be_closed_twice(debug: Debugger) -> None:
    spin = debug.start(SPIN, "begin")
    closings = [spin.session.close(keep_running=False) for _ in range(2)]
    assert closings[0].wait().state is ProgramState.EXITED
    try:
        assert closings[1].wait().state is ProgramState.EXITED
    except ProgramGoneError as error:
        assert "closed" in error.message  # noqa: PT017 - it came too late to be told more


def test_a_program_that_is_to_be_kept_runs_on(debug: Debugger) -> None:
    program = debug.write(PATIENT)
    started = debug.start(program, "turn")
    last = debug.sessions.close(started.session.id, keep_running=True).wait()
    assert last.state is ProgramState.RUNNING
    assert last.notes == ("The program runs on without a debugger.",)
    (debug.folder / "go").touch()
    await_file(debug.folder / "done")


def test_an_attached_program_runs_on_without_its_breakpoints(debug: Debugger) -> None:
    program = debug.write(PATIENT)
    attached = debug.attach(program, debug.runtime.run_undebugged(program))
    attached.breakpoint("turn")
    assert attached.state(WAIT_S).state is ProgramState.PAUSED
    last = debug.sessions.close(attached.session.id, keep_running=False).wait()
    assert last.state is ProgramState.RUNNING
    (debug.folder / "go").touch()
    await_file(debug.folder / "done")


def test_an_attached_program_that_ends_is_noticed(debug: Debugger) -> None:
    program = debug.write(PATIENT)
    attached = debug.attach(program, debug.runtime.run_undebugged(program))
    (debug.folder / "go").touch()
    report = attached.state(WAIT_S)
    assert report.state in (ProgramState.EXITED, ProgramState.DISCONNECTED)


def test_a_session_too_many_is_refused_with_those_that_there_are(make_debugger: MakeDebugger) -> None:
    debug = make_debugger(max_sessions=2)
    program = debug.write(SPIN)
    first, second = (debug.start(program, "begin") for _ in range(2))
    with pytest.raises(LimitExceededError) as refusal:
        debug.launch(program).wait()
    assert refusal.value.details["session_ids"] == [first.session.id, second.session.id]
    debug.sessions.close(first.session.id, keep_running=False).wait()
    assert debug.start(program, "begin").report.state is ProgramState.PAUSED


def test_a_session_without_its_program_does_not_count_but_the_oldest_goes(make_debugger: MakeDebugger) -> None:
    debug = make_debugger(max_sessions=2)
    program = debug.write(TALKS)
    ended = [debug.start(program).session.id for _ in range(3)]
    debug.await_change(lambda change: (change.session_id, change.kind) == (ended[0], "closed"))
    assert [summary.session_id for summary in debug.sessions.list()] == ended[1:]


def test_an_idle_session_ends_by_itself(make_debugger: MakeDebugger) -> None:
    debug = make_debugger(idle_s=0.2)
    spin = debug.start(SPIN, "begin")
    debug.await_change(lambda change: change.kind == "closed")
    with pytest.raises(SessionNotFoundError):
        debug.sessions.get(spin.session.id)


def test_a_session_that_somebody_waits_for_is_not_idle(make_debugger: MakeDebugger) -> None:
    debug = make_debugger(idle_s=0.2)
    spin = debug.start(SPIN, "begin")
    report = spin.ask(Continue(wait_s=0.5))
    assert report.state is ProgramState.RUNNING


def test_two_sessions_know_nothing_of_each_other(debug: Debugger) -> None:
    program = debug.write(CART)
    one, other = debug.start(program, "add"), debug.start(program, "begin")
    one.step(StepKind.OVER)
    one.go()
    assert other.marks(other.state(), "begin")
    assert [each.hits for each in other.ask(ListBreakpoints())] == [1]
    for frame in stop_of(one.state()).frames[2:]:
        with pytest.raises(InvalidArgumentsError):
            other.ask(GetVariables(frame=frame.id))
    debug.sessions.close(one.session.id, keep_running=False).wait()
    assert other.go().state is ProgramState.EXITED
    assert other.output("stdout") == "begin\npaid 36\n"


def test_changes_are_told_from_the_start_to_the_end(debug: Debugger) -> None:
    cart = debug.start(CART, "begin")
    cart.go()
    debug.sessions.close(cart.session.id, keep_running=False).wait()
    kinds = []
    while not debug.changes.empty():
        kinds.append(debug.changes.get().kind)
    assert (kinds[0], kinds[-1]) == ("opened", "closed")
    assert {"state", "output"} <= set(kinds)
