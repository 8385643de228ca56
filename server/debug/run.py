"""One run from launch to end: the whole life of a `debug-script` request.

The calling thread becomes the owner of the run. It pulls from one inbox until one terminal outcome.
"""

from __future__ import annotations

from server.debug.backend import Backend, Target
from server.debug.inbox import Inbox
from server.debug.model import Captured, Ended, Lost, Outcome, RunReport, ScriptRun
from server.debug.results import ResultStore
from server.errors import CancelRequested, DeadlinePassed, DisconnectedError
from server.process.process_events import ExitStatus

EXPLAIN_S = 1.0
"""How long a run that is already over may go on asking its target why nothing was hit."""


def run_script(run: ScriptRun, backend: Backend, inbox: Inbox, results: ResultStore) -> RunReport:
    """Launch, connect, arm, release, collect, end; the program is gone when this returns or raises."""
    target = backend.launch(run, inbox)
    try:
        outcome, exit_status, lost_reason = _run_to_outcome(target, results)
        evaluating = target.evaluating
        inbox.extend(EXPLAIN_S)
        placement = target.describe_placement(search_nearby=results.hits == 0)
    finally:
        target.end()
    return RunReport(
        outcome=outcome,
        results=results.snapshot(),
        placement=placement,
        exit=exit_status,
        lost_reason=lost_reason,
        stderr_tail=target.stderr_tail(),
        evaluating=evaluating,
    )


def _run_to_outcome(target: Target, results: ResultStore) -> tuple[Outcome, ExitStatus | None, str | None]:
    try:
        _start(target)
        while True:
            match target.next_event():
                case Captured(json_text):
                    results.add(json_text)
                case Ended(exit_status):
                    return Outcome.PROGRAM_ENDED, exit_status, None
                case Lost(reason):
                    return Outcome.CONNECTION_LOST, None, reason
    except DeadlinePassed:
        return Outcome.TIMED_OUT, None, None
    except CancelRequested:
        return Outcome.CANCELLED, None, None


def _start(target: Target) -> None:
    try:
        target.connect()
        target.arm()
        target.release()
    except DisconnectedError:
        return  # why the program went away is the next event that it tells
