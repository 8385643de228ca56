"""One run over a scripted target: every outcome, and that nothing is lost and the target ends in every case."""

import pytest

from server.debug.deadline import Deadline
from server.debug.inbox import Inbox
from server.debug.model import Lost, Outcome, RunReport
from server.debug.results import ResultStore
from server.debug.run import run_script
from server.errors import CancelRequested, DisconnectedError, ProtocolError, TargetLaunchError
from tests.unit.scripted_backend import (
    ENDED_WELL,
    PLACEMENT,
    RUN,
    ScriptedBackend,
    Step,
    captured,
    raising,
    wait,
)

START_PHASES = ["connect", "arm", "release"]
DEFECT = RuntimeError("a defect")
REFUSED = ProtocolError("Debugger.resume", -32000, "not paused")


def run(backend: ScriptedBackend, timeout_s: float = 30.0, *, cancelled: bool = False) -> RunReport:
    inbox = Inbox(Deadline.after(timeout_s))
    if cancelled:
        inbox.cancel()
    return run_script(RUN, backend, inbox, ResultStore(10_000))


def values(report: RunReport) -> list[str]:
    return [text.removeprefix('{"type":"number","value":').removesuffix("}") for text in report.results.kept]


# --- the story, and its outcomes --------------------------------------------------------------------------


def test_the_phases_of_a_run_come_in_the_order_of_its_life() -> None:
    backend = ScriptedBackend([*captured(1), ENDED_WELL])
    run(backend)
    assert backend.target.calls == ["connect", "arm", "release", "describe", "end"]


def test_a_program_that_ends_brings_its_results_and_its_exit() -> None:
    report = run(ScriptedBackend([*captured(1, 2, 3), ENDED_WELL], stderr="warned"))
    assert values(report) == ["1", "2", "3"]
    assert (report.outcome, report.exit) == (Outcome.PROGRAM_ENDED, ENDED_WELL.exit)
    assert (report.placement, report.stderr_tail, report.started) == (PLACEMENT, "warned", True)


def test_nearby_code_is_asked_for_only_when_nothing_was_hit() -> None:
    backend = ScriptedBackend([ENDED_WELL])
    run(backend)
    assert "describe nearby" in backend.target.calls


def test_a_lost_connection_keeps_the_results_and_the_reason() -> None:
    report = run(ScriptedBackend([*captured(1), Lost("reset by peer")]))
    assert (report.outcome, report.reason, values(report)) == (Outcome.CONNECTION_LOST, "reset by peer", ["1"])


def test_the_deadline_while_collecting_keeps_the_results() -> None:
    report = run(ScriptedBackend([*captured(1, 2), wait], is_evaluating=True), timeout_s=0.01)
    assert (report.outcome, values(report), report.evaluating) == (Outcome.TIMED_OUT, ["1", "2"], True)


def test_a_cancellation_while_collecting_keeps_the_results() -> None:
    report = run(ScriptedBackend([*captured(1, 2), wait]), cancelled=True)
    assert (report.outcome, values(report)) == (Outcome.CANCELLED, ["1", "2"])


@pytest.mark.parametrize("phase", START_PHASES)
def test_the_deadline_while_starting_is_a_timeout(phase: str) -> None:
    assert run(ScriptedBackend(steps={phase: wait}), timeout_s=0.01).outcome is Outcome.TIMED_OUT


@pytest.mark.parametrize("phase", START_PHASES)
def test_a_cancellation_while_starting_is_a_cancellation(phase: str) -> None:
    assert run(ScriptedBackend(steps={phase: wait}), cancelled=True).outcome is Outcome.CANCELLED


@pytest.mark.parametrize("phase", START_PHASES)
def test_a_program_that_goes_away_while_starting_tells_why_in_its_next_event(phase: str) -> None:
    report = run(ScriptedBackend([ENDED_WELL], {phase: raising(DisconnectedError(phase, "gone"))}))
    assert (report.outcome, report.exit) == (Outcome.PROGRAM_ENDED, ENDED_WELL.exit)


@pytest.mark.parametrize(("timeout_s", "cancelled"), [(0.01, False), (30.0, True)])
def test_a_launch_that_waits_too_long_ends_like_any_other_wait(timeout_s: float, cancelled: bool) -> None:
    report = run(ScriptedBackend(steps={"launch": wait}), timeout_s, cancelled=cancelled)
    assert report.outcome is (Outcome.CANCELLED if cancelled else Outcome.TIMED_OUT)
    assert (report.started, report.placement, report.results.hits) == (False, None, 0)


def test_a_target_can_still_be_asked_where_the_breakpoint_is_after_the_deadline() -> None:
    def answer_that_comes(inbox: Inbox) -> None:
        inbox.put("answer")
        assert inbox.next() == "answer"

    report = run(ScriptedBackend([wait], {"describe nearby": answer_that_comes}), timeout_s=0.01)
    assert (report.outcome, report.placement) == (Outcome.TIMED_OUT, PLACEMENT)


# --- nothing collected is lost ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "reason"), [(REFUSED, "Debugger.resume failed: not paused (-32000)"), (DEFECT, "RuntimeError: a defect")]
)
def test_a_debugger_that_fails_after_hits_is_an_outcome_beside_the_results(error: Exception, reason: str) -> None:
    report = run(ScriptedBackend([*captured(1, 2), raising(error)]))
    assert (report.outcome, report.reason) == (Outcome.DEBUGGER_FAILED, reason)
    assert values(report) == ["1", "2"]


@pytest.mark.parametrize("error", [REFUSED, DEFECT, CancelRequested()])
def test_a_placement_that_cannot_be_told_costs_no_result(error: Exception) -> None:
    report = run(ScriptedBackend([*captured(1, 2), ENDED_WELL], {"describe": raising(error)}))
    assert (report.outcome, values(report)) == (Outcome.PROGRAM_ENDED, ["1", "2"])
    assert report.placement is None


# --- the target always ends, exactly once -------------------------------------------------------------------


@pytest.mark.parametrize("error", [REFUSED, DEFECT])
@pytest.mark.parametrize("phase", START_PHASES)
def test_a_target_that_fails_to_start_is_ended_and_says_why(phase: str, error: Exception) -> None:
    backend = ScriptedBackend(steps={phase: raising(error)})
    with pytest.raises(type(error), match=str(error).replace("(", r"\(").replace(")", r"\)")):
        run(backend)
    assert backend.target.calls.count("end") == 1


@pytest.mark.parametrize(
    "story",
    [
        [ENDED_WELL],
        [Lost("gone")],
        [*captured(1), raising(REFUSED)],
        [raising(CancelRequested())],
        [wait],
    ],
    ids=["ended", "lost", "failed", "cancelled", "timed out"],
)
@pytest.mark.parametrize("describing", [None, raising(DEFECT)], ids=["described", "not described"])
def test_a_target_is_ended_once_whatever_happened(story: list[Step], describing: Step | None) -> None:
    steps = {} if describing is None else {"describe": describing, "describe nearby": describing}
    backend = ScriptedBackend(story, steps)
    run(backend, timeout_s=0.05)
    assert backend.target.calls.count("end") == 1


def test_a_target_is_ended_when_even_the_interpreter_gives_up() -> None:
    backend = ScriptedBackend(steps={"connect": raising(SystemExit())})
    with pytest.raises(SystemExit):
        run(backend)
    assert backend.target.calls == ["connect", "end"]


def test_a_launch_that_fails_says_why() -> None:
    with pytest.raises(TargetLaunchError, match="no such program"):
        run(ScriptedBackend(steps={"launch": raising(TargetLaunchError("no such program"))}))
