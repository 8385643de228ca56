"""What a session makes of a debuggee that fails. Whatever it does, every request is answered and every thread ends."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import pytest

from server.debug import session_calls, session_owner, stop_assembly
from server.debug.inbox import Inbox
from server.debug.model import SourceLine
from server.debug.session import Session
from server.debug.session_model import (
    AttachSpec,
    Binding,
    ConnectionLost,
    Evaluation,
    LaunchSpec,
    Logged,
    ProgramEnded,
    ProgramState,
    Resumed,
    Wrote,
)
from server.debug.session_requests import (
    BreakpointRequest,
    Continue,
    Evaluate,
    GetOutput,
    GetState,
    GetVariables,
    SetBreakpoint,
)
from server.debug.sessions import Opened, SessionChange, SessionLimits, Sessions, StartOptions
from server.errors import (
    CallTimeoutError,
    CancelRequested,
    ConnectionFailedError,
    DebuggerFailedError,
    InvalidArgumentsError,
    ProgramGoneError,
    ProtocolError,
)
from server.process.process_events import ExitStatus
from tests.unit.debug.scripted_debuggee import FILE, STOPPED, Act, Happens, ScriptedSessionBackend, raising, waiting

BOUND_S = 30.0
LAUNCH = LaunchSpec(("node", "cart.js"))
REFUSED = ProtocolError("Debugger.something", -32000, "not now")


class Scripted:
    """Sessions on a scripted backend."""

    def __init__(self) -> None:
        self.backend = ScriptedSessionBackend()
        self.changes: queue.SimpleQueue[SessionChange] = queue.SimpleQueue()
        self.sessions = Sessions(lambda: self.backend, SessionLimits(), self.changes.put)

    def launch(self, backend: ScriptedSessionBackend | None = None, wait_s: float = BOUND_S) -> Opened:
        self.backend = backend or self.backend
        return self.sessions.launch(LAUNCH, StartOptions(wait_s=wait_s)).wait()

    def session(self, backend: ScriptedSessionBackend | None = None, wait_s: float = BOUND_S) -> Session:
        return self.sessions.get(self.launch(backend, wait_s).report.session_id)


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    before = set(threading.enumerate())
    scripted = Scripted()
    yield scripted
    scripted.sessions.close_all()
    assert set(threading.enumerate()) == before


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds that a test can wait for."""
    monkeypatch.setattr(session_calls, "CALL_S", 0.05)
    monkeypatch.setattr(session_owner, "CALL_S", 0.05)
    monkeypatch.setattr(stop_assembly, "_PART_S", 0.05)


def hanging() -> tuple[threading.Event, Act]:
    """An act that never ends by itself, and what tells that it has begun."""
    reached = threading.Event()

    def hang(inbox: Inbox) -> object:
        reached.set()
        return waiting(inbox)

    return reached, hang


# --- starting ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["connect", "begin"])
def test_a_start_that_fails_ends_the_program_and_keeps_nothing(scripted: Scripted, call: str) -> None:
    backend = ScriptedSessionBackend(**{call: raising(ConnectionFailedError("nobody answers"))})
    with pytest.raises(ConnectionFailedError, match="nobody answers"):
        scripted.launch(backend)
    assert backend.debuggee.calls[-1] == "end"
    assert scripted.sessions.list() == ()
    assert scripted.changes.empty()


def test_a_launch_that_fails_is_told(scripted: Scripted) -> None:
    with pytest.raises(ConnectionFailedError):
        scripted.launch(ScriptedSessionBackend(launch=raising(ConnectionFailedError("no"))))
    assert scripted.sessions.list() == ()


def test_a_defect_at_the_start_is_told_as_one(scripted: Scripted) -> None:
    with pytest.raises(DebuggerFailedError, match="ZeroDivisionError"):
        scripted.launch(ScriptedSessionBackend(connect=raising(ZeroDivisionError("oops"))))
    assert scripted.sessions.list() == ()


def test_a_start_that_hangs_in_its_debugger_can_be_cancelled(scripted: Scripted) -> None:
    reached, hang = hanging()
    scripted.backend = ScriptedSessionBackend(connect=hang)
    pending = scripted.sessions.launch(LAUNCH, StartOptions(wait_s=BOUND_S))
    assert reached.wait(BOUND_S)
    pending.cancel()
    with pytest.raises(CancelRequested):
        pending.wait()
    assert scripted.backend.debuggee.calls == ["connect", "end"]


def test_the_end_of_the_server_ends_a_start_too(scripted: Scripted) -> None:
    scripted.backend = ScriptedSessionBackend(Resumed())  # and no stop
    pending = scripted.sessions.launch(LAUNCH, StartOptions(wait_s=BOUND_S))
    scripted.sessions.close_all()
    with pytest.raises(ProgramGoneError):
        pending.wait()
    with pytest.raises(ProgramGoneError):
        scripted.launch()


def test_an_attached_program_that_stands_still_is_told_at_once(scripted: Scripted) -> None:
    scripted.backend = ScriptedSessionBackend(connect=lambda inbox: inbox.set_aside(Happens((STOPPED,))))
    opened = scripted.sessions.attach(AttachSpec(port=9229), StartOptions(wait_s=BOUND_S)).wait()
    assert opened.report.state is ProgramState.PAUSED
    assert "begin" not in scripted.backend.debuggee.calls


# --- requests -----------------------------------------------------------------------------------------------------


def test_a_refused_request_is_an_answer_and_the_next_one_is_served(scripted: Scripted) -> None:
    session = scripted.session(ScriptedSessionBackend(set_breakpoint=raising(REFUSED)))
    with pytest.raises(ProtocolError):
        session.post(SetBreakpoint(BreakpointRequest(file=FILE, line=2))).wait()
    assert session.post(GetState()).wait().state is ProgramState.PAUSED


def test_a_defect_in_a_request_is_an_answer_and_the_next_one_is_served(scripted: Scripted) -> None:
    session = scripted.session(ScriptedSessionBackend(evaluate=raising(ZeroDivisionError("oops"))))
    with pytest.raises(DebuggerFailedError, match="ZeroDivisionError: oops"):
        session.post(Evaluate(Evaluation("1"))).wait()
    assert session.post(GetState()).wait().state is ProgramState.PAUSED


@pytest.mark.usefixtures("impatient")
def test_a_debugger_that_does_not_answer_is_given_up(scripted: Scripted) -> None:
    session = scripted.session(ScriptedSessionBackend(expand=waiting, evaluate=waiting))
    with pytest.raises(CallTimeoutError) as failure:
        session.post(Evaluate(Evaluation("1", timeout_s=0.05))).wait()
    assert "close_debug_session" in (failure.value.advice or "")
    assert session.post(GetState()).wait().state is ProgramState.PAUSED


def test_to_close_a_session_ends_what_it_waits_for(scripted: Scripted) -> None:
    reached, hang = hanging()
    session = scripted.session(ScriptedSessionBackend(evaluate=hang))
    hangs = session.post(Evaluate(Evaluation("1", timeout_s=3600)))
    behind = session.post(GetState())
    assert reached.wait(BOUND_S)
    scripted.sessions.close(session.id, keep_running=False).wait()
    for pending in (hangs, behind):
        with pytest.raises(ProgramGoneError, match="closed"):
            pending.wait()


def test_a_request_that_is_cancelled_before_its_turn_is_not_served(scripted: Scripted) -> None:
    release = threading.Event()
    session = scripted.session(ScriptedSessionBackend(call_stack=lambda _inbox: None))
    scripted.backend.acts["evaluate"] = lambda _inbox: (release.wait(BOUND_S), ())[1]
    held = session.post(Evaluate(Evaluation("1")))
    given_up = session.post(Continue(BOUND_S))
    given_up.cancel()
    release.set()
    with pytest.raises(DebuggerFailedError):  # no value came, which is a defect of the debuggee
        held.wait()
    assert session.post(GetState()).wait().state is ProgramState.PAUSED
    assert "resume" not in scripted.backend.debuggee.calls


def test_a_program_that_is_gone_refuses_and_then_tells_of_its_end(scripted: Scripted) -> None:
    session = scripted.session(ScriptedSessionBackend(evaluate=raising(ProgramGoneError("it went away"))))
    with pytest.raises(ProgramGoneError, match="it went away"):
        session.post(Evaluate(Evaluation("1"))).wait()
    scripted.backend.debuggee.tell(ProgramEnded(ExitStatus(code=None, signal="SIGKILL")))
    with pytest.raises(ProgramGoneError, match="SIGKILL"):
        session.post(GetVariables()).wait()


# --- what the program tells -----------------------------------------------------------------------------------------


def test_a_stop_is_told_even_where_parts_of_it_cannot_be_read(scripted: Scripted) -> None:
    opened = scripted.launch(ScriptedSessionBackend(variables=raising(REFUSED), source=raising(REFUSED)))
    stop = opened.report.stop
    assert stop is not None
    assert (stop.locals.total, stop.source) == (0, ())
    assert [note.split(" could")[0] for note in stop.notes] == ["The source", "The variables"]
    assert stop.frames[0].function == "total"


@pytest.mark.usefixtures("impatient")
def test_a_stop_is_told_even_where_its_parts_take_too_long(scripted: Scripted) -> None:
    opened = scripted.launch(ScriptedSessionBackend(variables=waiting))
    stop = opened.report.stop
    assert stop is not None
    assert stop.notes == ("The variables could not be read in time.",)


def test_a_program_that_goes_away_while_its_stop_is_read_is_told_as_ended(scripted: Scripted) -> None:
    ended = ProgramEnded(ExitStatus(code=7, signal=None))
    backend = ScriptedSessionBackend(STOPPED, ended, variables=raising(ProgramGoneError("gone")))
    opened = scripted.launch(backend)
    assert opened.report.state is ProgramState.EXITED
    assert opened.report.exit == ended.exit


def test_a_message_that_cannot_be_dealt_with_is_noted(scripted: Scripted) -> None:
    session = scripted.session()
    scripted.backend.acts["handle"] = raising(ZeroDivisionError("oops"))
    scripted.backend.debuggee.tell(Resumed())
    report = session.post(GetState()).wait()
    assert report.state is ProgramState.PAUSED
    assert "ZeroDivisionError" in " ".join(report.notes)
    assert session.post(GetState()).wait().notes == ()


def test_a_lost_connection_is_told_to_whoever_waits(scripted: Scripted) -> None:
    session = scripted.session()
    waiter = session.post(Continue(BOUND_S))
    scripted.backend.debuggee.tell(Resumed())
    scripted.backend.debuggee.tell(ConnectionLost("the debugger closed the connection"))
    assert waiter.wait().state is ProgramState.DISCONNECTED
    with pytest.raises(ProgramGoneError, match="the debugger closed the connection"):
        session.post(GetVariables()).wait()
    scripted.sessions.close(session.id, keep_running=False).wait()
    assert scripted.backend.debuggee.calls[-1] == "end"


def test_a_lost_launched_program_counts_until_it_is_closed(scripted: Scripted) -> None:
    session = scripted.session()
    scripted.backend.debuggee.tell(ConnectionLost("gone"))
    session.post(GetState(BOUND_S)).wait()
    assert not session.is_exited


def test_a_program_that_another_debugger_lets_go_on_is_running(scripted: Scripted) -> None:
    session = scripted.session()
    scripted.backend.debuggee.tell(Resumed())
    assert session.post(GetState()).wait().state is ProgramState.RUNNING


def test_a_log_message_is_output_of_its_own(scripted: Scripted) -> None:
    session = scripted.session()
    scripted.backend.debuggee.tell(Wrote("stdout", "x"), Logged("bp1", "sum is 1"), Wrote("stdout", "y"))
    page = session.post(GetOutput()).wait()
    assert [(entry.stream, entry.text) for entry in page.entries] == [
        ("stdout", "x"),
        ("log", "sum is 1\n"),
        ("stdout", "y"),
    ]


def test_very_much_output_is_cut_in_a_report_and_counted(scripted: Scripted) -> None:
    session = scripted.session()
    scripted.backend.debuggee.tell(Wrote("stdout", "x" * 5000 + "end"))
    report = session.post(GetState()).wait()
    assert report.output.entries[0].text.endswith("xend")
    assert len(report.output.entries[0].text) + report.output.omitted_characters == 5003
    assert report.output.omitted_characters == 1003


def test_what_logpoints_say_is_in_a_report_however_much_the_program_writes(scripted: Scripted) -> None:
    session = scripted.session()
    scripted.backend.debuggee.tell(Logged("bp1", "sum is 1"), Wrote("stdout", "x" * 9000))
    report = session.post(GetState()).wait()
    assert [entry.text for entry in report.output.entries if entry.stream == "log"] == ["sum is 1\n"]


def test_a_report_that_nobody_got_takes_nothing_away(scripted: Scripted) -> None:
    session = scripted.session()
    waiter = session.post(Continue(BOUND_S))
    while session.summary().state is not ProgramState.RUNNING:
        scripted.changes.get(timeout=BOUND_S)
    waiter.cancel()
    scripted.backend.debuggee.tell(Wrote("stdout", "hello"), STOPPED)
    report = session.post(GetState(BOUND_S)).wait()
    assert [entry.text for entry in report.output.entries] == ["hello"]


def test_a_line_to_run_to_that_is_nowhere_leaves_the_program_where_it_is(scripted: Scripted) -> None:
    nowhere = Binding(message="no code is there", nearest_lines=(3, 4))
    session = scripted.session(ScriptedSessionBackend(run_to=lambda _inbox: nowhere))
    with pytest.raises(InvalidArgumentsError, match="3, 4"):
        session.post(Continue(BOUND_S, SourceLine(FILE, 99))).wait()
    assert session.post(GetState()).wait().state is ProgramState.PAUSED


# --- what others do ---------------------------------------------------------------------------------------------------


def test_a_listener_that_fails_does_not_end_the_session() -> None:
    def fail(_change: SessionChange) -> None:
        raise ZeroDivisionError("oops")

    backend = ScriptedSessionBackend()
    sessions = Sessions(lambda: backend, SessionLimits(), fail)
    opened = sessions.launch(LAUNCH, StartOptions()).wait()
    session = sessions.get(opened.report.session_id)
    assert session.post(GetState()).wait().state is ProgramState.PAUSED
    sessions.close_all()
    assert sessions.list() == ()


def test_what_is_published_can_be_read_while_the_owner_is_busy(scripted: Scripted) -> None:
    release = threading.Event()
    session = scripted.session(ScriptedSessionBackend(evaluate=lambda _inbox: release.wait(BOUND_S)))
    scripted.backend.debuggee.tell(Wrote("stdout", "hello"))
    session.post(GetState()).wait()
    busy = session.post(Evaluate(Evaluation("1")))
    summary = session.summary()
    assert (summary.state, summary.position) == (ProgramState.PAUSED, STOPPED.frames[0].position)
    assert session.last_report().stop is not None
    assert [entry.text for entry in session.output_tail(100).entries] == ["hello"]
    release.set()
    with pytest.raises(DebuggerFailedError):  # an event is no tuple of values
        busy.wait()
